"""PETscore on either canonical tree, against the oracle."""

from typing import Literal

import pytest

from kilter import Permutation
from kilter.core.errors import OptionError
from kilter.core.permutation_batch import Branching
from kilter.metrics.operator_score import OperatorScore
from kilter.metrics.pet import Pet, pet
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)


@pytest.mark.parametrize("branching", ["left", "right"])
def test_function_and_metric_score_what_the_oracle_says(
    branching: Literal["left", "right"],
) -> None:
    expected = [oracle.pet(pi, gamma=0.5, branching=branching) for pi in SMALL]
    found = [pet(Permutation.from_one_based(pi), gamma=0.5, branching=branching) for pi in SMALL]
    assert found == close(expected)
    metric = Pet(gamma=0.5, branching=Branching(branching))
    assert metric.permutation_scores(batch(map(zero_based, SMALL))) == close(expected)


@pytest.mark.parametrize("branching", ["left", "right"])
def test_operators_may_be_scored_by_kendall(branching: Literal["left", "right"]) -> None:
    expected = [oracle.pet(pi, branching=branching, operator_score=oracle.kendall) for pi in SMALL]
    metric = Pet(operator=OperatorScore.KENDALL, branching=Branching(branching))
    assert metric.permutation_scores(batch(map(zero_based, SMALL))) == close(expected)
    by_function = [
        pet(
            Permutation.from_one_based(pi),
            branching=branching,
            operator_score=lambda operator: float(oracle.kendall(operator)),
        )
        for pi in SMALL
    ]
    assert by_function == close(expected)


def test_the_two_trees_of_the_paper_differ() -> None:
    permutation = Permutation.from_one_based([5, 7, 4, 6, 3, 1, 2])
    assert (pet(permutation), pet(permutation, branching="right")) == close([0.2, 0.08])
    assert pet(Permutation.from_one_based([5, 6, 7, 8, 4, 1, 2, 3])) == close(0.28)


def test_options_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="branching is 'up'; it can be left, right"):
        Pet(branching="up")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="leave out gamma"):
        Pet(operator=OperatorScore.KENDALL, gamma=0.5)
