"""Answers as scores: the conversions of section 12.7."""

import numpy as np
import pytest

from kilter.io.judgments.ranking import degree_score, rank_score
from tests.tolerance import close


@pytest.mark.parametrize(
    ("texts", "ranks", "scores"),
    [
        ("abcde", [1, 2, 3, 4, 5], [1, 0.8, 0.6, 0.4, 0.2]),
        ("abcde", [1, 1, 3, 3, 5], [1, 1, 0.6, 0.6, 0.2]),
        ("aabcd", [2, 2, 1, 3, 4], [0.75, 0.75, 1, 0.5, 0.25]),
        ("a", [1], [1]),
        ("ab", [2, 1], [0.5, 1]),
    ],
)
def test_a_rank_counts_by_how_many_different_texts_there_were(
    texts: str, ranks: list[int], scores: list[float]
) -> None:
    distinct = np.full(len(ranks), len(set(texts)))
    assert rank_score(np.array(ranks), distinct) == close(scores)


def test_the_whole_range_is_an_option() -> None:
    five = np.full(2, 5)
    assert rank_score(np.array([1, 5]), five, whole_range=True) == close([1.0, 0.0])
    assert rank_score(np.array([1]), np.array([1]), whole_range=True) == close([1.0])


@pytest.mark.parametrize(
    ("degree", "largest", "score"),
    [(1, 18, 1.0), (18, 18, 0.0), (9, 18, 9 / 17), (2, 4, 2 / 3), (1, 1, 1.0)],
)
def test_the_mildest_permutation_scores_one(degree: int, largest: int, score: float) -> None:
    assert degree_score(np.array([degree]), largest) == close([score])
