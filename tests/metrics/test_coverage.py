"""Coverage, and the controls of metrics: the same formula with the order part set to 1."""

import numpy as np

from kilter.metrics.coverage import Coverage
from kilter.metrics.metric import brevity_penalty
from kilter.run.scoring.score import score
from tests.arrays import batch
from tests.metrics.controls import IN_ORDER, MIXED, REFERENCE


def test_every_order_scores_one() -> None:
    assert Coverage().permutation_scores(batch([[0, 1, 2], [2, 0, 1], []])).tolist() == [1, 1, 0]


def test_over_text_it_is_the_brevity_penalty_of_linked_words() -> None:
    result = score({"a": IN_ORDER, "b": MIXED}, REFERENCE, metrics=["coverage"], language="en")
    linked = brevity_penalty(np.array([5, 3, 0]), np.array([7, 3, 2]))
    for system in "ab":
        assert result.segment_arrays["coverage", system].tolist() == linked.tolist()
