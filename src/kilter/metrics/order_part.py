"""The word order part of an interpolated metric: a permutation metric by name."""

from __future__ import annotations

from kilter.errors import OptionError
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric


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
