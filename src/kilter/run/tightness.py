"""Tightness of metrics: every permutation up to a length, every step of factorization. [PC] section 4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.permutation_factorization import check_tightness
from kilter.io.permutation_tree import PermutationTreeFormat, write_tree
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric
from kilter.results.tightness_result import LooseStep, TightnessResult

if TYPE_CHECKING:
    from kilter.core.permutation_factorization import (
        Complexity,
        Counterexample,
        FactorizedOperators,
    )

AVERAGE_OPERATOR = "average-operator"
"""A complexity that is not a metric: AVG, which theorem 1 of [PC] calls tight."""
SHORTEST, LONGEST = 3, 7
"""Below, nothing can be cut and still be whole in between; above, trying everything takes hours."""


def metric_tightness(specification: str, *, longest: int = 5) -> TightnessResult:
    """Return whether a metric is tight and semi-tight on all permutations up to a length.

    What it makes of a weak factorization is its `complexity`. `average-operator` names the mean length of the
    operators, which is not a metric. A metric that looks at more than a permutation is an `OptionError`.

    >>> metric_tightness("pet-size", longest=4).is_tight
    True
    """
    name, complexity, formula = _complexity(specification)
    if not SHORTEST <= longest <= LONGEST:
        raise OptionError(
            f"longest is {longest}; it must lie between {SHORTEST} and {LONGEST}: fewer words leave "
            "nothing to compare, and more would take hours"
        )
    report = check_tightness(complexity, longest=longest)
    return TightnessResult(
        metric=name,
        complexity=formula,
        longest=longest,
        permutations=report.permutations,
        tight=report.tight,
        semi_tight=report.semi_tight,
        against_tight=_step(report.against_tight),
        against_semi_tight=_step(report.against_semi_tight),
    )


def _complexity(specification: str) -> tuple[str, Complexity, str]:
    """Return the name of a complexity, the function, and what it is in words."""
    if specification == AVERAGE_OPERATOR:
        return specification, _average_operator, "the mean length of its operators"
    made = metric(specification)
    if not isinstance(made, PermutationMetric):
        raise OptionError(
            f"{made.name} looks at {', '.join(made.needs)}; tight is a word for metrics of permutations"
        )
    return made.specification(), made.complexity, made.complexity_formula


def _average_operator(factorization: FactorizedOperators) -> float:
    return sum(map(len, factorization)) / len(factorization)


def _step(found: Counterexample | None) -> LooseStep | None:
    if found is None:
        return None
    coarse, fine = (
        write_tree(each.tree(), PermutationTreeFormat.BRACKETED)
        for each in (found.coarse, found.fine)
    )
    return LooseStep(
        permutation=tuple(found.permutation.one_based()),
        coarse=coarse,
        coarse_complexity=found.coarse_complexity,
        fine=fine,
        fine_complexity=found.fine_complexity,
    )
