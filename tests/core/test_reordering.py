"""Words in target order, tied ones together."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from kilter.core.corpus import TokenColumn
from kilter.core.errors import InputError
from kilter.core.reordering import (
    Mismatch,
    OrderMatch,
    PrintedOrder,
    Reordering,
    TiedSpans,
    group_numbers,
    mismatch,
)
from tests.strategies import tied_orders

# Two segments: words 2 and 0 are tied before word 1; one word alone.
MADE = Reordering(
    order=np.array([0, 2, 1, 0], dtype=np.int32),
    group=np.array([0, 0, 1, 0], dtype=np.int32),
    places=np.array([0, 2, 1, 0], dtype=np.int32),
    offsets=np.array([0, 3, 4]),
)


def test_tied_words_are_together() -> None:
    assert len(MADE) == 2
    assert MADE.groups(0) == [[0, 2], [1]]
    assert MADE.groups(1) == [[0]]


def test_orders_are_the_inverse_of_ranks() -> None:
    made = Reordering(
        order=np.array([1, 2, 0], dtype=np.int32),
        group=np.arange(3, dtype=np.int32),
        places=np.array([2, 0, 1], dtype=np.int32),
        offsets=np.array([0, 3]),
    )
    assert made.ranks().values.tolist() == [2, 0, 1]
    assert made.orders().values.tolist() == [1, 2, 0]


# Orders of a system beside a reference with ties, against plain loops.


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


# Reordered sentences as files give them.


def made() -> PrintedOrder:
    reordering = Reordering(
        order=np.array([2, 0, 1, 0], dtype=np.int32),
        group=np.array([0, 1, 1, 0], dtype=np.int32),
        places=np.array([1, 2, 0, 0], dtype=np.int32),
        offsets=np.array([0, 3, 4]),
    )
    return PrintedOrder.of("out.txt", reordering, [["a", "b", "c"], ["d"]])


def test_words_stand_in_their_new_order_and_know_their_source() -> None:
    order = made()
    assert order.words == (("c", "a", "b"), ("d",))
    assert order.sources == (("a", "b", "c"), ("d",))
    assert (order.positions(0), order.groups(0)) == ([2, 0, 1], [[2], [0, 1]])
    assert order.is_tied
    assert not order.repeated(np.array([0, 1])).is_tied


def test_segments_are_repeated_as_often_as_asked() -> None:
    twice = made().repeated(np.array([2, 1]))
    assert twice.words == (("c", "a", "b"), ("c", "a", "b"), ("d",))
    assert twice.offsets.tolist() == [0, 3, 6, 7]
    assert [twice.groups(s) for s in range(3)] == [[[2], [0, 1]], [[2], [0, 1]], [[0]]]


def test_another_source_is_named_at_its_line() -> None:
    made().check_source([["a", "b", "c"], ["d"]], str)
    with pytest.raises(InputError, match=r"out.txt:2: the source words are not those of trees:1"):
        made().check_source([["a", "b", "c"], ["e"]], lambda segment: f"trees:{segment}")


def test_a_file_of_words_has_no_positions() -> None:
    group, offsets = group_numbers([[1, 1]])
    words = PrintedOrder("words.txt", group, offsets, words=(("b", "a"),))
    with pytest.raises(InputError, match=r"words.txt: gives words, not their positions"):
        words.positions(0)
