"""Word order apart from coverage and length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.pure_order import PureOrder
from kilter.metrics.word_model import WordModel
from tests.oracles import score as oracle
from tests.texts import evaluation, one_to_one_links


def found(links: list[tuple[int, int]], first: int, second: int, *, empty: float = 0.0) -> float:
    whole = evaluation([["a"] * first], [["a"] * second], links=[[links]])
    order = PureOrder.of(whole, 0, encoder=WordModel.NONE, empty=empty)
    return float(order.scores[0])


@given(st.data(), st.integers(0, 9), st.integers(1, 9))
def test_the_order_of_links_is_that_of_plain_loops(data: st.DataObject, one: int, two: int) -> None:
    links = data.draw(one_to_one_links(one, two))
    assert found(links, one, two) == pytest.approx(oracle.order(links, two))


@given(st.integers(1, 12), st.integers(0, 12))
def test_words_in_order_score_one_whatever_is_missing(linked: int, missing: int) -> None:
    links = [(place, place) for place in range(linked)]
    assert found(links, linked, linked + missing) == 1.0


def test_the_same_disorder_costs_less_where_less_is_linked() -> None:
    links = [(0, 1), (1, 0), (2, 2)]
    assert found(links, 3, 3) < found(links, 3, 6) < found(links, 3, 12) < 1.0


def test_the_worked_example_of_the_specification_has_its_number() -> None:
    links = [(place, second - 1) for place, second in enumerate([1, 6, 3, 4, 5, 2])]
    assert found(links, 6, 6) == pytest.approx(0.0793, abs=5e-5)
    assert found(links, 6, 12) == pytest.approx(0.5784, abs=5e-5)


def test_nothing_linked_scores_empty_and_is_no_evidence() -> None:
    assert found([], 3, 3, empty=0.25) == 0.25
    whole = evaluation([["a", "b"]] * 3, [["a", "b"]] * 3, links=[[[], [(0, 0)], [(0, 0), (1, 1)]]])
    order = PureOrder.of(whole, 0, encoder=WordModel.NONE, empty=0.0)
    assert order.evidence.tolist() == [False, False, True]


@given(st.lists(st.tuples(st.lists(st.sampled_from("abcd"), max_size=6),
                          st.lists(st.sampled_from("abcd"), max_size=6)), min_size=1, max_size=3))  # fmt: skip
def test_soft_links_are_ordered_by_their_mass(pairs: list[tuple[list[str], list[str]]]) -> None:
    whole = evaluation([one for one, _ in pairs], [two for _, two in pairs])
    order = PureOrder.of(whole, 0, encoder=WordModel.EN, empty=0.0)
    options = WordModel.EN.meaning_options()
    assert options is not None
    said = whole.meaning(0, options)
    expected = [
        oracle.soft_order(concordant, discordant, linked, len(two))
        for (concordant, discordant, linked, _), (_, two) in zip(
            said.totals.tolist(), pairs, strict=True
        )
    ]
    assert order.scores.tolist() == pytest.approx(expected)


def test_a_sentence_beside_itself_is_in_order_by_soft_links_too() -> None:
    words = ["the", "mat", "sat", "on", "a", "cat"]
    whole = evaluation([words, words[::-1]], [words, words])
    straight, reversed_ = PureOrder.of(whole, 0, encoder=WordModel.EN, empty=0.0).scores
    assert straight == pytest.approx(1.0, abs=1e-3)
    assert reversed_ < np.float64(0.2)
