"""Kendall score and complete match with tied words."""

import numpy as np
import pytest

from kilter.core.reordering import OrderMatch
from kilter.metrics.tied_order import TiedComplete, TiedKendall
from tests.tolerance import close


def match(*segments: list[int]) -> OrderMatch:
    """Return words by the number of their group in the reference."""
    offsets = np.cumsum([0, *map(len, segments)])
    return OrderMatch(np.array([g for s in segments for g in s], dtype=np.int32), offsets)


@pytest.mark.parametrize(
    ("groups", "kendall", "complete"),
    [
        ([0, 1, 2], 1.0, 1.0),
        ([2, 1, 0], 0.0, 0.0),
        ([0, 2, 1], 2 / 3, 0.0),
        ([1, 0, 0], 1 / 3, 0.0),  # tied words are in no wrong order
        ([0, 0, 0], 1.0, 1.0),
        ([0], 1.0, 1.0),  # one word leaves nothing that could be wrong
    ],
)
def test_pairs_in_the_wrong_order_count(groups: list[int], kendall: float, complete: float) -> None:
    assert TiedKendall().match_scores(match(groups)).tolist() == close([kendall])
    assert TiedComplete().match_scores(match(groups)).tolist() == [complete]
