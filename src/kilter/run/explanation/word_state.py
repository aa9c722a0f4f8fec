"""Words without link: added, missing, or another choice of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.token_column import row_offsets
from kilter.results.order_error import WordState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link_batch import LinkBatch

    States = NDArray[np.int8]


def word_states(
    links: LinkBatch, hypothesis: NDArray[np.int64], reference: NDArray[np.int64]
) -> tuple[States, States, NDArray[np.int64]]:
    """Return the states of all words of hypotheses and references, and where references begin.

    `hypothesis` and `reference` are numbers of words. A word without link is `unlinked` if a word of the
    other side without link stands where it would: behind the partner of its nearest linked word on the
    left, or before that of its nearest linked word on the right (sentence borders are partners).

    >>> from kilter.core.link_batch import LinkBatch
    >>> one, other, _ = word_states(LinkBatch.of([[(0, 0), (2, 2)]]), np.array([4]), np.array([3]))
    >>> [str(WordState(state)) for state in one]
    ['linked', 'unlinked', 'linked', 'added']
    >>> [str(WordState(state)) for state in other]
    ['linked', 'unlinked', 'linked']
    """
    owner = links.segments()
    offsets = [row_offsets(hypothesis), row_offsets(reference)]
    places = [offsets[side][:-1][owner] + links.links[:, side] for side in (0, 1)]
    linked = [np.zeros(int(each[-1]), dtype=bool) for each in offsets]
    for side in (0, 1):
        linked[side][places[side]] = True
    states = []
    for side, lacking in ((0, WordState.ADDED), (1, WordState.MISSING)):
        found = np.full(len(linked[side]), WordState.LINKED, dtype=np.int8)
        free, faces = _facing(linked, offsets, places, side)
        found[free] = np.where(faces, WordState.UNLINKED, lacking)
        states.append(found)
    return states[0], states[1], offsets[1]


def _facing(
    linked: list[NDArray[np.bool_]],
    offsets: list[NDArray[np.int64]],
    places: list[NDArray[np.int64]],
    side: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the words of a side without link, and whether one of the other side stands at their place."""
    own, other = linked[side], linked[1 - side]
    borders, others = offsets[side], offsets[1 - side]
    # Partners: of several the last on the way to the right, the first on the way to the left.
    behind, ahead = np.empty((2, len(own)), dtype=np.int64)
    behind[places[side]] = places[1 - side]  # links are sorted, and the last to be written stays
    ahead[places[side][::-1]] = places[1 - side][::-1]
    taken, free = np.flatnonzero(own), np.flatnonzero(~own)
    segment = np.repeat(np.arange(len(borders) - 1), np.diff(np.searchsorted(free, borders)))
    # As many words have a link before a free word as it is further on than among free words.
    place = free - np.arange(len(free))
    edges = np.concatenate([[-1], taken, [len(own)]])
    left, right = edges[place], edges[place + 1]
    next_place, last_place = others[segment], others[segment + 1] - 1
    inside = left >= borders[segment]
    next_place[inside] = behind[left[inside]] + 1
    inside = right < borders[segment + 1]
    last_place[inside] = ahead[right[inside]] - 1
    faces = _free(other, others, segment, next_place) | _free(other, others, segment, last_place)
    return free, faces


def _free(
    other: NDArray[np.bool_],
    others: NDArray[np.int64],
    segment: NDArray[np.int64],
    place: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return whether there is a word without link at these places of these segments."""
    inside = (place >= others[segment]) & (place < others[segment + 1])
    free: NDArray[np.bool_] = inside.copy()
    free[inside] = ~other[place[inside]]
    return free
