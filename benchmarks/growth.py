"""Growth with length: nanoseconds per word of the tree and of all scores, to a million words."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.shapes import SHAPES
from benchmarks.timing import best_seconds
from kilter import Permutation, _core

SHORT, LONG = 10_000, 1_000_000


def run() -> None:
    print(
        "nanoseconds per word, one core      tree at 10^4, 10^6 (ratio)   all scores at 10^4, 10^6 (ratio)"
    )
    for name, shape in SHAPES.items():
        random = np.random.default_rng(1)
        _check(shape(500, random))
        costs: list[tuple[float, float]] = []
        for length, rounds in ((SHORT, 40), (LONG, 8)):
            values = shape(length, random)
            offsets = np.array([0, length], dtype=np.int64)
            tree = best_seconds(partial(_core.tree, values), rounds=rounds)
            score = partial(_core.score, values, offsets, beta=0.6, gamma=0.0, empty=0.0, jobs=1)
            scores = best_seconds(partial(score, right_branching=False), rounds=rounds)
            costs.append((tree / length * 1e9, scores / length * 1e9))
        (tree_short, score_short), (tree_long, score_long) = costs
        print(
            f"  {name:32}{tree_short:8.0f} {tree_long:8.0f}  ({tree_long / tree_short:4.2f})"
            f"     {score_short:8.0f} {score_long:8.0f}  ({score_long / score_short:4.2f})"
        )


def _check(values: np.ndarray) -> None:
    """Assert that every node of the tree covers an interval of values and every word is a leaf."""
    tree = Permutation(values).tree()
    assert [node.low for node in tree.nodes() if not node.children] == values.tolist()
    for node in tree.nodes():
        inside = values[node.start : node.end]
        assert inside.min() == node.low
        assert inside.max() - inside.min() == node.end - node.start - 1
