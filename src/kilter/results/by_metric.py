"""Results by metric, found under every spelling of its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from kilter.core.errors import OptionError
from kilter.core.registry import Registry

if TYPE_CHECKING:
    from kilter.core.configured import Configured

Value = TypeVar("Value")

_METRICS: Registry[Configured] = Registry("kilter.metrics", "metric")


class ByMetric(dict[str, Value]):
    """A dictionary whose keys are the shortest specifications; indexing takes any other too.

    >>> ByMetric({"pef": 1, "pef:beta=0.5": 2})["pef:gamma=0,beta=0.50"]
    2
    """

    def __missing__(self, key: str) -> Value:
        try:
            shortest = _METRICS.make(key).specification()
        except OptionError:
            shortest = key
        if shortest not in self:
            raise KeyError(key)
        return self[shortest]
