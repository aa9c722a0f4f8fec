"""Scores of operators: every flat metric of permutations may be one."""

from collections.abc import Callable
from typing import Any

import pytest

from kilter.core.errors import OptionError
from kilter.core.permutation_batch import Branching
from kilter.metrics.operator_score import OperatorScore
from kilter.metrics.pef import Pef, PefVariant
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.pet import Pet
from kilter.metrics.registry import metric
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)
FLAT: dict[OperatorScore, Callable[..., Any]] = {
    OperatorScore.KENDALL: oracle.kendall,
    OperatorScore.KENDALL_SQRT: oracle.kendall_sqrt,
    OperatorScore.SPEARMAN: oracle.spearman,
    OperatorScore.HAMMING: oracle.hamming,
    OperatorScore.ULAM: oracle.ulam,
    OperatorScore.FUZZY: oracle.fuzzy,
    OperatorScore.COMPLETE: oracle.complete,
}


def test_every_flat_score_is_offered() -> None:
    assert {*FLAT, OperatorScore.ORDER} == set(OperatorScore)


@pytest.mark.parametrize("operator", FLAT)
def test_operators_may_be_scored_by_any_flat_metric(operator: OperatorScore) -> None:
    permutations = batch(map(zero_based, SMALL))
    pefs = [oracle.pef(pi, operator_score=FLAT[operator]) for pi in SMALL]
    assert Pef(operator=operator).permutation_scores(permutations) == close(pefs)
    for branching in Branching:
        side: Any = str(branching)
        pets = [oracle.pet(pi, branching=side, operator_score=FLAT[operator]) for pi in SMALL]
        chosen = Pet(operator=operator, branching=branching)
        assert chosen.permutation_scores(permutations) == close(pets)


@pytest.mark.parametrize("operator", [each for each in FLAT if each != "kendall-sqrt"])
def test_a_primal_permutation_scores_what_the_flat_metric_says(operator: OperatorScore) -> None:
    primal = batch([[1, 3, 0, 2], [2, 0, 3, 1], [1, 4, 2, 0, 3], [1, 0]])
    flat = metric(str(operator))
    assert isinstance(flat, PermutationMetric)
    expected = flat.permutation_scores(primal)
    assert Pef(operator=operator).permutation_scores(primal) == close(expected)


@pytest.mark.parametrize("operator", FLAT)
def test_gamma_has_no_place_beside_a_flat_score(operator: OperatorScore) -> None:
    for kind in (Pef, Pet):
        with pytest.raises(OptionError, match=rf"operator={operator} scores <2,1> itself; leave"):
            kind(operator=operator, gamma=0.5)
    with pytest.raises(OptionError, match="variant=beer takes neither gamma nor operator"):
        Pef(operator=operator, variant=PefVariant.BEER)
