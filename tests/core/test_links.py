"""Arrays of links: what is no such array is refused with words of ours, whatever it is."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.lint import lint
from kilter.core.errors import InputError, SeveralLinksError
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


# Links of many segments: which words share links.


Drawn = tuple[int, int, list[tuple[int, int]]]


def shares(links: list[tuple[int, int]]) -> bool:
    """Return whether a word of either side has two links."""
    return any(max(Counter(words).values()) > 1 for words in zip(*links, strict=True))


@given(st.lists(link_sets(), max_size=5))
def test_segments_with_shared_words_are_found(drawn: list[Drawn]) -> None:
    batch = LinkBatch.of([links for _, _, links in drawn])
    expected = [place for place, (_, _, links) in enumerate(drawn) if shares(links)]
    assert batch.shared_segments().tolist() == expected
    if not expected:
        batch.check_one_to_one()
        return
    with pytest.raises(SeveralLinksError, match=f"^segment {expected[0] + 1}: word "):
        batch.check_one_to_one()


@pytest.mark.parametrize(
    ("links", "base", "expected"),
    [
        (
            [(0, 0), (0, 3)],
            0,
            "word 0 of the u is linked with words 0 and 3 of the v, counted from 0",
        ),
        (
            [(1, 2), (4, 2)],
            0,
            "word 2 of the v is linked with words 1 and 4 of the u, counted from 0",
        ),
        (
            [(0, 1), (1, 1), (2, 0), (2, 3), (2, 4)],
            1,
            "word 3 of the u is linked with words 1, 4 and 5 of the v, counted from 1",
        ),
    ],
)
def test_a_shared_word_is_named_with_its_partners(
    links: list[tuple[int, int]], base: int, expected: str
) -> None:
    plain = LinkBatch.of([[], links])
    batch = LinkBatch(plain.links, plain.offsets, origin=LinkOrigin("x", ("u", "v"), base))
    assert batch.shared_word(1) == expected
    with pytest.raises(SeveralLinksError) as caught:
        batch.permutations()
    assert (caught.value.fault, caught.value.where) == (expected, "x, segment 2")
    assert str(caught.value).startswith(
        f"x, segment 2: {expected}, and one-to-one links are needed; "
    )


def test_one_to_one_links_share_no_word() -> None:
    batch = LinkBatch.of([[(0, 1), (1, 0)], []])
    assert batch.shared_segments().tolist() == []
    with pytest.raises(ValueError, match="one-to-one"):
        batch.shared_word(0)


@pytest.mark.parametrize(
    "link", [(0.5, 1), (0,), (0, 1, 2), "01", 3, (None, 0), (0, 2**40), (-(2**70), 0)]
)
def test_what_is_no_pair_of_positions_is_refused(link: Any) -> None:
    with pytest.raises(InputError, match="is not a link; a link is a pair of positions"):
        LinkBatch.of([[(0, 0), link]])


def test_positions_may_be_numpy_numbers() -> None:
    link: Any = (np.int64(1), np.int32(0))
    assert LinkBatch.of([[link]]).segment(0) == [(1, 0)]


@pytest.mark.parametrize("segments", [3, None, [3], [[(0, 0)], None], {"a": [(0, 0)]}, [{0: 1}]])
def test_what_is_no_list_of_lists_of_links_is_refused(segments: Any) -> None:
    with pytest.raises(
        InputError, match=r"links are .*; they must be .*, such as \[\[\(0, 1\)\], \[\]\]$"
    ):
        LinkBatch.of(segments)


def test_a_negative_position_is_named_with_its_segment() -> None:
    with pytest.raises(
        InputError, match=r"^segment 2: link -1-0 has a negative position; positions "
    ):
        LinkBatch.of([[], [(-1, 0)]])


def graded(*values: float) -> LinkBatch:
    links = np.array([[0, 2], [1, 0], [0, 0]], dtype=np.int32)
    return LinkBatch(links, np.array([0, 2, 3]), certainty=np.array(values))


def test_a_certainty_stays_with_its_link() -> None:
    batch = graded(0.5, 1.0, 0.25)
    assert batch.certainty is not None
    turned = batch.swapped()
    assert turned.segment(0) == [(0, 1), (2, 0)]
    assert turned.certainty is not None
    assert turned.certainty.tolist() == [1.0, 0.5, 0.25]
    alone = batch.only(1)
    assert alone.segment(0) == [(0, 0)]
    assert alone.certainty is not None
    assert alone.certainty.tolist() == [0.25]
    assert LinkBatch.of([[(0, 0)]]).certainty is None
    assert LinkBatch.of([[(0, 0)]]).only(0).certainty is None


def test_one_segment_keeps_that_its_search_was_bounded() -> None:
    batch = LinkBatch(np.zeros((0, 2), dtype=np.int32), np.zeros(3, dtype=np.int64), (1,))
    assert (batch.only(0).bounded, batch.only(1).bounded) == ((), (0,))


@pytest.mark.parametrize(
    "values", [(0.5, 1.0), (0.5, 0.0, 1.0), (0.5, 1.5, 1.0), (0.5, np.nan, 1.0)]
)
def test_a_certainty_is_a_share_for_each_link(values: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="certainty"):
        graded(*values)


# Links are named as their origin writes them.


def test_places_are_named_by_origin_and_segment() -> None:
    assert LinkOrigin("aligner hmm").where(0) == "aligner hmm, segment 1"
    assert LinkOrigin().where(4) == "segment 5"


def test_links_are_shown_from_where_their_origin_counts() -> None:
    assert LinkOrigin(base=1).outside((4, 0), (4, 9)) == (
        "link 5-1 points past the 4 words of the first sentence, counted from 1; links and texts "
        "must belong together, split into the same words"
    )
    named = LinkOrigin(sides=("source", "target")).outside((0, 1), (1, 1))
    assert named.startswith("link 0-1 points past the 1 word of the target, counted from 0;")
    assert LinkOrigin(base=1).outside((-1, 2), (4, 9)) == (
        "link 0-3 has a negative position; positions count from 1"
    )
