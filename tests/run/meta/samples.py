"""Small studies for tests: systems, scores and judgments from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from kilter.core.judgments import JudgedPairs, Judgments
from kilter.run.meta.scored_metric import ScoredMetric

if TYPE_CHECKING:
    from tests.oracles import meta as oracle


SYSTEMS = ("A", "B", "C", "D", "E")
GRID = st.integers(0, 8).map(lambda step: step / 8)
RANKED_PAIRS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), GRID, GRID), max_size=30)
"""The ranks that people gave to two translations, and the scores that a metric gave."""


def judged(
    rows: list[tuple[int, int, int, int, int]], systems: tuple[str, ...] = SYSTEMS
) -> Judgments:
    """Return judgments from (segment, first, second, outcome, task)."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    pairs = JudgedPairs(
        segment=columns[0],
        first=columns[1],
        second=columns[2],
        outcome=columns[3].astype(np.int8),
        task=columns[4],
        line=np.arange(len(rows)),
    )
    return Judgments(source="made", systems=systems, pairs=pairs, counts={"pairs": len(rows)})


def ranked(pairs: list[oracle.Pair]) -> tuple[JudgedPairs, np.ndarray]:
    """Return one segment a pair, with the metric's scores of two systems."""
    rows = [(place, 0, 1, int(np.sign(b - a)), place) for place, (a, b, _, _) in enumerate(pairs)]
    scores = np.array([[pair[2] for pair in pairs], [pair[3] for pair in pairs]], dtype=np.float64)
    return judged(rows, ("A", "B")).pairs, scores.reshape(2, len(pairs))


def random_judgments(seed: int, *, segments: int = 12, tasks: int = 25) -> Judgments:
    """Return judgments from tasks that rank three systems."""
    chance = np.random.default_rng(seed)
    rows = []
    for task in range(tasks):
        segment = int(chance.integers(segments))
        chosen = chance.choice(len(SYSTEMS), size=3, replace=False).tolist()
        ranks = chance.integers(1, 4, size=3).tolist()
        for a in range(3):
            for b in range(a + 1, 3):
                outcome = int(np.sign(ranks[b] - ranks[a]))
                rows.append((segment, chosen[a], chosen[b], outcome, task))
    return judged(rows)


def random_metric(name: str, seed: int, *, segments: int = 12, steps: int = 5) -> ScoredMetric:
    """Return a metric with few different scores, so that there are ties."""
    chance = np.random.default_rng(seed)
    return ScoredMetric.external(name, chance.integers(0, steps, (len(SYSTEMS), segments)) / steps)
