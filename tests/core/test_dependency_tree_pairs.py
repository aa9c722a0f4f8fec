"""Which parses are compared with which."""

from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn, DependencyTreePairs

ONE = DependencyTree(["w"], [-1])
counts = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=5)


@given(counts)
def test_every_parse_meets_every_parse_of_the_other_side(sizes: list[tuple[int, int]]) -> None:
    first, second = (
        DependencyTreeColumn.of([[ONE] * size[side] for size in sizes]) for side in (0, 1)
    )
    pairs = DependencyTreePairs.of(first, second)
    expected, left, right = [], 0, 0
    for segment, (one, other) in enumerate(sizes):
        listed = product(range(left, left + one), range(right, right + other))
        expected += [(a, b, segment) for a, b in listed]
        left, right = left + one, right + other
    arrays = pairs.firsts.tolist(), pairs.seconds.tolist(), pairs.segments.tolist()
    assert list(zip(*arrays, strict=True)) == expected
    assert pairs.starts.tolist() == np.cumsum([0, *(a * b for a, b in sizes)]).tolist()
    alone = DependencyTreePairs.single(second)
    assert alone.seconds.tolist() == list(range(second.trees))
    assert [alone.segments.tolist().count(s) for s in range(len(sizes))] == [b for _, b in sizes]


@given(counts, st.randoms(use_true_random=False))
def test_the_best_of_a_segments_pairs_counts(sizes: list[tuple[int, int]], chance: Random) -> None:
    first, second = (
        DependencyTreeColumn.of([[ONE] * size[side] for size in sizes]) for side in (0, 1)
    )
    pairs = DependencyTreePairs.of(first, second)
    scores = np.array([chance.random() for _ in pairs.segments])
    expected = [max(scores[pairs.segments == segment]) for segment in range(len(sizes))]
    assert pairs.best(scores).tolist() == expected
