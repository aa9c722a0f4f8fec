"""Links of many segments: which words share links."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, SeveralLinksError
from kilter.core.links import LinkBatch, LinkOrigin
from tests.strategies import link_sets

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
    with pytest.raises(InputError, match="is no link; a link is a pair of positions"):
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
