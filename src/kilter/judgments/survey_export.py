"""Judgments of the survey: one row per participant and sentence. Section 12.6"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.judgments.conversion import likert_score
from kilter.judgments.mean_score import mean_scores
from kilter.judgments.system_name import SystemNames
from kilter.options.choice import Choice
from kilter.structures.judgment.judgments import Judgments

if TYPE_CHECKING:
    from collections.abc import Container

    from kilter.formats.delimited import DelimitedTable

_SENTENCE = re.compile(r"[a-z]+[0-9]*_(?P<system>.+)\.[a-z]{2,3}-[a-z]{2,3} #(?P<line>[0-9]+)")


class SurveyQuestion(Choice):
    """What participants were asked about a translation."""

    ORDER = "order"
    HOLISTIC = "holistic"


def is_survey_export(table: DelimitedTable) -> bool:
    """Return whether a table holds answers of participants about sentences."""
    return {"participant", "sentence", "order", "holistic"} <= set(table.columns)


def survey_export(
    table: DelimitedTable,
    *,
    known: Container[str] = (),
    question: SurveyQuestion = SurveyQuestion.ORDER,
) -> Judgments:
    """Return the answers to one question as (box - 1) / 4, the mean over participants.

    The sentence is called `<campaign>_<system>.<language pair> #<line>`, unless the columns `system`
    and `segment` say what it is. A missing answer is left out and counted.
    """
    boxes = table.numbers(question)
    for row in np.flatnonzero(~np.isnan(boxes)).tolist():
        if boxes[row] not in (1.0, 2.0, 3.0, 4.0, 5.0):
            raise InputError(
                f"{question} is {table.columns[question][row]!r}; boxes are numbered 1 to 5",
                where=table.where(row),
            )
    names = SystemNames(known)
    filled = np.flatnonzero(~np.isnan(boxes)).tolist()
    places = [_place(table, row) for row in filled]
    scores = mean_scores(
        np.array([segment for _, segment in places], dtype=np.int64),
        names.single([system for system, _ in places]),
        likert_score(boxes[filled]),
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


def _place(table: DelimitedTable, row: int) -> tuple[str, int]:
    if "system" in table.columns and "segment" in table.columns:
        line = table.columns["segment"][row]
        if not (line.isascii() and line.isdigit() and int(line) >= 1):
            raise InputError(f"segment is {line!r}; it is counted from 1", where=table.where(row))
        return table.columns["system"][row], int(line) - 1
    found = _SENTENCE.fullmatch(table.columns["sentence"][row])
    if found is None or int(found["line"]) < 1:
        raise InputError(
            f"the sentence is called {table.columns['sentence'][row]!r}; write "
            "'wmt14_SYSTEM.de-en #LINE', or add the columns system and segment",
            where=table.where(row),
        )
    return found["system"], int(found["line"]) - 1
