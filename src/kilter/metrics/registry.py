"""Metrics by name: built-in and third-party ones register through the same entry points."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from kilter.errors import OptionError

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric

GROUP = "kilter.metrics"


def metric_names() -> list[str]:
    """Return the names of all registered metrics, in the order they are registered."""
    return list(_registered())


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name."""
    try:
        found: type[Metric] = _registered()[name].load()
    except KeyError:
        close = get_close_matches(name, metric_names(), n=1)
        hint = f"; did you mean {close[0]}?" if close else ";"
        raise OptionError(
            f"there is no metric {name!r}{hint} 'kilter metrics' lists them"
        ) from None
    return found


def metric(specification: str) -> Metric:
    """Return the metric of a specification such as `pef` or `pef:beta=0.5,gamma=0.5`.

    >>> metric("pef:beta=0.5").signature().split("|")[:2]
    ['pef', 'beta:0.5']
    """
    if not isinstance(specification, str):
        raise OptionError(f"a metric is named by a text such as 'pef', not by {specification!r}")
    name, _, listed = specification.partition(":")
    options: dict[str, str] = {}
    for part in filter(None, listed.split(",")):
        option, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{specification!r}: write options as name=value, not {part!r}")
        if option in options:
            raise OptionError(f"{specification!r}: option {option} is given twice")
        options[option] = value
    return metric_class(name).from_text(options)


def metric_from_signature(signature: str) -> Metric:
    """Return the metric that a signature describes; the version is not compared."""
    name, *parts = signature.split("|")
    options: dict[str, str] = {}
    for part in parts:
        option, colon, value = part.partition(":")
        if not colon:
            raise OptionError(f"{signature!r} is no signature: {part!r} is not name:value")
        options[option] = value
    options.pop("v", None)
    return metric_class(name).from_text(options)


@cache
def _registered() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}
