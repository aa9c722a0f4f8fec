"""MAX|Op|: the longest operator, against the oracle."""

import pytest

from kilter import Permutation
from kilter.metrics.max_op import MaxOp, max_op
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.max_op(pi) for pi in SMALL]
    assert [max_op(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert MaxOp().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize(
    ("pi", "score"), [([2, 4, 1, 3], 0.0), ([6, 2, 4, 1, 5, 3], 1 / 4), ([4, 3, 2, 1], 1.0)]
)
def test_values_for_reference(pi: list[int], score: float) -> None:
    assert max_op(Permutation.from_one_based(pi)) == close(score)
