"""Rows of `{"src": ..., "mt": ..., "ref": ...}`, as users of COMET have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError
from kilter.pipeline.score import score

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Prediction:
    """What COMET's `predict` returns: one score per row, and that of the system."""

    scores: list[float]
    system_score: float


def predict(
    rows: Sequence[dict[str, str]],
    *,
    metric: str = "pef",
    batch_size: int | None = None,  # noqa: ARG001 - calls of COMET hold it
    gpus: int | None = None,  # noqa: ARG001 - calls of COMET hold it
    **settings: Any,
) -> Prediction:
    """Return segment scores and the corpus score of rows with `mt` and `ref`.

    Either every row has a `src`, or none. `batch_size` and `gpus` change nothing: there is no network
    to feed.

    >>> predict([{"src": "x", "mt": "a b", "ref": "a b"}], metric="kendall").scores
    [1.0]
    """
    for place, row in enumerate(rows):
        missing = {"mt", "ref"} - set(row)
        if missing:
            raise InputError(f"has no {' and no '.join(sorted(missing))}", where=f"row {place}")
    result = score(
        [row["mt"] for row in rows],
        [row["ref"] for row in rows],
        source=_source(rows),
        metrics=[metric],
        **settings,
    )
    ((name, found),) = result.system.items()
    array = result.segment_arrays[name, next(iter(result.systems))]
    return Prediction(array.tolist(), float("nan") if found.score is None else found.score)


def _source(rows: Sequence[dict[str, str]]) -> list[str] | None:
    having = [place for place, row in enumerate(rows) if "src" in row]
    if having and len(having) < len(rows):
        bare = next(place for place, row in enumerate(rows) if "src" not in row)
        raise InputError(
            f"has no src, but row {having[0]} has one; give every row a src, or none",
            where=f"row {bare}",
        )
    return [row["src"] for row in rows] if having else None
