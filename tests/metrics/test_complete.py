"""Complete match, against the oracle."""

import pytest

from kilter import Permutation
from kilter.metrics.complete import Complete, complete
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.complete(pi) for pi in SMALL]
    assert [complete(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Complete().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize("length", [1, 2, 64, 65, 300])
def test_only_the_whole_order_counts(length: int) -> None:
    right, wrong = list(range(length)), [*range(1, length), 0]
    found = Complete().permutation_scores(batch([right, wrong, []])).tolist()
    assert found == [1.0, float(length == 1), 0.0]
    assert complete(Permutation(right)) == 1.0
