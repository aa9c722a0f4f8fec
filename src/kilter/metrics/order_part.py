"""The word order part of an interpolated metric: a permutation metric by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric
from kilter.results.measure import WorkingStep, part_steps

if TYPE_CHECKING:
    from collections.abc import Sequence


def order_metric(specification: str, *, of: str) -> PermutationMetric:
    """Return a permutation metric that carries the brevity penalty, for the metric named `of`.

    Options of its own are joined by + because the comma separates those of the outer metric.

    >>> order_metric("pef:beta=0.5+gamma=0.5", of="full").specification()
    'pef:beta=0.5,gamma=0.5'
    """
    made = metric(specification.replace("+", ","))
    if not isinstance(made, PermutationMetric):
        raise OptionError(f"{of}: order is {specification!r}; it must be a metric of permutations")
    if not made.penalty:
        raise OptionError(f"{of}: order is {specification!r}; the brevity penalty belongs to {of}")
    return made


def interpolated_steps(
    alpha: float, lexical: Sequence[WorkingStep], ordering: Sequence[WorkingStep]
) -> tuple[WorkingStep, ...]:
    """Return the steps of both parts, and alpha x the lexical one + (1 - alpha) x the other."""
    order = part_steps(ordering, "order")
    first, second = lexical[-1], order[-1]
    score = alpha * first.value + (1.0 - alpha) * second.value
    formula = f"alpha * {first.name} + (1 - alpha) * {second.name}"
    weight = WorkingStep("alpha", "weight of the lexical part", alpha)
    return (*lexical, *order, weight, WorkingStep("score", "both parts", score, formula))
