"""Judgments of the survey: one row per participant and sentence. Section 12.6"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import Judgments
from kilter.io.judgments.segment_scores import mean_scores
from kilter.io.judgments.system_name import SystemNames

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray

    from kilter.io.table import DataTable

RESERVED = (
    "participant", "questionnaire", "position", "sentence", "system", "segment", "seconds", "control",
    "slot", "comment", "simulated",
)  # fmt: skip
"""Columns of exported judgments that are no questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionScale:
    """A question about sentences and its levels, whole numbers from `low`, the worst, to `high`."""

    name: str
    low: int = 1
    high: int = 5

    @property
    def levels(self) -> range:
        """The answers that can be given."""
        return range(self.low, self.high + 1)

    def scores(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return levels as scores from 0 to 1: (level - low) / (high - low). Section 12.7"""
        return (levels - self.low) / (self.high - self.low)


def question_scales(
    judgments: DataTable, dictionary: DataTable | None, *, beside: Container[str] = ()
) -> tuple[QuestionScale, ...]:
    """Return the questions whose answers are ordered levels; five boxes where no dictionary says more.

    There must be one, unless there are questions `beside` them whose answers are no levels.
    """
    names = [name for name in judgments.columns if name not in RESERVED and name not in beside]
    if dictionary is None or dictionary.find("low") is None:
        scales = [QuestionScale(name=name) for name in names]
    else:
        _check_all_there(dictionary, names, judgments)
        scales = [
            QuestionScale(name=name, low=bounds[0], high=bounds[1])
            for name in names
            if (bounds := _bounds(dictionary, name)) is not None
        ]
    if not scales and not beside:
        raise InputError(
            "has no column of answers on a scale, such as holistic or order; preferences between two translations "
            "are exported with --ratings, for 'kilter meta --judgments'",
            where=f"{judgments.name}:1",
        )
    return tuple(scales)


def _check_all_there(dictionary: DataTable, names: Sequence[str], judgments: DataTable) -> None:
    """Refuse a question on a scale that judgments have no column of: answers would be left out unseen."""
    for name in ("table", "column", "low"):
        dictionary.need(name)
    for row in range(len(dictionary)):
        table, column, low = (dictionary.columns[name][row] for name in ("table", "column", "low"))
        if table == "judgments" and low and column.lower() not in {*names, *RESERVED}:
            raise InputError(
                f"the question {column} has no column in {judgments.name}; export both together",
                where=dictionary.where(row),
            )


def _bounds(dictionary: DataTable, question: str) -> tuple[int, int] | None:
    for name in ("table", "column", "low", "high"):
        dictionary.need(name)
    for row in range(len(dictionary)):
        entry = {name: dictionary.columns[name][row] for name in ("table", "column", "low", "high")}
        if entry["table"] != "judgments" or entry["column"].lower() != question:
            continue
        if not entry["low"] and not entry["high"]:
            return None
        low, high = (dictionary.numbers(name)[row] for name in ("low", "high"))
        if not (float(low).is_integer() and float(high).is_integer() and low < high):
            raise InputError(
                f"{question} goes from {entry['low']!r} to {entry['high']!r}; write two whole numbers",
                where=dictionary.where(row),
            )
        return int(low), int(high)
    return None


def question_levels(judgments: DataTable, question: QuestionScale) -> NDArray[np.float64]:
    """Return the answers to a question as levels; what was not answered is NaN."""
    levels = judgments.numbers(question.name)
    given = np.array([bool(cell.strip()) for cell in judgments.columns[question.name]], dtype=bool)
    wrong = given & ~np.isin(levels, list(question.levels))
    for row in np.flatnonzero(wrong).tolist():
        raise InputError(
            f"{question.name} is {judgments.columns[question.name][row]!r}; it is a whole number from "
            f"{question.low} to {question.high}, or empty",
            where=judgments.where(row),
        )
    return levels


_SENTENCE = re.compile(r"[a-z]+[0-9]*_(?P<system>.+)\.[a-z]{2,3}-[a-z]{2,3} #(?P<line>[0-9]+)")


DEFAULT_QUESTION = "order"


def is_survey_export(table: DataTable) -> bool:
    """Return whether a table holds answers of participants about sentences."""
    columns = set(table.columns)
    exported = {"participant", "sentence", "questionnaire", "position"} <= columns
    return exported or {"participant", "sentence", "order", "holistic"} <= columns


def survey_export(
    table: DataTable,
    *,
    known: Container[str] = (),
    question: str = DEFAULT_QUESTION,
    dictionary: DataTable | None = None,
) -> Judgments:
    """Return the answers to one question as scores from 0 to 1, the mean over participants.

    The `dictionary` of the export says how far its scale goes; without one there are five boxes. The
    sentence is called `<campaign>_<system>.<language pair> #<line>`, unless the columns `system` and
    `segment` say what it is. A missing answer is left out and counted.
    """
    scales = {scale.name: scale for scale in question_scales(table, dictionary)}
    if question not in scales:
        raise InputError(
            f"has no answers to a question {question!r} on a scale; there are: {', '.join(scales)}",
            where=f"{table.name}:1",
        )
    levels = question_levels(table, scales[question])
    names = SystemNames(known)
    filled = np.flatnonzero(~np.isnan(levels)).tolist()
    places = [_place(table, row) for row in filled]
    scores = mean_scores(
        np.array([segment for _, segment in places], dtype=np.int64),
        names.single([system for system, _ in places]),
        scales[question].scores(levels[filled]),
        table.lines[filled],
    )
    counts = {
        "rows": len(table),
        "judges": len(set(table.columns["participant"])),
        "scores": len(scores),
        "missing": len(table) - len(filled),
        "repeated": len(filled) - len(scores),
    }
    return Judgments(source=table.name, systems=names.names, scores=scores, counts=counts)


def _place(table: DataTable, row: int) -> tuple[str, int]:
    if "system" in table.columns and "segment" in table.columns:
        line = table.columns["segment"][row]
        if not (line.isascii() and line.isdigit() and int(line) >= 1):
            raise InputError(f"segment is {line!r}; it is counted from 1", where=table.where(row))
        return table.columns["system"][row], int(line) - 1
    match = _SENTENCE.fullmatch(table.columns["sentence"][row])
    if match is None or int(match["line"]) < 1:
        raise InputError(
            f"the sentence is called {table.columns['sentence'][row]!r}; write "
            "'wmt14_SYSTEM.de-en #LINE', or add the columns system and segment",
            where=table.where(row),
        )
    return match["system"], int(match["line"]) - 1
