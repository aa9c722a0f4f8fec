"""Statistics and scores of segments."""

import numpy as np

from kilter.results.measure import Measure


def test_the_statistics_of_a_mean_are_the_score_and_one() -> None:
    found = Measure.mean(np.array([0.25, 1.0]))
    assert found.scores.tolist() == [0.25, 1.0]
    assert found.statistics.tolist() == [[0.25, 1.0], [1.0, 1.0]]
    assert len(found) == 2


def test_the_best_reference_of_each_segment_counts() -> None:
    found = Measure.best([np.array([0.25, 1.0]), np.array([0.5, 0.0])])
    assert found.scores.tolist() == [0.5, 1.0]
    assert found.statistics.tolist() == Measure.mean(found.scores).statistics.tolist()
