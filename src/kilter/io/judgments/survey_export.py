"""Judgments of the survey: one row per participant and sentence. Section 12.6"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import Judgments
from kilter.io.judgments.mean_score import mean_scores
from kilter.io.judgments.survey_answer import question_levels, question_scales
from kilter.io.judgments.system_name import SystemNames

if TYPE_CHECKING:
    from collections.abc import Container

    from kilter.io.delimited import DelimitedTable

_SENTENCE = re.compile(r"[a-z]+[0-9]*_(?P<system>.+)\.[a-z]{2,3}-[a-z]{2,3} #(?P<line>[0-9]+)")


DEFAULT_QUESTION = "order"


def is_survey_export(table: DelimitedTable) -> bool:
    """Return whether a table holds answers of participants about sentences."""
    columns = set(table.columns)
    exported = {"participant", "sentence", "questionnaire", "position"} <= columns
    return exported or {"participant", "sentence", "order", "holistic"} <= columns


def survey_export(
    table: DelimitedTable,
    *,
    known: Container[str] = (),
    question: str = DEFAULT_QUESTION,
    dictionary: DelimitedTable | None = None,
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


def _place(table: DelimitedTable, row: int) -> tuple[str, int]:
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
