"""Numeric options of a metric, or of its order part, by name: their ranges, and other values of them."""

from __future__ import annotations

from dataclasses import fields, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.metrics.registry import metric
from kilter.results.tune_result import TunedOption

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric


def tuned_option(start: Metric, text: str) -> TunedOption:
    """Return the option behind `alpha`, `alpha=0.2..0.8` or `order.beta`."""
    name, equals, spread = text.partition("=")
    owner, plain = _owner(start, name)
    entry = next((entry for entry in fields(owner) if entry.name == plain), None)
    kind = type(owner).option_type(plain) if entry else None
    if entry is None or kind not in (int, float):
        numeric = [f.name for f in fields(owner) if type(owner).option_type(f.name) in (int, float)]
        raise OptionError(
            f"{owner.name} has no numeric option {plain!r}; it has {', '.join(numeric) or 'none'}"
        )
    if plain in owner.idle_options():
        raise OptionError(f"{plain} has no effect on {owner.decided()}; leave it out")
    low, high = float(entry.metadata["low"]), float(entry.metadata["high"])
    if equals:
        given = _spread(text, spread)
        if not given[0] < given[1]:
            raise OptionError(f"{text!r}: the range must rise; write {name}=LOW..HIGH")
        if not low <= given[0] or not given[1] <= high:
            raise OptionError(f"{text!r}: the range must lie within {low:g}..{high:g}")
        low, high = given
    return TunedOption(name=name, low=low, high=high, whole=kind is int)


def has_option(start: Metric, name: str) -> bool:
    """Return whether a metric, or its order part, has a numeric option of this name."""
    try:
        tuned_option(start, name)
    except OptionError:
        return False
    return True


def _spread(text: str, spread: str) -> tuple[float, float]:
    low, dots, high = spread.partition("..")
    try:
        bounds = float(low), float(high)
    except ValueError:
        bounds = nan, nan
    if not dots or isnan(bounds[0]) or isnan(bounds[1]):
        raise OptionError(f"{text!r}: write NAME or NAME=LOW..HIGH")
    return bounds


def _owner(made: Metric, name: str) -> tuple[Metric, str]:
    """Return the metric that an option belongs to: the outer one, or its order part."""
    outer, dot, inner = name.partition(".")
    if not dot:
        return made, name
    specification = getattr(made, outer, None)
    if outer != "order" or not isinstance(specification, str) or not _is_plain(made):
        raise OptionError(f"{made.name} has no part {outer!r}; order.NAME is for full and sen")
    return metric(specification.replace("+", ",")), inner


def _is_plain(made: Metric) -> bool:
    return type(made).option_type("order") is str


def option_value(made: Metric, name: str) -> float:
    """Return the value that an option of a metric, or of its order part, has."""
    owner, plain = _owner(made, name)
    return float(getattr(owner, plain))


def with_option(made: Metric, option: TunedOption, value: float) -> Metric:
    """Return the metric with another value of an option."""
    owner, plain = _owner(made, option.name)
    changes: dict[str, object] = {plain: int(value) if option.whole else value}
    changed = replace(owner, **changes)
    if owner is made:
        return changed
    part: dict[str, object] = {"order": changed.specification().replace(",", "+")}
    return replace(made, **part)
