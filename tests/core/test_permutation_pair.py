"""Two permutations of one sentence."""

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.errors import InputError
from kilter.core.permutation import pair_score
from tests.strategies import permutations
from tests.tolerance import close

COLUMNS = ("kendall", "hamming", "spearman", "footrule")


@given(values=permutations())
def test_a_permutation_is_most_similar_to_itself(values: list[int]) -> None:
    one = Permutation.from_one_based([value + 1 for value in values])
    for column in COLUMNS:
        assert pair_score(one, one, column) == close(1.0 if values else 0.0)


def test_which_comes_first_does_not_matter() -> None:
    one, other = (Permutation.from_one_based(v) for v in ([2, 4, 1, 3, 5], [1, 5, 3, 2, 4]))
    for column in COLUMNS:
        assert pair_score(one, other, column) == pair_score(other, one, column)


def test_kendall_counts_pairs_that_both_order_alike() -> None:
    one, other = (Permutation.from_one_based(v) for v in ([1, 2, 3, 4], [2, 1, 3, 4]))
    assert pair_score(one, other, "kendall") == close(5 / 6)
    assert pair_score(one, other, "hamming") == close(2 / 4)


def test_two_sentences_are_not_compared() -> None:
    with pytest.raises(InputError, match="the same length, not 2 and 3"):
        pair_score(Permutation.identity(2), Permutation.identity(3), "kendall")
