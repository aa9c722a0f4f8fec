"""Kilter inside sacreBLEU."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest, Result

import kilter
from kilter.adapters import sacrebleu as sacrebleu_adapter
from kilter.adapters.sacrebleu import KilterMetric
from kilter.core.errors import InputError, OptionError
from kilter.metrics.registry import METRICS
from kilter.run.demo import SAMPLE, SYSTEMS


def sample(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


REFERENCES = [sample("reference.en"), sample("reference2.en")]
GROUPED = [list(pair) for pair in zip(*REFERENCES, strict=True)]


@pytest.mark.parametrize("specification", ["pef", "bleu", "kendall:root=true", "meteor"])
def test_corpus_scores_are_a_hundred_times_kilters(specification: str) -> None:
    metric = KilterMetric(specification)
    assert isinstance(metric, Metric)
    lines = sample("verb.en")
    expected = kilter.score(lines, GROUPED, metrics=[specification]).system[specification]
    assert expected.score is not None
    found = metric.corpus_score(lines, REFERENCES)
    assert found.score == pytest.approx(100 * expected.score)
    assert found.name == specification
    assert str(metric.get_signature()) == expected.signature
    assert metric.get_signature().format(short=True) == expected.signature


def test_sentence_scores_are_those_of_a_corpus_of_one() -> None:
    found = KilterMetric("kendall").sentence_score(
        "the mat sat on the cat", ["the cat sat on the mat"]
    )
    assert found.score == pytest.approx(100 * 3 / 15)


@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_the_paired_test_of_sacrebleu_takes_it(kind: str) -> None:
    systems = [(name, sample(f"{name}.en")) for name in SYSTEMS]
    metrics = {"pef": KilterMetric("pef"), "bleu": KilterMetric("bleu")}
    test = PairedTest(systems, metrics, [*REFERENCES], test_type=kind, n_samples=30)  # type: ignore[arg-type]
    signatures, results = test()
    assert results["System"] == list(SYSTEMS)
    expected = kilter.score(dict(systems), GROUPED, metrics=["pef", "bleu"])
    for name in ("pef", "bleu"):
        (rows,) = [rows for key, rows in results.items() if key.lower().startswith(name)]
        for row, system in zip(rows, SYSTEMS, strict=True):
            found = expected.systems[system][name].score
            assert found is not None
            assert isinstance(row, Result)
            assert not isinstance(row, str)
            assert row.score == pytest.approx(100 * found)
    assert len(signatures) == 2


def test_references_may_be_given_once() -> None:
    metric = KilterMetric("pef", references=REFERENCES)
    lines = sample("verb.en")
    assert (
        metric.corpus_score(lines, None).score
        == KilterMetric("pef").corpus_score(lines, REFERENCES).score
    )


def test_settings_reach_kilter() -> None:
    lower = KilterMetric("bleu", lowercase=True)
    assert lower.corpus_score(["A B C D"], [["a b c d"]]).score == pytest.approx(100.0)
    assert "case:lower" in str(lower.get_signature())


def test_references_of_another_shape_are_refused() -> None:
    with pytest.raises(InputError, match="one list per reference"):
        KilterMetric("pef").corpus_score(["a", "b"], [["a"], ["b"]])
    with pytest.raises(InputError, match="reference 2 has 1 segment, the hypotheses have 2"):
        KilterMetric("pef").corpus_score(["a", "b"], [["a", "b"], ["b"]])
    with pytest.raises(InputError, match="there are no references"):
        KilterMetric("pef").corpus_score(["a"], None)


def test_what_cannot_be_one_metric_is_refused_when_it_is_made() -> None:
    for specification, message in (
        ("nothing", "there is no metric 'nothing'"),
        ("pef:beta=2", "must lie between"),
        ("all", "one metric"),
    ):
        with pytest.raises(OptionError, match=message):
            KilterMetric(specification)


def test_there_is_no_signature_before_a_score() -> None:
    metric = KilterMetric("kendall")
    with pytest.raises(OptionError, match="call corpus_score first"):
        metric.get_signature()
    metric.corpus_score(["a b"], [["a b"]])
    assert str(metric.get_signature()).startswith("kendall|")


def test_the_signature_is_that_of_the_last_score_in_this_thread() -> None:
    metric = KilterMetric("kendall")
    metric.corpus_score(["a b"], [["a b"]])

    def elsewhere() -> str:
        metric.corpus_score(["a b"], [["a b"], ["b a"]])
        return str(metric.get_signature())

    with ThreadPoolExecutor(1) as pool:
        assert "nrefs:2" in pool.submit(elsewhere).result()
    assert "nrefs" not in str(metric.get_signature())


def test_a_metric_goes_to_another_process() -> None:
    metric = KilterMetric("kendall", tokenize="none")
    found = metric.corpus_score(["b a c"], [["a b c"]]).score
    copied = pickle.loads(pickle.dumps(metric))  # noqa: S301 - our own
    assert copied.corpus_score(["b a c"], [["a b c"]]).score == found


@pytest.mark.parametrize("kind", [tuple, iter, np.array, pd.Series, pa.array])
def test_texts_may_be_arrays_columns_and_iterators(kind: Any) -> None:
    metric = KilterMetric("kendall")
    expected = metric.corpus_score(["b a c", "a b"], [["a b c", "a b"]]).score
    assert metric.corpus_score(kind(["b a c", "a b"]), [kind(["a b c", "a b"])]).score == expected
    assert metric.sentence_score("b a c", kind(["a b c"])).score < 100


@pytest.mark.parametrize(
    ("hypotheses", "references", "expected"),
    [
        ({"a b"}, [["a b"]], "hypotheses: is a set, which has no order"),
        (None, [["a b"]], "hypotheses: is None"),
        (["a b"], "a b", "references: is a single string; pass one list of strings per reference"),
        (["a b"], ["a b"], "reference 1: is a single string"),
        (["a b"], [], "references: there are none"),
        (["a b"], [{"a b"}], "reference 1: is a set"),
    ],
)
def test_what_is_no_text_is_refused(hypotheses: Any, references: Any, expected: str) -> None:
    with pytest.raises(InputError) as raised:
        KilterMetric("kendall").corpus_score(hypotheses, references)
    assert str(raised.value).startswith(expected)


def test_one_score_cannot_come_of_two_aligners() -> None:
    metric = KilterMetric("kendall", aligner=["match", "ribes"])
    with pytest.raises(OptionError, match="one aligner"):
        metric.corpus_score(["a b"], [["a b"]])


@pytest.mark.parametrize("name", METRICS.names())
def test_every_metric_has_a_class_of_its_own_with_its_options(name: str) -> None:
    called = "".join(part.capitalize() for part in name.split("-"))
    kind = getattr(sacrebleu_adapter, called)
    assert issubclass(kind, KilterMetric)
    assert (kind.__name__, kind.__module__) == (called, "kilter.adapters.sacrebleu")
    assert getattr(sacrebleu_adapter, called) is kind
    assert kind().specification == name
    assert pickle.loads(pickle.dumps(kind())).specification == name  # noqa: S301 - our own


def test_options_of_a_class_are_keywords() -> None:
    metric = sacrebleu_adapter.Pef(beta=0.5, language="en")
    plain = KilterMetric("pef:beta=0.5", language="en")
    texts = ["the mat sat on the cat"], [["the cat sat on the mat"]]
    assert metric.corpus_score(*texts).score == plain.corpus_score(*texts).score
    assert str(metric.get_signature()) == str(plain.get_signature())
    assert sacrebleu_adapter.Kendall(root=True).specification == "kendall:root=true"
    with pytest.raises(OptionError):
        sacrebleu_adapter.Pef(beta=7)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = sacrebleu_adapter.Nothing
