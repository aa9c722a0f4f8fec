"""What was tuned as a file of weights, which `-m kilter:weights=FILE` takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.specification import split_specification
from kilter.io.output import written_text
from kilter.metrics.registry import METRICS, metric, metric_class
from kilter.metrics.weight_file import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.results.tune_result import TunedMetrics, TuneResult

VERSION = "tuned"


def check_fitted(specifications: Sequence[str]) -> None:
    """Raise an `OptionError` for metrics that take no file of weights."""
    for specification in specifications:
        name, _ = split_specification(specification, METRICS.noun)
        if "weights" not in metric_class(name).places:
            raise OptionError(
                f"{specification} takes no file of weights; kilter does, so leave out --weights"
            )


def weight_document(tuned: TunedMetrics) -> dict[str, object]:
    """Return the document: what was found of each metric, and on how many judgments."""
    weights: dict[str, object] = {}
    document: dict[str, object] = {
        "schema": SCHEMA,
        "version": VERSION,
        "fitted_on": "; ".join(_fitted_on(each) for each in tuned.metrics),
    }
    for each in tuned.metrics:
        found = metric(each.specification).fitted_document() or {}
        for key, value in found.items():
            own = value if isinstance(value, dict) else {}
            if (key in document and key != "weights") or own.keys() & weights.keys():
                raise OptionError(
                    f"{each.start} is tuned twice for one file of weights; choose one of the two"
                )
            weights |= own
            document[key] = weights if own else value
    return document


def write_weights(tuned: TunedMetrics, path: str) -> None:
    """Write the document; the file appears complete or not at all."""
    with written_text(path) as out:
        out.write(json.dumps(weight_document(tuned), ensure_ascii=False, indent=1) + "\n")


def _fitted_on(result: TuneResult) -> str:
    figures = [
        f"{name} {value:.4f}"
        for name, value in (("training", result.training), ("held out", result.held_out))
        if value is not None
    ]
    judged = f"{counted(result.systems, 'system')} on {counted(result.segments, 'segment')}"
    said = f"{result.start}: judgments of {judged}"
    return f"{said}, {result.objective} {', '.join(figures) or 'undefined'}"
