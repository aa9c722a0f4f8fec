"""The mean of what several people gave to one translation."""

import numpy as np

from kilter.io.judgments.segment_scores import mean_scores


def test_scores_of_one_translation_become_their_mean_at_the_first_line() -> None:
    scores = mean_scores(
        np.array([1, 0, 1, 1, 0]),
        np.array([0, 1, 0, 1, 1]),
        np.array([1.0, 0.25, 0.5, 0.0, 0.75]),
        np.array([5, 6, 7, 8, 9]),
    )
    rows = zip(
        *(x.tolist() for x in (scores.segment, scores.system, scores.value, scores.line)),
        strict=True,
    )
    assert sorted(rows) == [(0, 1, 0.5, 6), (1, 0, 0.75, 5), (1, 1, 0.0, 8)]
