"""Pairs in order, against the oracle and [LR]."""

import pytest

from kilter import Permutation
from kilter.metrics.kendall import Kendall, kendall
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.kendall(pi) for pi in SMALL]
    assert [kendall(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Kendall().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


def test_the_root_is_taken_of_the_distance() -> None:
    found = Kendall(root=True).permutation_scores(batch(map(zero_based, SMALL)))
    assert found == close([oracle.kendall_sqrt(pi) for pi in SMALL])


@pytest.mark.parametrize(
    ("pi", "score"),
    [
        (range(1, 11), 1.0),
        ([1, 2, 3, 4, 6, 5, 7, 8, 9, 10], 44 / 45),
        ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], 20 / 45),
        ([2, 3, 4, 5, 6, 7, 8, 9, 10, 1], 36 / 45),
    ],
)
def test_table_1_against_the_identity(pi: list[int], score: float) -> None:
    permutation = Permutation.from_one_based(pi)
    assert kendall(permutation, Permutation.identity(10)) == kendall(permutation) == close(score)


def test_the_because_sentence_loses_most_of_its_pairs() -> None:
    assert kendall(Permutation.from_one_based([5, 6, 7, 8, 4, 1, 2, 3])) == close(9 / 28)


def test_two_permutations_need_one_length() -> None:
    with pytest.raises(ValueError, match="same length, not 2 and 3"):
        kendall(Permutation.identity(2), Permutation.identity(3))
