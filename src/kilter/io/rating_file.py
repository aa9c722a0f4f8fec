"""Scores by system, segment and rater: human ratings, or any file of scores. [FRS] section 5"""

from __future__ import annotations

from math import fsum, isnan
from typing import TYPE_CHECKING, NamedTuple

from kilter.core.errors import InputError
from kilter.io.delimited import read_delimited
from kilter.io.score_file import ScoreRow, read_metric_scores
from kilter.io.text import read_table_lines

if TYPE_CHECKING:
    from kilter.io.delimited import DelimitedTable
    from kilter.io.stream import ByteSource

RATER_NAMES = ("rater", "judge", "annotator")
_SCORE_NAMES = ("score", "rating")


class RaterScore(NamedTuple):
    """What one person gave to one translation: None where it is missing. Segments count from 0."""

    system: str
    segment: int
    rater: str
    """Empty where no rater is named."""
    score: float | None
    line: int


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


def read_rater_scores(source: ByteSource) -> list[RaterScore]:
    """Return every single rating of a file that `read_ratings` reads, in its order.

    Ratings of several things (a column metric with several names) are an `InputError`.
    """
    table = _rater_table(source)
    if table is None:
        files = read_metric_scores(source, name="rating")
        _refuse_several(list(files), source.name)
        (rows,) = files.values()
        return [RaterScore(row.system, row.segment, "", row.score, row.line) for row in rows]
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


def _rater_table(source: ByteSource) -> DelimitedTable | None:
    """Return the table of a file that names raters, or whose columns are separated by commas."""
    header = read_table_lines(source, held="ratings or scores, one a line")[0].lower()
    cells = header.split("\t") if "\t" in header else header.replace(",", " ").split()
    by_commas = "\t" not in header and "," in header and {"system", "segment"} & {*cells}
    return read_delimited(source) if by_commas or {*RATER_NAMES} & {*cells} else None


def _rater_scores(table: DelimitedTable, name: str) -> dict[str, list[RaterScore]]:
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
    given: dict[str, list[RaterScore]] = {}
    seen = set()
    for row, value in enumerate(values):
        place = (called[row], systems[row], segments[row], raters[row])
        if place in seen:
            who = raters[row] or "somebody"
            raise InputError(
                f"{who} rates segment {segments[row] + 1} of {systems[row]} a second time; keep one row"
                f"{'' if named else ', or name raters in a column rater'}",
                where=table.where(row),
            )
        seen.add(place)
        score = None if isnan(value) else value
        given.setdefault(called[row], []).append(
            RaterScore(systems[row], segments[row], raters[row], score, int(table.lines[row]))
        )
    return given


def _averaged(scores: list[RaterScore]) -> Ratings:
    translations: dict[tuple[str, int], list[RaterScore]] = {}
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
