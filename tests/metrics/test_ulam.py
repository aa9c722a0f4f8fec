"""The longest part in order, against the oracle."""

import pytest

from kilter import Permutation
from kilter.metrics.ulam import Ulam, ulam
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.ulam(pi) for pi in SMALL]
    assert [ulam(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Ulam().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize(("pi", "score"), [([2, 1, 3], 1 / 2), ([2, 4, 5, 6, 1, 3], 3 / 5)])
def test_it_is_scaled_by_one_word_less(pi: list[int], score: float) -> None:
    # [PEF] quotes it as "LCS over n"; the specification, section 2.1, fixes this form.
    assert ulam(Permutation.from_one_based(pi)) == close(score)
