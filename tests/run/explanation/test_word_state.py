"""States of words without link."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.links import LinkBatch
from kilter.results.explanation import WordState
from kilter.run.explanation.word_accuracy import word_states

Pairs = list[tuple[int, int]]


def expected(links: Pairs, side: int, lengths: tuple[int, int]) -> list[WordState]:
    """Return the states of one side by their definition, word by word."""
    own = [(link[side], link[1 - side]) for link in links]
    others = {link[1 - side] for link in links}
    lacking = WordState.MISSING if side else WordState.ADDED
    states = []
    for word in range(lengths[side]):
        if any(word == first for first, _ in own):
            states.append(WordState.LINKED)
            continue
        left = max((first for first, _ in own if first < word), default=None)
        right = min((first for first, _ in own if first > word), default=None)
        behind = -1 if left is None else max(other for first, other in own if first == left)
        length = lengths[1 - side]
        ahead = length if right is None else min(other for first, other in own if first == right)
        places = {behind + 1, ahead - 1}
        faces = any(0 <= place < length and place not in others for place in places)
        states.append(WordState.UNLINKED if faces else lacking)
    return states


@st.composite
def segments(draw: st.DrawFn) -> tuple[tuple[int, int], set[tuple[int, int]]]:
    """Draw the lengths of two sentences and links between them."""
    sizes = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    if not min(sizes):
        return sizes, set()
    pairs = st.tuples(st.integers(0, sizes[0] - 1), st.integers(0, sizes[1] - 1))
    return sizes, draw(st.sets(pairs, max_size=5))


@given(st.lists(segments(), max_size=4))
def test_a_word_without_link_faces_another_beside_the_same_linked_word(
    drawn: list[tuple[tuple[int, int], set[tuple[int, int]]]],
) -> None:
    links = LinkBatch.of([pairs for _, pairs in drawn])
    first, second = (np.array([sizes[side] for sizes, _ in drawn], np.int64) for side in (0, 1))
    hypothesis, reference, offsets = word_states(links, first, second)
    for side, found in enumerate((hypothesis, reference)):
        states = [state for sizes, pairs in drawn for state in expected(sorted(pairs), side, sizes)]
        assert found.tolist() == states
    assert offsets.tolist() == np.concatenate([[0], np.cumsum(second)]).tolist()
