"""METEOR of 2005 and its chunking part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.metrics.meteor import Meteor, link_counts, meteor
from kilter.metrics.meteor_chunk import MeteorChunk, meteor_chunk
from kilter.metrics.registry import metric
from tests.golden import Case, cases
from tests.oracles import lexical as oracle
from tests.texts import evaluation, one_to_one_links

THESIS = [(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)]


@pytest.mark.parametrize("case", [c for c in cases("lexical") if c["kind"] == "meteor"], ids=str)
def test_golden_segments(case: Case) -> None:
    links = [(first, second) for first, second in case["links"]]
    lengths = {"hypothesis_length": case["n_sys"], "reference_length": case["n_ref"]}
    exponent = case["exponent"]
    assert meteor(links, exponent=exponent, **lengths) == pytest.approx(case["score"], abs=1e-9)
    assert meteor_chunk(links, exponent=exponent) == pytest.approx(case["chunking"], abs=1e-9)
    assert meteor(links, weight=0.0, **lengths) == pytest.approx(case["Fmean"], abs=1e-9)
    assert link_counts(LinkBatch.of([links]))[0].tolist() == [len(links), case["chunks"]]


def test_the_worked_example_of_the_thesis_with_the_cube() -> None:
    assert meteor(THESIS, hypothesis_length=7, reference_length=6) == pytest.approx(
        0.7311, abs=5e-5
    )
    assert meteor(THESIS, hypothesis_length=7, reference_length=6, exponent=1.0) == pytest.approx(
        0.5738, abs=5e-5
    )
    worked = {c["id"]: c for c in cases("worked_examples")}
    assert worked["TH-meteor-score3"]["oracle"] == pytest.approx(0.7311)
    assert 1 - meteor_chunk(THESIS) == pytest.approx(0.108)


@given(st.data())
def test_scores_are_those_of_the_definition(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=5))
    links = [data.draw(one_to_one_links(first, second)) for first, second in lengths]
    whole = evaluation(
        [["a"] * first for first, _ in lengths],
        [["b"] * second for _, second in lengths],
        links=[links],
    )
    expected = [
        oracle.meteor(each, *pair, alpha=0.8, weight=0.4, exponent=2.0)
        for each, pair in zip(links, lengths, strict=True)
    ]
    found = Meteor(alpha=0.8, weight=0.4, exponent=2.0).measure(whole).scores
    assert found.tolist() == pytest.approx(expected)
    chunking = MeteorChunk(weight=0.4, exponent=2.0).measure(whole).scores
    assert chunking.tolist() == pytest.approx(
        [oracle.chunking(each, weight=0.4, exponent=2.0) for each in links]
    )


def test_a_corpus_is_scored_on_summed_counts_or_on_average() -> None:
    links = [THESIS, [(0, 0), (1, 1)]]
    whole = evaluation([["a"] * 7, ["a"] * 2], [["a"] * 6, ["a"] * 2], links=[links])
    metric = Meteor()
    totals = metric.measure(whole).statistics.sum(axis=0)
    assert totals[:4].tolist() == [7, 4, 9, 8]
    mean = 7 / (0.9 * 8 + 0.1 * 9)
    assert metric.corpus_score(totals) == pytest.approx(mean * (1 - 0.5 * (4 / 7) ** 3))
    each = metric.measure(whole).scores
    assert Meteor(corpus="mean").corpus_score(totals) == pytest.approx(each.mean())  # type: ignore[arg-type]
    assert MeteorChunk().corpus_score(np.zeros((3, 6))).tolist() == [0.0] * 3


def test_the_best_reference_counts() -> None:
    whole = evaluation(
        [["a", "b"]], [["b", "a"]], [["a", "b"]], links=[[[(0, 1), (1, 0)]], [[(0, 0), (1, 1)]]]
    )
    best = meteor([(0, 0), (1, 1)], hypothesis_length=2, reference_length=2)
    assert Meteor().measure(whole).scores.tolist() == [best]
    assert Meteor().measure(whole).statistics[0, :4].tolist() == [2, 1, 2, 2]


def test_no_link_scores_zero() -> None:
    assert meteor([], hypothesis_length=0, reference_length=0) == 0.0
    assert meteor_chunk([]) == 0.0


def test_links_outside_the_sentence_or_of_one_word_with_two_are_refused() -> None:
    with pytest.raises(InputError, match="link 3-0 points past"):
        meteor([(3, 0)], hypothesis_length=3, reference_length=1)
    with pytest.raises(InputError, match="one-to-one"):
        meteor_chunk([(0, 0), (0, 1)])
    with pytest.raises(InputError, match="one-to-one"):
        Meteor().measure(evaluation([["a"]], [["a", "b"]], links=[[[(0, 0), (0, 1)]]]))


@pytest.mark.parametrize(("option", "high"), [("weight", 1), ("exponent", 100), ("alpha", 1)])
def test_options_lie_between_0_and_their_end(option: str, high: float) -> None:
    for right in (0, high):
        assert getattr(metric(f"meteor:{option}={right}"), option) == right
    for wrong in (-0.1, high + 0.1):
        with pytest.raises(OptionError, match=f"it must lie between 0 and {high}"):
            metric(f"meteor:{option}={wrong}")


@pytest.mark.parametrize("lengths", [(1, 9), (9, 1), (2, 9, 1)])
def test_the_first_of_tied_references_supplies_the_lengths(lengths: tuple[int, ...]) -> None:
    # The second segment has no link with any of its references: all of them score 0.
    right = ["a", "b", "c", "d"]
    straight = [(place, place) for place in range(4)]
    whole = evaluation(
        [right, ["x", "x"]],
        *([right, ["y"] * length] for length in lengths),
        links=[[straight, []] for _ in lengths],
    )
    metric = Meteor()
    assert metric.measure(whole).statistics[1, :4].tolist() == [0, 0, 2, lengths[0]]
    mean = 4 / (0.9 * (4 + lengths[0]) + 0.1 * 6)
    found = metric.corpus_score(metric.measure(whole).statistics.sum(axis=0))
    assert found == pytest.approx(mean * (1 - 0.5 * (1 / 4) ** 3))


def test_the_first_of_references_that_tie_above_zero_supplies_the_counts() -> None:
    # With alpha 0 the reference length does not show in the score of a segment, but it is summed.
    links = [[(0, 0), (1, 1)]]
    for first, second in ((3, 5), (5, 3)):
        whole = evaluation([["a", "b"]], [["a"] * first], [["a"] * second], links=[links, links])
        assert Meteor(alpha=0.0).measure(whole).statistics[0, :4].tolist() == [2, 1, 2, first]
