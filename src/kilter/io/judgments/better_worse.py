"""Pairs of systems of which people preferred one: a table with the columns segment, better and worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import JudgedPairs, Judgments
from kilter.io.judgments.column_name import SEGMENT_NAMES
from kilter.io.judgments.language_pair import rows_of_pair
from kilter.io.judgments.system_name import SystemNames

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from kilter.io.delimited import DelimitedTable


def is_better_worse(table: DelimitedTable) -> bool:
    """Return whether a table names the better and the worse system of each pair."""
    return "better" in table.columns and "worse" in table.columns


def better_worse(
    table: DelimitedTable, *, known: Container[str] = (), pair: str | None = None
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


def _tasks(table: DelimitedTable) -> NDArray[np.int64]:
    if "task" not in table.columns:
        return np.arange(len(table), dtype=np.int64)
    number: dict[str, int] = {}
    cells = table.columns["task"]
    return np.array([number.setdefault(cell, len(number)) for cell in cells], dtype=np.int64)
