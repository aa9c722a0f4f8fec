"""SenScore and the system score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import OptionError
from kilter.metrics.sen import Sen, sen
from tests.golden import Case, cases
from tests.metrics.interpolated import ORDERS, ordering, pieces
from tests.oracles import lexical as oracle
from tests.texts import evaluation, one_to_one_links, sentences


@pytest.mark.parametrize(
    "case", [c for c in cases("lexical") if c["kind"] == "interpolated"], ids=str
)
def test_golden_sentences(case: Case) -> None:
    hypothesis, reference, links = pieces(case)
    found = sen(hypothesis, reference, links=links, order=case["ordering"], alpha=case["alpha"])
    assert found == pytest.approx(case["sen_score"], abs=1e-9)


@pytest.mark.parametrize("case", [c for c in cases("lexical") if c["kind"] == "system"], ids=str)
def test_golden_systems(case: Case) -> None:
    rows = np.array([[length * score, length] for length, score in case["rows"]], dtype=float)
    found = Sen().corpus_score(rows.reshape(-1, 2).sum(axis=0))
    assert found == pytest.approx(case["value"], abs=1e-9)


@given(st.data(), sentences(max_size=7), st.lists(sentences(max_size=7), min_size=2, max_size=2))
def test_the_best_reference_counts_with_its_length_as_weight(
    data: st.DataObject, words: list[str], others: list[list[str]]
) -> None:
    links = [data.draw(one_to_one_links(len(words), len(other))) for other in others]
    name = data.draw(st.sampled_from(ORDERS))
    whole = evaluation([words], *([other] for other in others), links=[[each] for each in links])
    scored = [
        (
            0.3 * oracle.f1(words, other)
            + 0.7 * oracle.brevity(len(each), len(other)) * ordering(name, each),
            len(other),
        )
        for each, other in zip(links, others, strict=True)
    ]
    metric = Sen(order=name, alpha=0.3)
    best = max(score for score, _ in scored)
    assert metric.measure(whole).scores[0] == pytest.approx(best)
    weighted, length = metric.measure(whole).statistics[0].tolist()
    assert weighted == pytest.approx(best * length)
    assert length in [each for score, each in scored if score == pytest.approx(best)]


def test_a_long_segment_weighs_more() -> None:
    long = ["a", "b", "c", "d"]
    whole = evaluation([long, ["x"]], [long, ["y"]], links=[[[(i, i) for i in range(4)], []]])
    metric = Sen()
    assert metric.corpus_score(metric.measure(whole).statistics.sum(axis=0)) == 4 / 5


def test_empty_sides_score_zero() -> None:
    assert sen([], ["a"], links=[]) == sen(["a"], [], links=[]) == sen([], [], links=[]) == 0.0
    assert Sen().corpus_score(np.zeros(2)) == 0.0


def test_the_penalty_cannot_be_taken_from_the_order_part() -> None:
    with pytest.raises(OptionError, match="the brevity penalty belongs to sen"):
        Sen(order="kendall:penalty=false")


@pytest.mark.parametrize("lengths", [(1, 9), (9, 1), (4, 4, 2), (2, 9, 1)])
def test_the_first_of_tied_references_supplies_the_length(lengths: tuple[int, ...]) -> None:
    # The second segment has no word in common with any of its references: all of them score 0.
    right = ["a", "b", "c", "d"]
    straight = [(place, place) for place in range(4)]
    whole = evaluation(
        [right, ["x", "x"]],
        *([right, ["y"] * length] for length in lengths),
        links=[[straight, []] for _ in lengths],
    )
    metric = Sen()
    assert metric.measure(whole).statistics.tolist() == [[4.0, 4.0], [0.0, float(lengths[0])]]
    found = metric.corpus_score(metric.measure(whole).statistics.sum(axis=0))
    assert found == pytest.approx(4 / (4 + lengths[0]))
