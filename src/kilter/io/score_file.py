"""Scores of any metric in a file: `SYSTEM SCORE`, `SYSTEM SEGMENT SCORE`, a long table, or a file of WMT."""

from __future__ import annotations

from itertools import chain
from math import fsum, isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.errors import InputError, Setting
from kilter.core.language import same_pair
from kilter.io.compression import uncompressed_name
from kilter.io.spans.format import json_spans
from kilter.io.table import opened_rows, read_number, read_table, read_text_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.spans import Spans
    from kilter.io.stream import ByteSource
    from kilter.io.table import DataTable

_HELD = "one score a line"
_HEADER = ("system", "segment", "score")
_LONG_HEADER = ("system", "segment", "metric", "score")
_STATISTICS_HEADER = (*_LONG_HEADER, "statistics")
_MARGIN = "margin"
"""A column behind the scores that says how far to trust them, and is passed over."""
_CONFIGURATIONS = ";"
"""What stands between the statistics of several configurations."""

SYSTEM_SUFFIX = ".sys.score"
WHOLE = -1
"""The segment of a score that is of a whole system."""


SPAN_WEIGHTS = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 5.0}
"""What an error span takes off its segment, as MQM at WMT weighs it; any other severity, or none, takes 1."""


class ScoreRow(NamedTuple):
    """One score: system, segment (from 0) or `WHOLE`, the score or None where it is missing, its line.

    `statistics` is the cell of its additive statistics, None in a file without them. `rater` is who gave it, empty
    where nobody is named.
    """

    system: str
    segment: int
    score: float | None
    line: int
    statistics: str | None = None
    rater: str = ""


def statistics_cell(statistics: NDArray[np.float64], configurations: int = 1) -> str:
    """Return a row of statistics as a file holds it: full precision, blanks between numbers.

    >>> import numpy as np
    >>> statistics_cell(np.array([0.1, 2.0, 0.3, 2.0]), 2)
    '0.1 2.0;0.3 2.0'
    """
    parts = np.split(statistics, configurations)
    return _CONFIGURATIONS.join(" ".join(map(repr, part.tolist())) for part in parts)


class StatisticRows(NamedTuple):
    """Additive statistics, systems x segments x columns: those of each configuration side by side."""

    statistics: NDArray[np.float64]
    configurations: int


def statistic_rows(
    rows: Iterable[ScoreRow], systems: Sequence[str], segments: int, *, where: str
) -> StatisticRows:
    """Return the statistics of rows that `score_matrix` takes; segments without a row have zeros."""
    indices = {system: index for index, system in enumerate(systems)}
    cells = [(row, _statistics(row, where)) for row in rows if row.system in indices]
    shape = np.shape(cells[0][1])
    matrix = np.zeros((len(systems), segments, int(np.prod(shape))))
    for row, parts in cells:
        if np.shape(parts) != shape:
            raise InputError(
                "has other statistics than the first row of its metric; all need as many",
                where=f"{where}:{row.line}",
            )
        matrix[indices[row.system], row.segment] = np.ravel(parts)
    return StatisticRows(matrix, shape[0])


def _statistics(row: ScoreRow, where: str) -> list[list[float]]:
    where = f"{where}:{row.line}"
    parts = [part.split(" ") for part in (row.statistics or "").split(_CONFIGURATIONS)]
    if len({len(part) for part in parts}) > 1:
        raise InputError("configurations have different numbers of statistics", where=where)
    return [[_statistic(cell, where) for cell in part] for part in parts]


def _statistic(cell: str, where: str) -> float:
    value = read_number(cell, called="statistic", where=where)
    if isnan(value):
        raise InputError(f"statistic is {cell!r}, which is not a number", where=where)
    return value


def read_score_rows(source: ByteSource) -> list[ScoreRow]:
    """Return the rows of `SYSTEM<TAB>SCORE`: those of one system are its segments in order.

    Every system needs the same number of rows, since segments are known by their place only.
    """
    counts: dict[str, int] = {}
    rows = []
    for line, cells in read_text_rows(source, separators=("\t",), held=_HELD):
        where = f"{source.name}:{line}"
        if len(cells) != 2 or not cells[0]:
            raise InputError("is not SYSTEM, a tab, SCORE", where=where)
        system, cell = cells
        segment = counts.get(system, 0)
        counts[system] = segment + 1
        rows.append(ScoreRow(system, segment, _score(cell, where), line))
    if len(set(counts.values())) > 1:
        raise InputError(
            f"systems have from {min(counts.values())} to {max(counts.values())} rows; all need the "
            "same number",
            where=source.name,
        )
    return rows


def read_metric_scores(
    source: ByteSource, *, name: str, pair: str | None = None
) -> dict[str, list[ScoreRow]]:
    """Return the rows of a score file by metric; `name` is the metric of a file that names none.

    Files of WMT's metrics tasks have rows of `METRIC PAIR TESTSET SYSTEM SEGMENT SCORE`, or without
    SEGMENT for scores of whole systems, and perhaps two more fields; `pair` chooses among several language
    pairs. Otherwise rows are `SYSTEM SEGMENT SCORE` with or without a header, segments from 1, or the long table that
    `kilter score --segments` writes, with or without statistics. Fields stand between tabs, or between blanks,
    with a header also between commas; the table may also be of JSON lines, Parquet or Arrow. Two fields a row are
    mt-metrics-eval's `SYSTEM SCORE`, in a file called `.sys.score` of whole systems. A JSON file of error spans scores
    each segment that was marked: less the sum of `SPAN_WEIGHTS`.
    """
    if _begins_as_json(source):
        spans = json_spans(source)
        if spans is not None:
            return {name: _span_rows(spans)}
    separators = (",",) if _has_commas(source) else ("\t", None)
    listed = read_text_rows(source, separators=separators, held=_HELD)
    start = next(listed)
    first = tuple(cell.lower() for cell in start[1])
    if len(first) == 2:
        scores = read_score_rows(source)
        whole = uncompressed_name(source.path).endswith(SYSTEM_SUFFIX)
        return {name: _of_systems(scores, source.name) if whole else scores}
    margins = first[: len(_LONG_HEADER) + 1] == (*_LONG_HEADER, _MARGIN)
    if margins:
        first = (*_LONG_HEADER, *first[len(_LONG_HEADER) + 1 :])
    stated = first == _STATISTICS_HEADER
    if len(first) in _TASK_WIDTHS and not stated:
        return _read_task([start, *listed], source.name, pair)
    long = stated or first == _LONG_HEADER
    rows = listed if long or first == _HEADER else chain([start], listed)
    width = len(first) if long else 3
    by_metric: dict[str, list[ScoreRow]] = {}
    for line, written in rows:
        where = f"{source.name}:{line}"
        cells = written
        if margins:
            cells = [*written[: len(_LONG_HEADER)], *written[len(_LONG_HEADER) + 1 :]]
        if len(cells) != width:
            header = _STATISTICS_HEADER if stated else _LONG_HEADER if long else _HEADER
            raise InputError(
                f"has {len(cells)} fields; a row is {' '.join(header).upper()}", where=where
            )
        metric = cells[2] if long else name
        row = ScoreRow(
            cells[0],
            _segment(cells[1], where),
            _score(cells[3 if long else 2], where),
            line,
            cells[4] if stated else None,
        )
        by_metric.setdefault(metric, []).append(row)
    return by_metric


def _begins_as_json(source: ByteSource) -> bool:
    """Return whether a file begins with a brace or a bracket."""
    first = next(source.chunks(again=True), b"")
    return first.lstrip()[:1] in (b"{", b"[")


def _span_rows(spans: Spans) -> list[ScoreRow]:
    """Return the score of each marked segment: the mean over its annotators of what their spans take off."""
    rows: list[ScoreRow] = []
    for (system, _), marked in spans.by_segment().items():
        costs = [
            sum(SPAN_WEIGHTS.get(span.severity.casefold(), 1.0) for span in each.spans)
            for each in marked
        ]
        score = 0.0 - sum(costs) / len(costs)
        rows.append(ScoreRow(system, marked[0].segment - 1, score, len(rows) + 1))
    return rows


def _has_commas(source: ByteSource) -> bool:
    """Return whether commas stand between the names of a header."""
    with opened_rows(source, held=_HELD, again=True) as rows:
        return rows.separator == "," and {"system", "segment"} <= {*map(str.lower, rows.columns)}


_SEGMENTS, _SYSTEMS = (6, 8), (5, 7)
_TASK_WIDTHS = (*_SEGMENTS, *_SYSTEMS)
"""Fields of a row of WMT's metrics tasks; the last two, if there are two more, say how a metric was made."""


def _read_task(
    listed: Sequence[tuple[int, Sequence[str]]], name: str, pair: str | None
) -> dict[str, list[ScoreRow]]:
    """Return the rows of one language pair of a file of WMT's metrics tasks, by metric."""
    width = len(listed[0][1])
    for line, cells in listed:
        if len(cells) != width:
            raise InputError(
                f"has {len(cells)} fields, but the first row {width}; a row is METRIC PAIR TESTSET SYSTEM "
                f"{'SEGMENT ' if width in _SEGMENTS else ''}SCORE",
                where=f"{name}:{line}",
            )
    chosen = _chosen_pair(list(dict.fromkeys(cells[1] for _, cells in listed)), name, pair)
    rows = [(line, cells) for line, cells in listed if cells[1] == chosen]
    sets = list(dict.fromkeys(cells[2] for _, cells in rows))
    if len(sets) > 1:
        raise InputError(
            f"holds scores on several test sets: {', '.join(sets)}; keep one", where=name
        )
    by_metric: dict[str, list[ScoreRow]] = {}
    for line, cells in rows:
        where = f"{name}:{line}"
        segment, score = (
            (_segment(cells[4], where), cells[5]) if width in _SEGMENTS else (WHOLE, cells[4])
        )
        row = ScoreRow(cells[3], segment, _score(score, where), line)
        by_metric.setdefault(cells[0], []).append(row)
    return by_metric


def _chosen_pair(there: Sequence[str], name: str, pair: str | None) -> str:
    meant = [each for each in there if pair is None or same_pair(each, pair)]
    if not meant:
        raise InputError(f"has no score of {pair}; it has {', '.join(there)}", where=name)
    if len(meant) > 1:
        raise InputError(
            f"holds several language pairs: {', '.join(there)}; choose one, such as",
            where=name,
            advice=Setting("pair", there[0]),
        )
    return meant[0]


def _of_systems(rows: Sequence[ScoreRow], name: str) -> list[ScoreRow]:
    """Return rows as scores of whole systems, of which each has one."""
    if any(row.segment for row in rows):
        raise InputError(
            "scores a system twice; a file called .sys.score has a row for each", where=name
        )
    return [row._replace(segment=WHOLE) for row in rows]


def without_gaps(
    files: Mapping[str, Sequence[ScoreRow]], *, where: str
) -> dict[str, list[ScoreRow]]:
    """Return rows whose segments are those that somebody scores, in their order and counted from 0.

    A segment that is scored twice is an `InputError`, which names it by the number it has in the file.
    """
    every = [row for rows in files.values() for row in rows]
    known = [row for row in every if row.score is not None or row.statistics is not None]
    scored = {row.segment for row in known or every}
    indices = {segment: index for index, segment in enumerate(sorted(scored))}
    renumbered = {}
    for name, rows in files.items():
        seen = set[tuple[str, int]]()
        for row in rows:
            if (row.system, row.segment) in seen:
                raise _second_row(row, where)
            seen.add((row.system, row.segment))
        renumbered[name] = [
            row._replace(segment=indices[row.segment]) for row in rows if row.segment in indices
        ]
    return renumbered


def _second_row(row: ScoreRow, where: str) -> InputError:
    return InputError(
        f"scores segment {row.segment + 1} of {row.system} a second time; keep one row",
        where=f"{where}:{row.line}",
    )


def score_matrix(
    rows: Iterable[ScoreRow], systems: Sequence[str], segments: int, *, where: str
) -> NDArray[np.float64]:
    """Return systems x segments, NaN where no score is given; what does not fit is an `InputError`.

    Systems that are not asked for are passed over; one that is asked for needs at least one row.
    """
    indices = {system: index for index, system in enumerate(systems)}
    matrix = np.full((len(systems), segments), np.nan)
    seen = np.zeros(matrix.shape, dtype=np.bool_)
    for row in rows:
        index = indices.get(row.system)
        if index is None:
            continue
        if row.segment >= segments:
            raise InputError(
                f"scores segment {row.segment + 1}, but there are {segments}",
                where=f"{where}:{row.line}",
            )
        if seen[index, row.segment]:
            raise _second_row(row, where)
        seen[index, row.segment] = True
        if row.score is not None:
            matrix[index, row.segment] = row.score
    absent = [system for index, system in enumerate(systems) if not seen[index].any()]
    if absent:
        raise InputError(f"has no score of {', '.join(map(repr, absent))}", where=where)
    return matrix


def _segment(cell: str, where: str) -> int:
    number = int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 20 else 0
    if not 1 <= number < 2**31:
        fault = "segments are numbered from 1 to 2147483647"
        raise InputError(f"segment is {cell!r}; {fault}", where=where)
    return number - 1


def _score(cell: str, where: str) -> float | None:
    value = read_number(cell, called="score", where=where)
    return None if isnan(value) else value


RATER_NAMES = ("rater", "judge", "annotator")
_SCORE_NAMES = ("score", "rating")


class Ratings(NamedTuple):
    """One score per system and segment, the mean of its raters', and how many there were."""

    rows: list[ScoreRow]
    raters: int = 0
    """How many people rated; 0 where no rater is named."""
    fewest: int = 1
    most: int = 1
    """Ratings of a translation."""


def read_ratings(source: ByteSource, *, name: str, pair: str | None = None) -> dict[str, Ratings]:
    """Return scores by the name of what was scored; `name` is that of a file that names none.

    A table with the columns system, segment, score (or rating) and rater (or judge, annotator), in any
    order and perhaps with metric, may score a translation once for each rater: the mean counts. Other
    files are those of `read_metric_scores`, with one score of a translation.
    """
    table = _rater_table(source)
    if table is None:
        read = read_metric_scores(source, name=name, pair=pair)
        return {called: Ratings(rows) for called, rows in read.items()}
    return {called: _averaged(rows) for called, rows in _rater_scores(table, name).items()}


def read_rater_scores(source: ByteSource) -> list[ScoreRow]:
    """Return every single rating of a file that `read_ratings` reads, in its order.

    Ratings of several things (a column metric with several names) are an `InputError`.
    """
    table = _rater_table(source)
    if table is None:
        files = read_metric_scores(source, name="rating")
        _refuse_several(list(files), source.name)
        (rows,) = files.values()
        return [row._replace(statistics=None) for row in rows]
    named = _rater_scores(table, "rating")
    _refuse_several(list(named), source.name)
    (scores,) = named.values()
    for score in scores if {*RATER_NAMES} & {*table.columns} else ():
        if not score.rater.strip():
            raise InputError(
                "names no rater; name one in every row, or leave the column out",
                where=f"{source.name}:{score.line}",
            )
    return scores


def _refuse_several(names: list[str], where: str) -> None:
    if len(names) > 1:
        raise InputError(
            f"holds ratings of several things: {', '.join(names)}; keep one", where=where
        )
    if not names:
        raise InputError("holds no rating; write a row for each", where=where)


def _rater_table(source: ByteSource) -> DataTable | None:
    """Return the table of a file that names raters, or has commas between its fields and no statistics."""
    with opened_rows(source, held="ratings or scores, one a line", again=True) as rows:
        names = {name.strip().lower() for name in rows.columns}
        commas = rows.separator == "," and {"system", "segment"} & names
    rated = {*RATER_NAMES} & names or (commas and "statistics" not in names)
    return read_table(source) if rated else None


def _rater_scores(table: DataTable, name: str) -> dict[str, list[ScoreRow]]:
    """Return the rows of a table by what was rated; a second rating by the same person is an `InputError`."""
    systems = table.named(table.need("system"), range(len(table)))
    segments = (table.integers(table.need("segment"), low=1) - 1).tolist()
    if {*_SCORE_NAMES} <= {*table.columns}:
        raise InputError(
            f"has columns {' and '.join(_SCORE_NAMES)}; leave one of them out",
            where=f"{table.name}:1",
        )
    values = table.numbers(table.need(*_SCORE_NAMES)).tolist()
    named = {*RATER_NAMES} & {*table.columns}
    raters = table.columns[table.need(*RATER_NAMES)] if named else ("",) * len(table)
    called = table.columns["metric"] if "metric" in table.columns else (name,) * len(table)
    given: dict[str, list[ScoreRow]] = {}
    seen = set()
    for row, value in enumerate(values):
        rating = (called[row], systems[row], segments[row], raters[row])
        if rating in seen:
            who = raters[row] or "somebody"
            raise InputError(
                f"{who} rates segment {segments[row] + 1} of {systems[row]} a second time; keep one row"
                f"{'' if named else ', or name raters in a column rater'}",
                where=table.where(row),
            )
        seen.add(rating)
        score = None if isnan(value) else value
        given.setdefault(called[row], []).append(
            ScoreRow(systems[row], segments[row], score, int(table.lines[row]), rater=raters[row])
        )
    return given


def _averaged(scores: list[ScoreRow]) -> Ratings:
    translations: dict[tuple[str, int], list[ScoreRow]] = {}
    for score in scores:
        translations.setdefault((score.system, score.segment), []).append(score)
    rows, counts = [], []
    for (system, segment), ratings in translations.items():
        known = [each.score for each in ratings if each.score is not None]
        counts.append(len(known))
        mean = fsum(known) / len(known) if known else None
        rows.append(ScoreRow(system, segment, mean, ratings[0].line))
    people = {score.rater for score in scores if score.rater}
    return Ratings(rows, len(people), min(counts), max(counts))
