"""Rankings of a few translations at a time: the CSV files of WMT 2008 to 2016."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.judgments.conversion import rank_score
from kilter.judgments.language_pair import rows_of_pair
from kilter.judgments.system_name import SystemNames
from kilter.structures.judgment.judgments import JudgedPairs, JudgedScores, Judgments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.formats.delimited import DelimitedTable

_SLOT = re.compile(r"system([0-9]+)(?:id|rank)")
_MISSING = -1
# Campaigns show five translations at a time; rows may hold fewer of them than were ranked.
_MOST = 5


def is_ranking(table: DelimitedTable) -> bool:
    """Return whether a table has columns such as `system1Id` and `system1rank`."""
    return "system1id" in table.columns and "system1rank" in table.columns


def ranking(
    table: DelimitedTable,
    *,
    outputs: Mapping[str, Sequence[str]] | None = None,
    pair: str | None = None,
) -> Judgments:
    """Return every two ranked translations of a task as a pair; 1 is the best rank, equal ranks a tie.

    A row is a task; rows of one judge and segment with the same `rankingID`, as 2015 and 2016 write
    them, are one. A rank of -1 or none at all is missing. Each translation also scores
    1 - (rank - 1) / |S| of its task, where |S| counts different texts as far as `outputs` tell them.
    Sections 12.7 and 14.1
    """
    slots = sorted({int(found[1]) for name in table.columns if (found := _SLOT.fullmatch(name))})
    segments = table.integers(table.need("srcindex", "segmentid"), low=1) - 1
    chosen = np.flatnonzero(rows_of_pair(table, pair)).tolist()
    tasks = _tasks(table, chosen)
    names = SystemNames(outputs or {})
    entries, texts = _Entries(table, tasks), _Texts(outputs or {})
    missing = 0
    for slot in slots:
        cells = table.columns[table.need(f"system{slot}id")]
        ranks = _ranks(table, table.need(f"system{slot}rank"), most=max(_MOST, len(slots)))
        members = {cell: names.members(cell) for cell in dict.fromkeys(cells)}
        for row in chosen:
            group = members[cells[row]]
            if not cells[row] and ranks[row] != _MISSING:
                raise InputError(
                    f"system{slot}Id is empty, but it has a rank", where=table.where(row)
                )
            if cells[row]:
                texts.add(int(tasks[row]), group, int(segments[row]))
                missing += int(ranks[row] == _MISSING)  # an empty slot misses nothing
            if ranks[row] != _MISSING:
                entries.add(row, slot, {name: names.number(name) for name in group}, ranks[row])
    pairs, together, alone = entries.pairs(segments)
    judges = table.find("judgeid")
    counts = {
        "rows": len(chosen),
        "tasks": len({int(tasks[row]) for row in chosen}),
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
        systems=names.names,
        pairs=pairs,
        scores=entries.scores(segments, texts.counts()),
        counts=counts,
    )


def _ranks(table: DelimitedTable, column: str, *, most: int) -> NDArray[np.int64]:
    ranks = np.empty(len(table), dtype=np.int64)
    for row, cell in enumerate(table.columns[column]):
        text = cell.strip()
        if text in ("", "-1"):
            ranks[row] = _MISSING
        elif text.isascii() and text.isdigit() and 1 <= int(text) <= most:
            ranks[row] = int(text)
        else:
            raise InputError(
                f"{column} is {cell!r}; a rank is a whole number from 1 to {most}, or -1 if it is missing",
                where=table.where(row),
            )
    return ranks


def _tasks(table: DelimitedTable, chosen: Sequence[int]) -> NDArray[np.int64]:
    """Return the task of each row; numbers of rankings may be used again for other judges and segments."""
    if table.find("rankingid") is None:
        return np.arange(len(table), dtype=np.int64)
    joined = ("rankingid", "srcindex", "segmentid", "judgeid")
    columns = [table.columns[name] for name in joined if name in table.columns]
    number: dict[tuple[str, ...], int] = {}
    tasks = np.full(len(table), -1, dtype=np.int64)
    for row in chosen:
        tasks[row] = number.setdefault(tuple(cells[row] for cells in columns), len(number))
    return tasks


class _Texts:
    """How many different texts each task shows, ranked or not; without its output a system has its own."""

    def __init__(self, outputs: Mapping[str, Sequence[str]]) -> None:
        self._outputs = outputs
        self._shown: dict[int, set[str | tuple[str, ...]]] = {}

    def add(self, task: int, group: tuple[str, ...], segment: int) -> None:
        """Add the one text that was shown for systems."""
        lines = self._outputs.get(group[0], ())
        text = lines[segment] if segment < len(lines) else group
        self._shown.setdefault(task, set()).add(text)

    def counts(self) -> dict[int, int]:
        """Return the number of texts by task."""
        return {task: len(texts) for task, texts in self._shown.items()}


class _Entries:
    """The ranked translations of all rows: row, slot, system and rank of each."""

    def __init__(self, table: DelimitedTable, tasks: NDArray[np.int64]) -> None:
        self._table = table
        self._tasks = tasks
        self.row: list[int] = []
        self.slot: list[int] = []
        self.system: list[int] = []
        self.rank: list[int] = []
        self._ranked: dict[tuple[int, int], tuple[int, int]] = {}
        """Rank and row of every system of a task."""

    def add(self, row: int, slot: int, systems: Mapping[str, int], rank: int) -> None:
        """Add what is in a slot of a row; a task ranks a system once, though several rows may repeat it."""
        for name, system in systems.items():
            key = int(self._tasks[row]), system
            known, before = self._ranked.setdefault(key, (rank, -1))
            if before == row:
                raise InputError(
                    f"ranks {name!r} twice; a task ranks a system once",
                    where=self._table.where(row),
                )
            if known != rank:
                raise InputError(
                    f"ranks {name!r} {rank}, but another row of the same task ranks it {known}",
                    where=self._table.where(row),
                )
            self._ranked[key] = rank, row
            self.row.append(row)
            self.slot.append(slot)
            self.system.append(system)
            self.rank.append(rank)

    def pairs(self, segments: NDArray[np.int64]) -> tuple[JudgedPairs, int, int]:
        """Return all pairs in the order of rows, how many share one slot, and the rows without any."""
        rows = len(self._table)
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
            first=system[at, first],
            second=system[at, second],
            outcome=better,
            task=self._tasks[at],
            line=self._table.lines[at],
        )
        return pairs, int(same.sum()), int(np.count_nonzero(count == 1))

    def scores(self, segments: NDArray[np.int64], texts: Mapping[int, int]) -> JudgedScores:
        """Return what each translation scores in its task of so many texts."""
        rows = [(*key, *ranked) for key, ranked in self._ranked.items()]
        task, system, rank, row = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        shown = np.array([texts[number] for number in task.tolist()], dtype=np.int64)
        return JudgedScores(
            segment=segments[row],
            system=system,
            value=rank_score(rank, shown),
            line=self._table.lines[row],
        )

    def _places(self, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return each entry's row and its place among the entries of the row, and their number by row."""
        row = np.array(self.row, dtype=np.int64)
        count = np.bincount(row, minlength=rows)
        starts = np.r_[0, np.cumsum(count)[:-1]]
        place = np.empty(len(row), dtype=np.int64)
        place[np.argsort(row, kind="stable")] = np.arange(len(row)) - np.repeat(starts, count)
        return row, place, count
