"""|PET|: the number of nodes, against the oracle."""

import pytest

from kilter import Permutation
from kilter.metrics.pet_size import PetSize, pet_size
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.pet_size(pi) for pi in SMALL]
    assert [pet_size(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert PetSize().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize(("length", "score"), [(0, 0.0), (1, 1.0), (2, 1.0), (3, 1.0), (70, 1.0)])
def test_a_reversal_factorizes_fully(length: int, score: float) -> None:
    assert pet_size(Permutation.reversal(length)) == score


def test_a_primal_order_has_one_node() -> None:
    assert pet_size(Permutation.from_one_based([2, 4, 1, 3])) == 0.0
    assert pet_size(Permutation.from_one_based([5, 7, 4, 6, 3, 1, 2])) == close(3 / 5)
