"""Metrics by name."""

from __future__ import annotations

from kilter.core.registry import Registry
from kilter.core.settings import checked
from kilter.metrics.metric import Metric

GROUPS = {
    "all": "every metric that the inputs allow",
    "order-metrics": "those that depend on the order of words alone",
    "published": "those of publications, not those of Kilter itself",
}
"""Names that stand for several metrics, and what they stand for."""
BLOCKWISE = ":blockwise"
"""Follows the name of a group without its metrics that look at a whole corpus."""

METRICS: Registry[Metric] = Registry("kilter.metrics", "metric")


def metric_names() -> list[str]:
    """Return the names of all registered metrics, in the order they are registered."""
    return METRICS.names()


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name."""
    return METRICS.find(name)


def is_group(specification: str) -> bool:
    """Return whether a specification stands for several metrics."""
    return specification.removesuffix(BLOCKWISE) in GROUPS


def group_names(specification: str) -> list[str]:
    """Return the names of the metrics of a group.

    >>> "kendall" in group_names("published"), "kilter" in group_names("published"), "nist" in group_names("all:blockwise")
    (True, False, False)
    """
    group, blockwise = specification.removesuffix(BLOCKWISE), specification.endswith(BLOCKWISE)
    return [
        name for name in metric_names() if _belongs(metric_class(name), group, blockwise=blockwise)
    ]


def _belongs(kind: type[Metric], group: str, *, blockwise: bool) -> bool:
    if blockwise and kind.of_corpus:
        return False
    if group == "order-metrics":
        return kind.order_only
    return group == "all" or "kilter" not in kind.citations


@checked
def metric(specification: str, *, language: str | None = None) -> Metric:
    """Return the metric of a specification such as `pef` or `pef:beta=0.5,gamma=0.5`.

    The language of the texts gives options that the specification leaves open.

    >>> metric("pef:beta=0.5").signature().split("|")[:2]
    ['pef', 'beta:0.5']
    """
    return METRICS.make(specification, language=language)
