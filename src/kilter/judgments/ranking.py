"""Rankings of a few translations at a time: the CSV files of WMT 2008 to 2016."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.judgments.conversion import rank_score
from kilter.judgments.language_pair import rows_of_pair
from kilter.judgments.system_name import SystemNames
from kilter.structures.judgments import JudgedPairs, JudgedScores, Judgments

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from kilter.formats.delimited import DelimitedTable

_RANK = re.compile(r"system([0-9]+)rank")
_MISSING = -1


def is_ranking(table: DelimitedTable) -> bool:
    """Return whether a table has columns such as `system1Id` and `system1rank`."""
    return "system1id" in table.columns and "system1rank" in table.columns


def ranking(
    table: DelimitedTable, *, known: Container[str] = (), pair: str | None = None
) -> Judgments:
    """Return every two ranked translations of a task as a pair; 1 is the best rank, equal ranks a tie.

    A row is a task; rows with the same `rankingID`, as 2015 and 2016 write them, are one. A rank of -1
    or none at all is missing. Each translation also scores 1 - (rank - 1) / |S| of its task. Section 14.1
    """
    slots = sorted(int(found[1]) for name in table.columns if (found := _RANK.fullmatch(name)))
    for slot in slots:
        table.need(f"system{slot}id")
    segments = table.integers(table.need("srcindex", "segmentid"), low=1) - 1
    chosen = np.flatnonzero(rows_of_pair(table, pair))
    names = SystemNames(known)
    entries = _Entries()
    missing = 0
    for slot in slots:
        ranks = _ranks(table, f"system{slot}rank")
        cells = table.columns[f"system{slot}id"]
        members = names.column([cells[row] if ranks[row] != _MISSING else "" for row in chosen])
        for row, group in zip(chosen.tolist(), members, strict=True):
            if ranks[row] == _MISSING:
                missing += bool(cells[row])  # an empty slot misses nothing
            elif not cells[row]:
                raise InputError(
                    f"system{slot}Id is empty, but it has a rank", where=table.where(row)
                )
            else:
                entries.add(row, slot, group, int(ranks[row]))
    systems, renumbered = _without_blank(names.names)
    tasks = _tasks(table)
    pairs, together, alone = entries.pairs(len(table), segments, tasks, table.lines, renumbered)
    judged = {int(task) for task in tasks[chosen]}
    judges = table.find("judgeid")
    counts = {
        "rows": len(chosen),
        "tasks": len(judged),
        "judges": len({table.columns[judges][row] for row in chosen}) if judges else 0,
        "pairs": len(pairs),
        "ties": int(np.count_nonzero(pairs.outcome == 0)),
        "missing": missing,
        "repeated": int(pairs.repeats().sum()),
        "identical_in_task": together,
        "tasks_without_pair": alone,
    }
    return Judgments(
        source=table.name,
        systems=systems,
        pairs=pairs,
        scores=entries.scores(segments, table.lines, renumbered),
        counts=counts,
    )


def _ranks(table: DelimitedTable, column: str) -> NDArray[np.int64]:
    found = np.empty(len(table), dtype=np.int64)
    for row, cell in enumerate(table.columns[column]):
        text = cell.strip()
        if text in ("", "-1"):
            found[row] = _MISSING
        elif text.isascii() and text.isdigit() and int(text) >= 1:
            found[row] = int(text)
        else:
            raise InputError(
                f"{column} is {cell!r}; a rank is a whole number from 1, or -1 if it is missing",
                where=table.where(row),
            )
    return found


def _without_blank(names: tuple[str, ...]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the names less the empty one of missing entries, and the new number of each old one."""
    kept = [name for name in names if name]
    number = {name: place for place, name in enumerate(kept)}
    return tuple(kept), np.array([number.get(name, -1) for name in names], dtype=np.int64)


def _tasks(table: DelimitedTable) -> NDArray[np.int64]:
    column = table.find("rankingid")
    if column is None:
        return np.arange(len(table), dtype=np.int64)
    number: dict[str, int] = {}
    return np.array(
        [number.setdefault(cell, len(number)) for cell in table.columns[column]], dtype=np.int64
    )


class _Entries:
    """The ranked translations of all rows: row, slot, system and rank of each."""

    def __init__(self) -> None:
        self.row: list[int] = []
        self.slot: list[int] = []
        self.system: list[int] = []
        self.rank: list[int] = []

    def add(self, row: int, slot: int, systems: tuple[int, ...], rank: int) -> None:
        for system in systems:
            self.row.append(row)
            self.slot.append(slot)
            self.system.append(system)
            self.rank.append(rank)

    def pairs(
        self,
        rows: int,
        segments: NDArray[np.int64],
        tasks: NDArray[np.int64],
        lines: NDArray[np.int64],
        renumbered: NDArray[np.int64],
    ) -> tuple[JudgedPairs, int, int]:
        """Return all pairs in the order of rows, how many share one slot, and the rows without any."""
        row, place, count = self._places(rows)
        wide = np.full((4, rows, int(count.max(initial=0))), -1, dtype=np.int64)
        for plane, values in enumerate((self.slot, self.system, self.rank, [1] * len(row))):
            wide[plane][row, place] = values
        slot, system, rank, there = wide
        one, other = np.triu_indices(wide.shape[2], k=1)
        both = (there[:, one] == 1) & (there[:, other] == 1)
        same = both & (slot[:, one] == slot[:, other])
        at, column = np.nonzero(both & ~same)
        first, second = one[column], other[column]
        better = np.sign(rank[at, second] - rank[at, first]).astype(np.int8)
        pairs = JudgedPairs(
            segment=segments[at],
            first=renumbered[system[at, first]] if len(at) else at,
            second=renumbered[system[at, second]] if len(at) else at,
            outcome=better,
            task=tasks[at],
            line=lines[at],
        )
        return pairs, int(same.sum()), int(np.count_nonzero(count == 1))

    def scores(
        self, segments: NDArray[np.int64], lines: NDArray[np.int64], renumbered: NDArray[np.int64]
    ) -> JudgedScores:
        """Return what each translation scores in its task."""
        row = np.array(self.row, dtype=np.int64)
        texts = np.zeros(len(segments), dtype=np.int64)
        slots = np.unique(np.array([self.row, self.slot], dtype=np.int64), axis=1)
        np.add.at(texts, slots[0], 1)
        return JudgedScores(
            segment=segments[row],
            system=renumbered[np.array(self.system, dtype=np.int64)] if len(row) else row,
            value=rank_score(np.array(self.rank, dtype=np.int64), texts[row]),
            line=lines[row],
        )

    def _places(self, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return each entry's row and its place among the entries of the row, and their number by row."""
        row = np.array(self.row, dtype=np.int64)
        count = np.bincount(row, minlength=rows)
        starts = np.r_[0, np.cumsum(count)[:-1]]
        place = np.empty(len(row), dtype=np.int64)
        place[np.argsort(row, kind="stable")] = np.arange(len(row)) - np.repeat(starts, count)
        return row, place, count
