"""Neighbours that stay neighbours, against the oracle."""

import pytest

from kilter import Permutation
from kilter.core.errors import OptionError
from kilter.metrics.fuzzy import Fuzzy, Joints, fuzzy
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.fuzzy(pi) for pi in SMALL]
    assert [fuzzy(Permutation.from_one_based(pi)) for pi in SMALL] == close(expected)
    assert Fuzzy().permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


def test_all_joints_include_both_ends_of_the_sentence() -> None:
    listed = [(), *SMALL]
    expected = [oracle.fuzzy(pi, joints="all") for pi in listed]
    found = Fuzzy(joints=Joints.ALL).permutation_scores(batch(map(zero_based, listed)))
    assert found == close(expected)
    one_by_one = [fuzzy(Permutation.from_one_based(pi), joints="all") for pi in listed]
    assert one_by_one == close(expected)


@pytest.mark.parametrize(
    ("pi", "score"),
    [
        ([4, 5, 8, 9, 6, 7, 1, 2, 3, 10], 5 / 9),
        (range(1, 11), 1.0),
        ([5, 6, 7, 8, 4, 1, 2, 3], 5 / 7),
    ],
)
def test_worked_examples(pi: list[int], score: float) -> None:
    # M9: [FRS] prints 0.5 for the first.
    assert fuzzy(Permutation.from_one_based(pi)) == close(score)


def test_joints_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionError, match="joints is 'outer'; it can be inner, all"):
        Fuzzy(joints="outer")  # type: ignore[arg-type]
