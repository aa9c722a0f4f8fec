"""Metrics by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import OptionError
from kilter.options.registry import Registry

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric

METRICS: Registry[Metric] = Registry("kilter.metrics", "metric")


def metric_names() -> list[str]:
    """Return the names of all registered metrics, in the order they are registered."""
    return METRICS.names()


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name."""
    return METRICS.find(name)


def metric(specification: str) -> Metric:
    """Return the metric of a specification such as `pef` or `pef:beta=0.5,gamma=0.5`.

    >>> metric("pef:beta=0.5").signature().split("|")[:2]
    ['pef', 'beta:0.5']
    """
    return METRICS.make(specification)


def metric_from_signature(signature: str) -> Metric:
    """Return the metric that a signature describes; what is not an option of it is passed over."""
    name, *parts = signature.split("|")
    found = metric_class(name)
    known = {entry.name for entry in found.declared()}
    options: dict[str, str] = {}
    for part in parts:
        option, colon, value = part.partition(":")
        if not colon:
            raise OptionError(f"{signature!r} is no signature: {part!r} is not name:value")
        if option in known:
            options[option] = value
    return found.from_text(options)
