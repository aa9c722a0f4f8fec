"""The lexical part of an interpolated metric: a metric of words by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import OptionError
from kilter.metrics.registry import metric, metric_class, metric_names

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric


def lexical_metric(specification: str, *, of: str) -> Metric:
    """Return a metric of words alone that scores 0 to 1, for the metric named `of`.

    Options of its own are joined by + because the comma separates those of the outer metric. Rates of
    errors and sums of bits have no scale in common with an order part, and are an `OptionError`.

    >>> lexical_metric("chrf:beta=1+words=2", of="lr").specification()
    'chrf:words=2,beta=1'
    """
    made = metric(specification.replace("+", ","))
    if not _fits(type(made)):
        listed = ", ".join(name for name in metric_names() if _fits(metric_class(name)))
        raise OptionError(
            f"{of}: lexical is {specification!r}; it must be a metric of words alone, from 0 to 1, of which "
            f"more is better: {listed}"
        )
    return made


def _fits(found: type[Metric]) -> bool:
    alone = set(found.needs) <= {"words", "text"}
    return alone and found.higher_is_better and found.range == (0.0, 1.0)
