"""Scores that people gave to single translations: direct assessment, and averaged MQM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import JudgedPairs, JudgedScores, Judgments
from kilter.io.judgments.system_name import SEGMENT_NAMES, SYSTEM_NAMES, SystemNames, rows_of_pair
from kilter.io.score_file import read_ratings

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from kilter.io.stream import ByteSource
    from kilter.io.table import DataTable


def is_better_worse(table: DataTable) -> bool:
    """Return whether a table names the better and the worse system of each pair."""
    return "better" in table.columns and "worse" in table.columns


def better_worse(
    table: DataTable, *, known: Container[str] = (), pair: str | None = None
) -> Judgments:
    """Return the pairs of a table; every row is a task unless a column `task` says otherwise.

    A column `tie` of 0 and 1 may mark pairs that people found equally good.
    """
    segments = table.integers(table.need(*SEGMENT_NAMES), low=1) - 1
    chosen = np.flatnonzero(rows_of_pair(table, pair))
    names = SystemNames(known)
    better = names.single(table.named("better", chosen))
    worse = names.single(table.named("worse", chosen))
    same = np.flatnonzero(better == worse)
    if len(same):
        raise InputError("compares a system with itself", where=table.where(int(chosen[same[0]])))
    outcome = np.ones(len(chosen), dtype=np.int8)
    if "tie" in table.columns:
        outcome[table.integers("tie", low=0)[chosen] != 0] = 0
    pairs = JudgedPairs(
        segment=segments[chosen],
        first=better,
        second=worse,
        outcome=outcome,
        task=_tasks(table)[chosen],
        line=table.lines[chosen],
    )
    counts = {
        "rows": len(chosen),
        "tasks": len(np.unique(pairs.task)),
        "pairs": len(pairs),
        "ties": int(np.count_nonzero(outcome == 0)),
        "repeated": int(pairs.repeats().sum()),
    }
    return Judgments(source=table.name, systems=names.names, pairs=pairs, counts=counts)


def _tasks(table: DataTable) -> NDArray[np.int64]:
    if "task" not in table.columns:
        return np.arange(len(table), dtype=np.int64)
    number: dict[str, int] = {}
    cells = table.columns["task"]
    return np.array([number.setdefault(cell, len(number)) for cell in cells], dtype=np.int64)


def mean_scores(
    segment: NDArray[np.int64],
    system: NDArray[np.int64],
    value: NDArray[np.float64],
    line: NDArray[np.int64],
) -> JudgedScores:
    """Return one score per system and segment: the mean of all that were given."""
    places, first, which, count = np.unique(
        np.stack([segment, system]),
        axis=1,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    total = np.bincount(which.ravel(), weights=value, minlength=len(first))
    return JudgedScores(segment=places[0], system=places[1], value=total / count, line=line[first])


SCORE_NAMES = ("score", "z.scr", "z", "raw.scr", "raw", "mqm_avg_score", "rating")


def is_assessment(table: DataTable) -> bool:
    """Return whether a table has columns for system, segment and score."""
    needed = (SYSTEM_NAMES, SEGMENT_NAMES, SCORE_NAMES)
    return all(table.find(*names) is not None for names in needed)


def assessment(
    table: DataTable, *, known: Container[str] = (), pair: str | None = None
) -> Judgments:
    """Return the scores of a table, higher for better; several of one translation are averaged.

    Of several score columns the first of score, z.scr, z, raw.scr, raw, mqm_avg_score and rating
    counts. A missing score is left out and counted.
    """
    values = table.numbers(table.need(*SCORE_NAMES))
    segments = table.integers(table.need(*SEGMENT_NAMES), low=1) - 1
    rows = np.flatnonzero(rows_of_pair(table, pair))
    filled = rows[~np.isnan(values[rows])]
    names = SystemNames(known)
    systems = names.single(table.named(table.need(*SYSTEM_NAMES), filled))
    judgments = mean_scores(segments[filled], systems, values[filled], table.lines[filled])
    counts = {
        "rows": len(rows),
        "scores": len(judgments),
        "missing": len(rows) - len(filled),
        "repeated": len(filled) - len(judgments),
    }
    return Judgments(source=table.name, systems=names.names, scores=judgments, counts=counts)


_SEGMENT_NAMES = ("globalsegid", "seg_id", "segment", "seg")
_JUDGE_NAMES = ("rater", "judge", "annotator")
_WEIGHTS = {"critical": 5.0, "major": 5.0, "minor": 1.0, "neutral": 0.0}
_NO_ERROR = frozenset({"no-error", "no error", "hotw-test", "reference error"})
NON_TRANSLATION = 25.0
MINOR_PUNCTUATION = 0.1


def is_mqm(table: DataTable) -> bool:
    """Return whether a table lists errors with category and severity."""
    return "severity" in table.columns and "category" in table.columns


def mqm(table: DataTable, *, known: Container[str] = (), pair: str | None = None) -> Judgments:
    """Return minus the sum of error weights of each translation, averaged over its annotators.

    A major (or critical) error weighs 5, non-translation 25, a minor one 1, minor punctuation 0.1, a
    neutral one or none 0. A row says one error; a translation without any has a row "No-error".
    """
    segments = table.integers(table.need(*_SEGMENT_NAMES), low=1) - 1
    judge = table.find(*_JUDGE_NAMES)
    rows = np.flatnonzero(rows_of_pair(table, pair))
    names = SystemNames(known)
    systems = names.single(table.named(table.need(*SYSTEM_NAMES), rows))
    sums: dict[tuple[int, int, str], float] = {}
    lines: dict[tuple[int, int, str], int] = {}
    for row, system in zip(rows.tolist(), systems.tolist(), strict=True):
        key = (int(segments[row]), system, table.columns[judge][row] if judge else "")
        sums[key] = sums.get(key, 0.0) + _weight(table, row)
        lines.setdefault(key, int(table.lines[row]))
    places = np.array([key[:2] for key in sums], dtype=np.int64).reshape(-1, 2)
    scores = mean_scores(
        places[:, 0],
        places[:, 1],
        -np.array(list(sums.values()), dtype=np.float64),
        np.array(list(lines.values()), dtype=np.int64),
    )
    counts = {
        "rows": len(rows),
        "judges": len({key[2] for key in sums}),
        "scores": len(scores),
        "repeated": len(sums) - len(scores),
    }
    return Judgments(source=table.name, systems=names.names, scores=scores, counts=counts)


def _weight(table: DataTable, row: int) -> float:
    severity = table.columns["severity"][row].strip().lower()
    category = table.columns["category"][row].strip().lower()
    if severity in _NO_ERROR or category in _NO_ERROR:
        return 0.0
    if severity not in _WEIGHTS:
        raise InputError(
            f"severity is {table.columns['severity'][row]!r}; it can be major, critical, minor, "
            "neutral or no-error",
            where=table.where(row),
        )
    if severity == "major" and category.startswith("non-translation"):
        return NON_TRANSLATION
    if severity == "minor" and category in ("fluency/punctuation", "punctuation"):
        return MINOR_PUNCTUATION
    return _WEIGHTS[severity]


def ratings(
    source: ByteSource, *, known: Container[str] = (), pair: str | None = None
) -> Judgments:
    """Return the ratings of a file, higher for better; a translation has the mean of its raters'."""
    files = read_ratings(source, name="ratings", pair=pair)
    if len(files) > 1:
        raise InputError(
            f"holds ratings of several things: {', '.join(files)}; keep one", where=source.name
        )
    (rated,) = files.values()
    rows = [row for row in rated.rows if row.score is not None]
    names = SystemNames(known)
    systems = names.single([row.system for row in rows])
    return Judgments(
        source=source.name,
        systems=names.names,
        scores=JudgedScores(
            segment=np.array([row.segment for row in rows], dtype=np.int64),
            system=systems,
            value=np.array([row.score for row in rows], dtype=np.float64),
            line=np.array([row.line for row in rows], dtype=np.int64),
        ),
        counts={
            "rows": len(rated.rows),
            "judges": rated.raters,
            "scores": len(rows),
            "missing": len(rated.rows) - len(rows),
        },
    )
