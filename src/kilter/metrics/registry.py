"""Metrics by name."""

from __future__ import annotations

from kilter.core.registry import Registry
from kilter.core.settings import checked
from kilter.metrics.metric import Metric

METRICS: Registry[Metric] = Registry("kilter.metrics", "metric")


def metric_names() -> list[str]:
    """Return the names of all registered metrics, in the order they are registered."""
    return METRICS.names()


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name."""
    return METRICS.find(name)


@checked
def metric(specification: str, *, language: str | None = None) -> Metric:
    """Return the metric of a specification such as `pef` or `pef:beta=0.5,gamma=0.5`.

    The language of the texts gives options that the specification leaves open.

    >>> metric("pef:beta=0.5").signature().split("|")[:2]
    ['pef', 'beta:0.5']
    """
    return METRICS.make(specification, language=language)
