"""Metrics of one sentence: a function for each metric that needs no more.

The functions are those of the registered metrics, so that a new metric brings its own.

>>> import kilter
>>> kilter.sentence.kendall(kilter.Permutation.from_one_based([1, 3, 2, 4]))
0.8333333333333334
"""

from __future__ import annotations

from importlib import import_module
from inspect import isfunction, unwrap
from typing import TYPE_CHECKING, Any

from kilter.metrics.registry import metric_class, metric_names

if TYPE_CHECKING:
    from collections.abc import Callable


def _functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of all metrics by name: those for users check their arguments."""
    by_name: dict[str, Callable[..., Any]] = {}
    for metric in metric_names():
        home = import_module(metric_class(metric).__module__)
        for name, function in vars(home).items():
            own = name == metric.replace("-", "_")
            here = isfunction(function) and function.__module__ == home.__name__
            if here and (own or (unwrap(function) is not function and not name.startswith("_"))):
                by_name.setdefault(name, function)
    return dict(sorted(by_name.items()))


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return list(_functions())
    function = None if name.startswith("__") else _functions().get(name)
    if function is None:
        raise AttributeError(f"module 'kilter.sentence' has no attribute {name!r}")
    globals()[name] = function  # so that it is looked for once
    return function


def __dir__() -> list[str]:
    return list(_functions())
