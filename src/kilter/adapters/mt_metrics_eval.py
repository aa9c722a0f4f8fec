"""Score files as mt-metrics-eval lays them out: `SYSTEM<TAB>SCORE`, one row a segment or a system."""

from __future__ import annotations

from math import isfinite, isnan
from typing import TYPE_CHECKING

from kilter.errors import InputError
from kilter.formats.stream import ByteSource
from kilter.formats.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.pipeline.score import ScoreResult

Scores = dict[str, list[float | None]]


def segment_lines(result: ScoreResult, metric: str) -> Iterator[str]:
    """Yield the lines of a `.seg.score` file: all segments of a system, then of the next."""
    for system in result.systems:
        for value in result.segment_arrays[metric, system].tolist():
            yield f"{system}\t{None if isnan(value) else value!r}"


def system_lines(result: ScoreResult, metric: str) -> Iterator[str]:
    """Yield the lines of a `.sys.score` file."""
    for system, scores in result.systems.items():
        yield f"{system}\t{scores[metric].score!r}"


def read_scores(path: str) -> Scores:
    """Return the scores of a file by system, in the order of its rows; `None` is a missing score."""
    source = ByteSource(path)
    scores: Scores = {}
    for number, line in enumerate(read_text(source), start=1):
        where = f"{source.name}:{number}"
        system, separator, value = line.partition("\t")
        if not separator or not system or "\t" in value:
            raise InputError("is not SYSTEM, a tab, SCORE", where=where)
        scores.setdefault(system, []).append(_score(value, where))
    counts = {len(rows) for rows in scores.values()}
    if len(counts) > 1:
        raise InputError(
            f"systems have from {min(counts)} to {max(counts)} rows; all need the same number",
            where=source.name,
        )
    return scores


def _score(value: str, where: str) -> float | None:
    if value == "None":
        return None
    try:
        found = float(value)
    except ValueError:
        raise InputError(f"{value!r} is no number", where=where) from None
    if not isfinite(found):
        raise InputError(f"{value!r} is no score; write None for a missing one", where=where)
    return found
