"""Words in their own place, against the oracle and [LR]."""

import pytest

from kilter import Permutation
from kilter.metrics.hamming import Hamming, hamming
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.hamming(pi) for pi in SMALL]
    assert [hamming(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Hamming().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


def test_the_middle_word_of_an_odd_reversal_has_not_moved() -> None:
    assert hamming(Permutation.reversal(5)) == 0.2


@pytest.mark.parametrize(
    ("pi", "printed"),
    [
        (range(1, 11), 1.0),
        ([1, 2, 3, 4, 6, 5, 7, 8, 9, 10], 0.8),
        ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], 0.0),
        ([2, 3, 4, 5, 6, 7, 8, 9, 10, 1], 0.0),
    ],
)
def test_table_1_against_the_identity(pi: list[int], printed: float) -> None:
    permutation = Permutation.from_one_based(pi)
    assert hamming(permutation, Permutation.identity(10)) == hamming(permutation) == printed


def test_two_permutations_share_equal_values() -> None:
    first, second = (Permutation.from_one_based(pi) for pi in ([1, 3, 2], [2, 3, 1]))
    assert hamming(first, second) == close(1 / 3)


def test_two_permutations_need_one_length() -> None:
    with pytest.raises(ValueError, match="same length, not 2 and 3"):
        hamming(Permutation.identity(2), Permutation.identity(3))
