"""Orders of a system beside a reference with ties, against plain loops."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from kilter.core.corpus import TokenColumn
from kilter.core.reordering import Mismatch, OrderMatch, TiedSpans, mismatch
from tests.strategies import tied_orders


def column(*segments: list[int]) -> TokenColumn:
    lengths = [len(segment) for segment in segments]
    ids = np.array([word for segment in segments for word in segment], dtype=np.int32)
    return TokenColumn(ids, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def matched(system: list[int], reference: list[list[int]]) -> OrderMatch:
    group = [number for number, words in enumerate(reference) for _ in words]
    listed = [word for words in reference for word in words]
    return OrderMatch.of(column(system), column(listed), np.array(group, dtype=np.int32))


@given(made=tied_orders())
def test_wrong_pairs_are_those_of_words_in_groups_the_wrong_way_round(
    made: tuple[list[int], list[list[int]]],
) -> None:
    system, reference = made
    place = {word: number for number, words in enumerate(reference) for word in words}
    wrong = sum(place[one] > place[other] for one, other in combinations(system, 2))
    match = matched(system, reference)
    assert match.wrong_pairs().tolist() == [wrong]
    _, pairs = match.misordered()
    assert int(pairs.sum()) == 2 * wrong


@given(made=tied_orders())
def test_chunks_and_joins_make_up_the_sentence(made: tuple[list[int], list[list[int]]]) -> None:
    match = matched(*made)
    for ties in TiedSpans:
        starts, _ = match.misordered(ties=ties)
        assert match.joins(ties=ties).tolist() == [len(made[0]) - int(starts.sum())]


def test_the_first_of_equal_words_meets_the_first() -> None:
    match = matched([7, 5, 7], [[7], [7], [5]])
    assert match.groups.tolist() == [0, 2, 1]
    assert (len(match), match.lengths.tolist()) == (1, [3])


@pytest.mark.parametrize(
    ("system", "reference", "found"),
    [
        (([1, 2], [3]), ([2, 1], [3]), None),
        (([1, 2], [3]), ([2, 1], [4]), Mismatch(1, 3, 1, 0)),
        (([1], [3, 3]), ([1], [3]), Mismatch(1, 3, 2, 1)),
        (([1], [3]), ([1], [3, 4]), Mismatch(1, 4, 0, 1)),
    ],
)
def test_the_first_segment_with_other_words_is_named(
    system: tuple[list[int], ...], reference: tuple[list[int], ...], found: Mismatch | None
) -> None:
    assert mismatch(column(*system), column(*reference)) == found


def test_a_mismatch_is_told_from_its_side() -> None:
    assert (
        Mismatch(0, 1, 1, 0)
        .reason("'{{a'", "x:1")
        .endswith("is not among the words of x:1; braces of tied groups stand between blanks")
    )
    assert Mismatch(0, 1, 0, 1).reason("'a'", "x:1") == "'a', a word of x:1, is missing"
