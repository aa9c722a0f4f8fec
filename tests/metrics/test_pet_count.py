"""#PETs: the number of trees, against the oracle."""

import pytest

from kilter import Permutation
from kilter.metrics.pet_count import PetCount, pet_count
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.pet_count(pi) for pi in SMALL]
    assert [pet_count(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert PetCount().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize(
    ("pi", "score"),
    [
        ([4, 2, 3, 1], 1 / 4),
        ([1, 2, 3, 5, 4], 4 / 13),
        ([2, 4, 5, 6, 1, 3], 1 / 41),
        ([2, 1, 3], 0),
    ],
)
def test_values_for_reference(pi: list[int], score: float) -> None:
    assert pet_count(Permutation.from_one_based(pi)) == close(score, absolute=1e-15)


def test_a_single_tree_scores_exactly_zero_at_any_length() -> None:
    for length in (4, 40, 64, 65, 200):
        values = [value for pair in range(length // 4) for value in (1, 3, 0, 2)]
        nested = [v + 4 * (k // 4) for k, v in enumerate(values)]
        primal = Permutation([*range(1, length, 2), *range(0, length, 2)])
        assert pet_count(primal) == 0.0
        assert (pet_count(Permutation(nested)) > 0.0) == (len(nested) > 8)
