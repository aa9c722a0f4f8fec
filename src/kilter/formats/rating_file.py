"""Scores by system, segment and rater: human ratings, or any file of scores. [FRS] section 5"""

from __future__ import annotations

from math import fsum, isnan
from typing import TYPE_CHECKING, NamedTuple

from kilter.errors import InputError
from kilter.formats.delimited import read_delimited
from kilter.formats.score_file import ScoreRow, read_metric_scores
from kilter.formats.text import read_text

if TYPE_CHECKING:
    from kilter.formats.delimited import DelimitedTable
    from kilter.formats.stream import ByteSource

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
    header = read_text(source, held="one score a line")[0].lower()
    cells = header.split("\t") if "\t" in header else header.replace(",", " ").split()
    if not {*RATER_NAMES} & {*cells}:
        read = read_metric_scores(source, name=name, pair=pair)
        return {called: Ratings(rows) for called, rows in read.items()}
    return _of_raters(read_delimited(source), name)


def _of_raters(table: DelimitedTable, name: str) -> dict[str, Ratings]:
    systems = table.named(table.need("system"), range(len(table)))
    segments = (table.integers(table.need("segment"), low=1) - 1).tolist()
    values = table.numbers(table.need(*_SCORE_NAMES)).tolist()
    raters = table.columns[table.need(*RATER_NAMES)]
    called = table.columns["metric"] if "metric" in table.columns else (name,) * len(table)
    given: dict[str, dict[tuple[str, int], dict[str, tuple[float, int]]]] = {}
    for row, value in enumerate(values):
        of_metric = given.setdefault(called[row], {})
        of_segment = of_metric.setdefault((systems[row], segments[row]), {})
        if raters[row] in of_segment:
            raise InputError(
                f"{raters[row]} rates segment {segments[row] + 1} of {systems[row]} a second time; keep "
                "one row",
                where=table.where(row),
            )
        of_segment[raters[row]] = (value, int(table.lines[row]))
    return {metric: _averaged(translations) for metric, translations in given.items()}


def _averaged(
    translations: dict[tuple[str, int], dict[str, tuple[float, int]]],
) -> Ratings:
    rows, counts = [], []
    for (system, segment), ratings in translations.items():
        known = [value for value, _ in ratings.values() if not isnan(value)]
        counts.append(len(known))
        mean = fsum(known) / len(known) if known else None
        rows.append(ScoreRow(system, segment, mean, next(iter(ratings.values()))[1]))
    people = {rater for ratings in translations.values() for rater in ratings}
    return Ratings(rows, len(people), min(counts), max(counts))
