"""Arrays of links: what is no such array is refused with words of ours, whatever it is."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.lint import lint
from kilter.core.errors import InputError
from kilter.core.links import LinkBatch, LinkOrigin
from tests.strategies import link_sets

LINKS = np.array([[0, 0], [1, 1]], dtype=np.int32)
OFFSETS = np.array([0, 1, 2], dtype=np.int64)


@pytest.mark.parametrize(
    ("links", "fault"),
    [
        ([[0, 0], [1, 1]], "are \\[\\[0, 0\\], \\[1, 1\\]\\]; they must be an array of int32"),
        (None, "are None; they must be an array"),
        ("0-0", "are '0-0'; they must be an array"),
        (LINKS.astype(float), "are of the type float64; they must be an array of int32"),
        (np.array([[0, np.nan], [1, 1]]), "are of the type float64"),
        (LINKS.astype(bool), "are of the type bool"),
        (LINKS.astype(str), "are of the type <U"),
        (LINKS.astype(object), "are of the type object"),
        (LINKS.reshape(-1), r"have the shape \(4,\); each is a row of two positions"),
        (LINKS.reshape(1, 2, 2), r"have the shape \(1, 2, 2\)"),
        (LINKS.reshape(1, 4), r"have the shape \(1, 4\)"),
        (np.array(0), r"have the shape \(\)"),
    ],
)
def test_what_are_no_rows_of_positions_is_refused_with_what_would_be_right(
    links: Any, fault: str
) -> None:
    with pytest.raises(InputError, match=f"^the links of a batch {fault}.*LinkBatch.of makes"):
        LinkBatch(links, OFFSETS)


@pytest.mark.parametrize(
    ("offsets", "fault"),
    [
        ([0, 1, 2], r"are \[0, 1, 2\]; they must be an array of int64"),
        (OFFSETS.astype(float), "are of the type float64"),
        (np.array([0, np.nan, 2]), "are of the type float64"),
        (
            OFFSETS.reshape(1, 3),
            "they begin with 0, end with the number of links, 2, and stand in one row",
        ),
        (np.array(0), "they begin with 0"),
        (np.array([], dtype=np.int64), "they begin with 0"),
        (np.array([1, 2]), "they begin with 0"),
        (np.array([0, 1]), "end with the number of links, 2"),
        (np.array([0, 3]), "end with the number of links, 2"),
        (np.array([0, 2, 1, 2]), "fall after entry 1; they must never fall"),
        (np.array([0, -1, 2]), "fall after entry 0"),
    ],
)
def test_offsets_that_cut_no_links_are_refused(offsets: Any, fault: str) -> None:
    with pytest.raises(InputError, match=f"^the offsets of a batch .*{fault}"):
        LinkBatch(LINKS, offsets)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (
            [[0, 0], [1, 1], [1, 0]],
            "link 2-1 stands after a higher one; the links of a segment are",
        ),
        ([[0, 0], [1, 1], [0, 1]], "link 1-2 stands after a higher one"),
        ([[0, 0], [1, 1], [1, 1]], "link 2-2 is there twice; the links of a segment are distinct"),
        ([[0, 0], [-1, 1], [1, 1]], "link 0-2 has a negative position; positions count from 1"),
    ],
)
def test_links_out_of_order_are_named_with_their_place(rows: list[list[int]], fault: str) -> None:
    origin = LinkOrigin("hand", base=1)
    with pytest.raises(InputError, match=f"^hand, segment 2: {fault}"):
        LinkBatch(np.array(rows), np.array([0, 1, 3]), origin=origin)


@pytest.mark.parametrize("position", [2**31, 2**40, -(2**31), -(2**40)])
def test_positions_that_kernels_cannot_number_are_refused(position: int) -> None:
    with pytest.raises(InputError, match=f"^position {position} of a link is "):
        LinkBatch(np.array([[0, position]]), np.array([0, 1]))


@given(st.lists(link_sets(), max_size=5), st.sampled_from(["u1", "i8", ">i4"]))
def test_what_holds_the_same_whole_numbers_makes_the_same_batch(
    drawn: list[tuple[int, int, list[tuple[int, int]]]], kind: str
) -> None:
    plain = LinkBatch.of([links for _, _, links in drawn])
    other = LinkBatch(np.asfortranarray(plain.links.astype(kind)), plain.offsets.astype("i4"))
    assert [other.segment(place) for place in range(len(other))] == [
        sorted(links) for _, _, links in drawn
    ]
    assert other.links.dtype == np.int32
    assert other.offsets.dtype == np.int64
    assert other.links.flags.c_contiguous


def test_segments_without_links_border_on_anything() -> None:
    batch = LinkBatch(np.array([[3, 3], [0, 0]]), np.array([0, 0, 1, 1, 1, 2, 2]))
    assert [batch.segment(place) for place in range(6)] == [[], [(3, 3)], [], [], [(0, 0)], []]


def test_the_linter_is_never_given_links_that_are_none() -> None:
    words = [["a", "b"]]
    with pytest.raises(InputError, match="are of the type float64"):
        lint(words, words, LinkBatch(np.array([[0, 0.5]]), np.array([0, 1])))
