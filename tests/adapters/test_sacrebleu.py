"""Kilter inside sacreBLEU."""

import pytest
from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest, Result

import kilter
from kilter.adapters.sacrebleu import KilterMetric
from kilter.errors import InputError, OptionError
from kilter.pipeline.demo import SAMPLE, SYSTEMS


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
