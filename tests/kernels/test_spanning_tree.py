"""The best tree of arc scores is what trying all trees finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kilter import _core
from tests.oracles import spanning_tree as oracle

WHOLE = st.integers(-4, 4).map(float)
ANY = st.one_of(WHOLE, st.sampled_from([np.inf, -np.inf]))


def decoded(*tables: oracle.Scores) -> list[tuple[int, ...]]:
    flat = [score for table in tables for row in table for score in row]
    lengths = np.array([len(table) for table in tables], dtype=np.int64)
    heads = _core.spanning_trees(np.array(flat, dtype=np.float64), lengths).tolist()
    ends = np.cumsum(lengths).tolist()
    return [tuple(heads[end - len(table) : end]) for table, end in zip(tables, ends, strict=True)]


@st.composite
def tables(draw: st.DrawFn, scores: st.SearchStrategy[float], most: int = 5) -> oracle.Scores:
    words = draw(st.integers(1, most))
    row = st.lists(scores, min_size=words + 1, max_size=words + 1)
    return draw(st.lists(row, min_size=words, max_size=words))


# Whole numbers tie often and add up without rounding.
@given(tables(WHOLE))
def test_the_tree_is_as_good_as_the_best_of_all_trees(table: oracle.Scores) -> None:
    (heads,) = decoded(table)
    assert oracle.is_tree(heads)
    assert oracle.total(table, heads) == oracle.best_total(table)


@given(tables(ANY))
def test_infinite_scores_force_and_forbid_arcs(table: oracle.Scores) -> None:
    (heads,) = decoded(table)
    assert oracle.is_tree(heads)
    assert oracle.total(table, heads) == oracle.best_total(table)


@given(tables(st.floats(-1e300, 1e300), most=12))
def test_any_finite_scores_give_a_tree(table: oracle.Scores) -> None:
    (heads,) = decoded(table)
    assert oracle.is_tree(heads)


@given(st.lists(tables(WHOLE), max_size=6))
def test_a_batch_is_its_sentences_one_by_one(batch: list[oracle.Scores]) -> None:
    assert decoded(*batch) == [decoded(table)[0] for table in batch]


@given(arrays.arrays(np.float64, (40, 41), elements=WHOLE))
def test_long_sentences_with_many_ties_are_trees_and_always_the_same(
    table: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    (heads,) = decoded(table.tolist())
    assert oracle.is_tree(heads)
    assert decoded(table.tolist()) == [heads]


def test_two_words_that_want_one_another_get_the_better_way_out() -> None:
    assert decoded([[1.0, 0.0, 9.0], [2.0, 9.0, 0.0]]) == [(1, -1)]


def test_one_word_is_the_root_however_bad_that_is() -> None:
    assert decoded([[-np.inf, 5.0]]) == [(-1,)]


def test_no_second_word_hangs_from_the_root_however_good_that_is() -> None:
    assert decoded([[1e12, 0.0, 0.0], [1e12 + 1, 0.0, 0.0]]) == [(1, -1)]


def test_nothing_gives_nothing() -> None:
    assert decoded() == []


def test_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="score 1 is not a number"):
        decoded([[1.0, np.nan]])


def test_tables_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="n words has n"):
        _core.spanning_trees(np.zeros(5), np.array([2]))
    with pytest.raises(ValueError, match=r"lengths\[0\] is -1"):
        _core.spanning_trees(np.zeros(0), np.array([-1]))
