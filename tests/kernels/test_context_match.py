"""The context matching of RIBES against its definition word by word."""

from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from tests.oracles import match as oracle
from tests.oracles.match import Links

Text = list[list[int]]
PAIRS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 3), max_size=14),
        st.lists(st.integers(0, 3), max_size=14),
    ),
    max_size=6,
)


def context_match(first: Text, second: Text, jobs: int = 1) -> tuple[list[Links], list[int]]:
    links, offsets, rising = _core.match_by_context(
        np.array([*chain(*first)], dtype=np.int32),
        np.cumsum([0, *map(len, first)], dtype=np.int64),
        np.array([*chain(*second)], dtype=np.int32),
        np.cumsum([0, *map(len, second)], dtype=np.int64),
        jobs,
    )
    parts = [links[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    return [[(row, col) for row, col in part] for part in parts], rising.tolist()


@given(PAIRS, st.integers(1, 3))
def test_links_and_rising_pairs_follow_the_definition(
    pairs: list[tuple[list[int], list[int]]], jobs: int
) -> None:
    links, rising = context_match([p[0] for p in pairs], [p[1] for p in pairs], jobs)
    words = [[[*map(str, side)] for side in pair] for pair in pairs]
    expected = [oracle.context_links(first, second) for first, second in words]
    assert links == expected
    assert rising == [
        sum(a < b for k, (_, a) in enumerate(part) for _, b in part[k + 1 :]) for part in expected
    ]


@pytest.mark.parametrize(
    ("first", "second", "links"),
    [
        ("a b c", "c b a", [(0, 2), (1, 1), (2, 0)]),
        # The left context is tried before the right one.
        ("x a b a y", "x a y", [(0, 0), (1, 1), (3, 1), (4, 2)]),
        ("a a", "a", []),
        ("x a a", "x a", [(0, 0), (1, 1)]),
        ("a b a c a", "a c a b a", [(0, 2), (1, 3), (2, 4), (3, 1), (4, 2)]),
        ("", "a", []),
    ],
)
def test_small_cases_match_as_worked_out_by_hand(first: str, second: str, links: Links) -> None:
    assert oracle.context_links(first.split(), second.split()) == links
    numbers = {word: k for k, word in enumerate(sorted({*first.split(), *second.split()}))}
    one, other = ([[numbers[word] for word in text.split()]] for text in (first, second))
    assert context_match(one, other)[0] == [links]


def test_in_a_long_repetition_only_the_whole_sentence_is_unique() -> None:
    links, _ = context_match([[0] * 3000], [[0] * 3000])
    assert links == [[(0, 0), (2999, 2999)]]
    links, _ = context_match([[0] * 3000], [[0] * 2999])
    assert links == [[]]


def test_texts_of_different_numbers_of_segments_are_refused() -> None:
    with pytest.raises(ValueError, match="equally many"):
        context_match([[0]], [[0], [1]])
