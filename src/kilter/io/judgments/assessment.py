"""Scores that people gave to single translations: direct assessment, and averaged MQM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.judgments import Judgments
from kilter.io.judgments.column_name import SEGMENT_NAMES, SYSTEM_NAMES
from kilter.io.judgments.language_pair import rows_of_pair
from kilter.io.judgments.mean_score import mean_scores
from kilter.io.judgments.system_name import SystemNames

if TYPE_CHECKING:
    from collections.abc import Container

    from kilter.io.delimited import DelimitedTable

SCORE_NAMES = ("score", "z.scr", "z", "raw.scr", "raw", "mqm_avg_score", "rating")


def is_assessment(table: DelimitedTable) -> bool:
    """Return whether a table has columns for system, segment and score."""
    needed = (SYSTEM_NAMES, SEGMENT_NAMES, SCORE_NAMES)
    return all(table.find(*names) is not None for names in needed)


def assessment(
    table: DelimitedTable, *, known: Container[str] = (), pair: str | None = None
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
