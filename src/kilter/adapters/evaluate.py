"""`compute(predictions=, references=)`, as metrics of Hugging Face `evaluate` offer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kilter.core.settings import checked
from kilter.io.text import text_lines
from kilter.run.scoring.score import score
from kilter.run.scoring.settings import DEFAULT_METRICS


@checked
def compute(
    *,
    predictions: object,
    references: object,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    **settings: Any,
) -> dict[str, Any]:
    """Return corpus scores by metric, with their signatures under `signatures`.

    `references` hold one string, or a list of strings, per prediction. What there is to be noted about
    the run stands under `notes`.

    >>> compute(predictions=["a b c"], references=[["a b c"]], metrics=["kendall"])["kendall"]
    1.0
    """
    result = score(
        text_lines(predictions, where="predictions"), references, metrics=metrics, **settings
    )
    scores: dict[str, object] = {name: found.score for name, found in result.system.items()}
    notes = {"notes": list(result.notes)} if result.notes else {}
    return {**scores, "signatures": dict(result.signatures), **notes}
