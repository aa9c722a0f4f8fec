"""Score files as mt-metrics-eval lays them out: `SYSTEM<TAB>SCORE`, one row a segment or a system."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from kilter.core.settings import checked
from kilter.io.score_file import read_score_rows
from kilter.io.stream import ByteSource
from kilter.results.score_result import ScoreResult

Scores = dict[str, list[float | None]]


@checked
def segment_lines(result: ScoreResult, metric: str) -> Iterator[str]:
    """Yield the lines of a `.seg.score` file: all segments of a system, then of the next."""
    for system in result.systems:
        for value in result.segment_arrays[metric, system].tolist():
            yield f"{system}\t{None if isnan(value) else value!r}"


@checked
def system_lines(result: ScoreResult, metric: str) -> Iterator[str]:
    """Yield the lines of a `.sys.score` file."""
    for system, scores in result.systems.items():
        yield f"{system}\t{scores[metric].score!r}"


def read_scores(path: str) -> Scores:
    """Return the scores of a file by system, in the order of its rows; `None` is a missing score."""
    scores: Scores = {}
    for row in read_score_rows(ByteSource(path)):
        scores.setdefault(row.system, []).append(row.score)
    return scores
