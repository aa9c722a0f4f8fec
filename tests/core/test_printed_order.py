"""Reordered sentences as files give them."""

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.core.reordering import PrintedOrder, Reordering, group_numbers


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
