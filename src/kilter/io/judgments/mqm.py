"""Errors that annotators marked (MQM), weighted and summed.

M. Freitag et al., Experts, Errors, and Context (TACL 2021), table 12: the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import Judgments
from kilter.io.judgments.column_name import SYSTEM_NAMES
from kilter.io.judgments.language_pair import rows_of_pair
from kilter.io.judgments.mean_score import mean_scores
from kilter.io.judgments.system_name import SystemNames

if TYPE_CHECKING:
    from collections.abc import Container

    from kilter.io.delimited import DelimitedTable

_SEGMENT_NAMES = ("globalsegid", "seg_id", "segment", "seg")
_JUDGE_NAMES = ("rater", "judge", "annotator")
_WEIGHTS = {"critical": 5.0, "major": 5.0, "minor": 1.0, "neutral": 0.0}
_NO_ERROR = frozenset({"no-error", "no error", "hotw-test", "reference error"})
NON_TRANSLATION = 25.0
MINOR_PUNCTUATION = 0.1


def is_mqm(table: DelimitedTable) -> bool:
    """Return whether a table lists errors with category and severity."""
    return "severity" in table.columns and "category" in table.columns


def mqm(table: DelimitedTable, *, known: Container[str] = (), pair: str | None = None) -> Judgments:
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


def _weight(table: DelimitedTable, row: int) -> float:
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
