"""Squared distances from their places, against the oracle; and the footrule."""

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.metrics.spearman import Spearman, footrule, spearman
from tests import strategies
from tests.arrays import all_up_to, batch, one_based, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.spearman(pi) for pi in SMALL]
    assert [spearman(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Spearman().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@given(strategies.permutation_pairs(0, 12))
def test_two_permutations_score_what_the_oracle_says(pair: tuple[list[int], list[int]]) -> None:
    first, second = map(Permutation, pair)
    sides = one_based(pair[0]), one_based(pair[1])
    assert spearman(first, second) == close(oracle.spearman_between(*sides))
    assert footrule(first, second) == close(oracle.footrule_between(*sides))


@pytest.mark.parametrize("length", [2, 3, 10, 65])
def test_the_reversal_scores_zero_in_both(length: int) -> None:
    reversal = Permutation.reversal(length)
    assert (spearman(reversal), footrule(reversal)) == (0.0, 0.0)
    assert (spearman(reversal, reversal), footrule(reversal, reversal)) == (1.0, 1.0)


def test_long_permutations_do_not_overflow() -> None:
    length = 3_000_000
    assert spearman(Permutation.reversal(length)) == close(0.0)
    assert footrule(Permutation.reversal(length)) == close(0.0)
