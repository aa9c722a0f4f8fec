"""Pairs of segments of earlier runs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.core.corpus import row_offsets
from kilter.core.links import LinkBatch
from kilter.core.taught_pairs import TaughtPairs

WORDS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4)


@st.composite
def pairs(draw: st.DrawFn) -> TaughtPairs:
    segments = draw(st.lists(st.tuples(WORDS, WORDS), max_size=4))
    links = [
        list(enumerate(draw(st.permutations(range(min(len(one), len(other)))))))
        for one, other in segments
    ]
    first, second = (flat([segment[side] for segment in segments]) for side in range(2))
    return TaughtPairs(*first, *second, LinkBatch.of(links))


def flat(segments: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the words of all segments, and where each begins."""
    words = [word for segment in segments for word in segment]
    sizes = np.array([len(segment) for segment in segments], dtype=np.int64)
    return np.array(words, dtype=np.int64), row_offsets(sizes)


@given(pairs())
def test_pairs_are_the_same_after_they_were_kept(taught: TaughtPairs) -> None:
    found = TaughtPairs.of_rows(*taught.rows())
    assert len(found) == len(taught)
    for name in ("first", "first_offsets", "second", "second_offsets"):
        assert getattr(found, name).tolist() == getattr(taught, name).tolist()
    assert [found.links.segment(k) for k in range(len(found))] == [
        taught.links.segment(k) for k in range(len(taught))
    ]
