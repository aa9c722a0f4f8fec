"""Scores of systems from texts, links and sources."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.metrics.registry import metric_class, metric_names
from kilter.run.demo import SAMPLE, SYSTEMS, sample_texts
from kilter.run.scoring.compare import compare
from kilter.run.scoring.links import Links
from kilter.run.scoring.score import score, score_texts
from kilter.run.scoring.settings import DEFAULT_METRICS, Settings
from kilter.stats.resampling import Resampling
from tests.run.scoring.scored import FEW, HYPOTHESIS, REFERENCE, sample, scores
from tests.thorough import examples

ORDER_METRICS = [
    name
    for name in metric_names()
    # tau has another range, and of one word there is no order to score by itself.
    if metric_class(name).needs == ("links",) and name not in ("tau", "order")
]


sentences = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=9).map(" ".join)


def test_the_worked_example_comes_out_as_by_hand() -> None:
    # Given links 0-0 1-5 2-2 3-3 4-4 5-1 the permutation is 1 6 3 4 5 2: 7 of 15 pairs are inverted,
    # 4 of 6 words are in place, and the longest rising run 1 3 4 5 has 4 words.
    links = Links(
        hypothesis_reference=((LinkBatch.of([[(0, 0), (1, 5), (2, 2), (3, 3), (4, 4), (5, 1)]]),),)
    )
    found = scores(
        [HYPOTHESIS], [REFERENCE], ["kendall", "hamming", "ulam", "f1", "aligned"], links=links
    )
    assert found == pytest.approx([8 / 15, 4 / 6, (4 - 1) / (6 - 1), 1.0, 1.0])


def test_the_aligner_prefers_few_chunks_in_the_worked_example() -> None:
    # "the mat", "sat on", "the cat" are three chunks: 5 6 3 4 1 2 has 12 of 15 pairs inverted.
    found = scores([HYPOTHESIS], [REFERENCE], ["kendall", "meteor", "bleu:order=1"])
    assert found == pytest.approx([3 / 15, 1 - 0.5 * (3 / 6) ** 3, 1.0])


def test_ribes_of_the_worked_example_is_that_of_its_authors() -> None:
    assert scores([HYPOTHESIS], [REFERENCE], ["ribes"]) == pytest.approx([4 / 15])


def test_the_public_function_is_the_pipelines() -> None:
    assert kilter.score is score
    assert kilter.ScoreResult.__module__ == "kilter.results.score_result"


def test_the_defaults_are_the_documented_metrics() -> None:
    result = score([HYPOTHESIS], [REFERENCE], resampling=FEW)
    assert tuple(result.system) == DEFAULT_METRICS == tuple(result.metrics)
    for found in result.system.values():
        assert found.score is not None
        assert (found.low, found.high, found.segments) == (None, None, 1)


def test_empty_segments_can_stop_the_run() -> None:
    assert score(["a", ""], ["a", "b"], metrics="f1").count == 2
    with pytest.raises(InputError, match=r"system:2: the line is empty; .* empty='keep'$"):
        score(["a", ""], ["a", "b"], metrics="f1", empty="stop")
    with pytest.raises(OptionError, match=r"empty is .drop.; it must be one of keep, stop"):
        score(["a", ""], ["a", "b"], metrics="f1", empty="drop")


def test_the_same_metric_with_other_options_is_another_column() -> None:
    result = score(
        [HYPOTHESIS], [REFERENCE], metrics=["pef", "pef:beta=0.5", "pef:beta=0.6"], resampling=FEW
    )
    assert list(result.system) == ["pef", "pef:beta=0.5"]


def test_signatures_say_what_was_done() -> None:
    result = score(
        ["The cat."], ["the cat ."], metrics=["bleu", "kendall"], language="de", lowercase=True
    )
    bleu, kendall = result.signatures["bleu"], result.signatures["kendall"]
    assert "aligner" not in bleu
    assert bleu.endswith(f"|tok:13a|case:lower|v:{kilter.__version__}")
    assert "|aligner:match(" in kendall
    assert "language:de" in kendall
    given = Links(hypothesis_reference=((LinkBatch.of([[(0, 0)]]),),))
    linked = score(["a"], ["a"], metrics=["kendall"], links=given, resampling=FEW)
    assert "|aligner:given|tok:13a|" in linked.signatures["kendall"]


def test_given_links_count_the_words_of_the_tokeniser() -> None:
    links = Links(hypothesis_reference=((LinkBatch.of([[(0, 1), (1, 0)]]),),))
    texts, metrics = (["b, a."], ["a. b,"]), ["kendall", "aligned"]
    assert scores(*texts, metrics, links=links, tokenize="none") == [0.0, 1.0]
    assert scores(*texts, metrics, links=links, tokenize="13a") == [0.0, 0.5]


def test_source_links_decide_the_source_metrics() -> None:
    crossed = LinkBatch.of([[(0, 2), (1, 0), (2, 1)]])
    found = scores(
        ["a b c"],
        ["a b c"],
        ["crossings", "lr:alpha=1"],
        source=["x y z"],
        links=Links(source_hypothesis=(crossed,), source_reference=(crossed,)),
    )
    assert found == pytest.approx([1 / 3, 1.0])


def test_the_document_is_versioned_json() -> None:
    result = score(
        {"A": [REFERENCE], "B": [HYPOTHESIS]},
        [REFERENCE],
        metrics=["kendall", "ter"],
        resampling=Resampling(resamples=20, seed=7),
    )
    document = result.to_dict()
    assert json.loads(json.dumps(document)) is not None
    assert {key: document[key] for key in ("schema", "version", "segments", "seed")} == {
        "schema": "kilter.score/1",
        "version": kilter.__version__,
        "segments": 1,
        "seed": 7,
    }
    assert document["metrics"]["kendall"] == {
        "signature": result.signatures["kendall"],
        "higher_is_better": True,
        "range": [0.0, 1.0],
    }
    assert [system["name"] for system in document["systems"]] == ["A", "B"]
    assert document["systems"][0]["scores"]["kendall"] == {
        "score": 1.0,
        "low": None,
        "high": None,
        "segments": 1,
        "parts": {"order": 1.0, "coverage": 1.0},
        "parts_add_up": False,
    }


def test_the_document_says_whether_parts_add_up_to_the_score() -> None:
    metrics = ["kilter:weights=2", "kilter", "pef", "sen", "bleu"]
    document = score(["b a c x"], ["a b c d"], metrics=metrics, resampling=FEW).to_dict()
    (system,) = document["systems"]
    found = {name: scored.get("parts_add_up") for name, scored in system["scores"].items()}
    factors = {"kilter": False, "pef": False, "sen": False, "bleu": None}
    assert found == {"kilter:weights=2": True, **factors}
    kilter = system["scores"]["kilter:weights=2"]
    assert sum(kilter["parts"].values()) == pytest.approx(kilter["score"])


def test_the_document_holds_nothing_that_json_cannot_say() -> None:
    document = score(["a"], ["b"], metrics=["ter", "kendall"], resampling=FEW).to_dict()
    assert "Infinity" not in json.dumps(document)


@pytest.mark.parametrize("system", SYSTEMS)
def test_bleu_is_sacrebleus_on_the_sample(system: str) -> None:
    lines, references = sample(f"{system}.en"), [sample("reference.en"), sample("reference2.en")]
    theirs = sacrebleu.corpus_bleu(lines, references).score / 100
    ours = scores(lines, [list(pair) for pair in zip(*references, strict=True)], ["bleu"])
    assert ours == [theirs]


def test_chrf_and_ter_are_sacrebleus_on_the_sample() -> None:
    lines, references = sample("verb.en"), sample("reference.en")
    theirs = [
        sacrebleu.corpus_chrf(lines, [references]).score / 100,
        sacrebleu.corpus_ter(lines, [references]).score / 100,
    ]
    assert scores(lines, references, ["chrf", "ter"]) == pytest.approx(theirs)


def test_order_metrics_see_order_and_lexical_ones_see_words_on_the_sample() -> None:
    names = ["f1", "kendall", "ribes", "meteor"]
    result = score_texts(sample_texts(), Settings(metrics=names, language="en", resampling=FEW))
    found = {
        system: {name: rows[name].score or 0.0 for name in names}
        for system, rows in result.systems.items()
    }
    assert found["local"]["f1"] > 0.99 > found["lexical"]["f1"]
    for name in ("kendall", "ribes"):
        assert 0.3 < found["phrase"][name] < found["local"][name] < 1.0
    for rows in found.values():
        assert 0.5 < rows["meteor"] < 1.0


def test_intervals_hold_the_score_and_depend_on_the_seed() -> None:
    found = []
    for seed in (1, 1, 2):
        resampling = Resampling(resamples=200, seed=seed)
        result = score_texts(sample_texts(), Settings(metrics=["pef"], resampling=resampling))
        found.append(result.systems["verb"]["pef"])
    assert found[0] == found[1]
    assert (found[0].low, found[0].high) != (found[2].low, found[2].high)
    for each in found:
        assert each.low is not None
        assert each.score is not None
        assert each.high is not None
        assert each.low < each.score < each.high


@pytest.mark.parametrize(
    ("segments", "notes"),
    [
        (
            1,
            (
                "one segment is no evidence: intervals and tests need 2 or more, and are rough below 30",
            ),
        ),
        (2, ("2 segments are few: intervals and tests are rough below 30",)),
        (29, ("29 segments are few: intervals and tests are rough below 30",)),
        (30, ()),
    ],
)
def test_few_segments_are_noted(segments: int, notes: tuple[str, ...]) -> None:
    result = score([REFERENCE] * segments, [REFERENCE] * segments, metrics="f1", resampling=FEW)
    assert result.notes == notes


@examples(25)
@given(
    pairs=st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6),
    chance=st.randoms(use_true_random=False),
)
def test_the_order_of_segments_changes_no_score(pairs: list[tuple[str, str]], chance: Any) -> None:
    order = list(range(len(pairs)))
    chance.shuffle(order)
    results = [
        score(
            [pairs[place][0] for place in places],
            [pairs[place][1] for place in places],
            metrics=["all"],
            resampling=Resampling(resamples=1),
        )
        for places in (range(len(pairs)), order)
    ]
    for name in results[0].system:
        assert results[0].system[name].score == results[1].system[name].score
        straight, mixed = (result.segment_arrays[name, "system"] for result in results)
        assert np.array_equal(straight[order], mixed, equal_nan=True)


@examples(25)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_an_identical_reference_changes_no_score(pairs: list[tuple[str, str]]) -> None:
    hypotheses, references = zip(*pairs, strict=True)
    once = scores(hypotheses, [[line] for line in references], ["all"])
    twice = scores(hypotheses, [[line, line] for line in references], ["all"])
    assert once == twice


@examples(25)
@given(st.lists(sentences, min_size=1, max_size=5))
def test_a_system_equal_to_its_reference_scores_one_on_every_order_metric(lines: list[str]) -> None:
    assert scores(lines, lines, ORDER_METRICS) == pytest.approx([1.0] * len(ORDER_METRICS))


def test_the_sample_is_part_of_the_package() -> None:
    assert Path(kilter.__file__).parent / "sample" == SAMPLE
    assert len(sample_texts().named()) == 6


def test_one_resample_gives_no_interval_and_says_so() -> None:
    lines = [f"a b c {n}" for n in range(40)]
    turned = [" ".join(reversed(line.split())) for line in lines]
    for resamples, told in ((1, True), (2, False)):
        drawn = Resampling(resamples=resamples)
        scored = score(turned, lines, metrics="kendall", resampling=drawn)
        compared = compare({"a": lines, "b": turned}, lines, metrics="kendall", resampling=drawn)
        (pair,) = compared.metrics[0].pairs
        for low in (scored.system["kendall"].low, compared.metrics[0].intervals[1].low, pair.low):
            assert (low is None) is told
        for notes in (scored.notes, compared.notes):
            assert any("one resample gives no interval" in note for note in notes) is told


def test_a_score_without_an_interval_says_why() -> None:
    lines = [f"the {k} cats sat on {k} mats today" for k in range(40)]
    half = [line if k % 2 else "" for k, line in enumerate(lines)]
    found = kilter.score(half, lines, metrics="order")
    scored = found.system["order"]
    assert (scored.score, scored.low) == (1.0, None)
    (note,) = [each for each in found.notes if "order" in each]
    assert note.startswith("system: order has no interval: ")
    assert note.endswith(
        "% of the resamples have no score, and more than 10% say that too few segments have one"
    )
    compared = kilter.compare({"half": half, "whole": lines}, lines, metrics="order")
    assert [each for each in compared.notes if each.startswith("half: order has no interval: ")]


def test_an_empty_system_has_no_order_and_no_part_of_that_name() -> None:
    lines = [f"the {k} cats sat on {k} mats today" for k in range(5)]
    found = kilter.score([""] * 5, lines, metrics=["kilter", "order"])
    assert found.system["kilter"].parts["order"] is None
    (note,) = [each for each in found.notes if "order is missing" in each]
    assert "lines may be empty or too short" in note


def test_a_bleu_of_0_for_want_of_four_words_is_noted() -> None:
    told = "system: bleu is 0: no line has 4 words, which corpus BLEU needs, in sacreBLEU too"
    assert told in kilter.score(["a b"] * 6, ["a b"] * 6, metrics="bleu").notes
    assert told not in kilter.score(["a b c d"] * 6, ["a b c d"] * 6, metrics="bleu").notes
    assert told not in kilter.score(["e f g h"] * 6, ["a b c d"] * 6, metrics="bleu").notes
    assert told not in kilter.score([""] * 6, ["a b c d"] * 6, metrics="bleu").notes
    compared = kilter.compare(
        {"x": ["a b"] * 6, "y": ["a b c d"] * 6}, ["a b"] * 6, metrics="bleu:order=3"
    )
    assert [note for note in compared.notes if "is 0" in note] == [
        "x: bleu:order=3 is 0: no line has 3 words, which corpus BLEU needs, in sacreBLEU too"
    ]
