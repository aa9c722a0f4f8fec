"""Metrics of Kilter in tasks of lm-evaluation-harness, which aggregates pairs of reference and output itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from kilter.core.errors import MissingToolError
from kilter.metrics.registry import metric
from kilter.run.scoring.score import score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Pair: TypeAlias = tuple[str, str]


def metric_functions(
    specification: str, **settings: Any
) -> tuple[Callable[[Sequence[str], Sequence[str]], Pair], Callable[[Sequence[Pair]], float]]:
    """Return what a task names as `metric` and as `aggregation`; settings are those of `kilter.score`.

    The first keeps a reference with its output, the second scores all of them as one corpus.

    >>> keep, corpus = metric_functions("kendall")
    >>> corpus([keep(["a b c"], ["a b c"]), keep(["d e f"], ["f e d"])])
    0.5
    """
    metric(specification, language=settings.get("language"))  # an unknown one is refused now
    name = registered_name(specification)

    def keep(references: Sequence[str], predictions: Sequence[str]) -> Pair:
        return references[0], predictions[0]

    def corpus(items: Sequence[Pair]) -> float:
        targets, outputs = zip(*items, strict=True)
        found = score([*outputs], [*targets], metrics=specification, **settings)
        value = next(iter(found.system.values())).value
        return float("nan") if value is None else value

    keep.__name__ = keep.__qualname__ = name
    corpus.__name__ = corpus.__qualname__ = f"corpus_{name}"
    return keep, corpus


def registered_name(specification: str) -> str:
    """Return what tasks call a metric.

    >>> registered_name("pef:beta=0.5")
    'kilter_pef_beta_0_5'
    """
    return "kilter_" + re.sub(r"\W+", "_", specification).strip("_")


def register(specification: str, **settings: Any) -> str:
    """Make a metric known to lm-eval by name, for tasks that this process reads; return the name."""
    try:
        from lm_eval.api import registry  # noqa: PLC0415 - not every user has it
    except ImportError as error:
        raise MissingToolError("kilter.adapters.lm_eval", install="pip install lm-eval") from error
    keep, corpus = metric_functions(specification, **settings)
    name = registered_name(specification)
    chosen = metric(specification, language=settings.get("language"))
    registry.register_aggregation(name)(corpus)
    registry.register_metric(
        metric=name,
        higher_is_better=chosen.higher_is_better,
        output_type="generate_until",
        aggregation=name,
    )(keep)
    return name
