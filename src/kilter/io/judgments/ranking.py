"""Rankings of a few translations at a time: the CSV files of WMT 2008 to 2016."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import JudgedPairs, JudgedScores, Judgments
from kilter.io.judgments.system_name import SystemNames, rows_of_pair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.table import DataTable


def rank_score(
    rank: NDArray[np.int64], texts: NDArray[np.int64], *, whole_range: bool = False
) -> NDArray[np.float64]:
    """Return 1 - (rank - 1) / texts for ranks in tasks with so many different texts, 1 = best.

    As printed the worst of n texts scores 1 / n; `whole_range` divides by texts - 1 instead, so that it
    scores 0. A task with one text scores 1.

    >>> import numpy as np
    >>> rank_score(np.array([1, 2, 3]), np.array([3, 3, 3])).round(3).tolist()
    [1.0, 0.667, 0.333]
    """
    steps = np.maximum(texts - 1, 1) if whole_range else texts
    return np.asarray(np.where(texts <= 1, 1.0, 1.0 - (rank - 1) / steps), dtype=np.float64)


def degree_score(degree: NDArray[np.int64], largest: int) -> NDArray[np.float64]:
    """Return 1 - (degree - 1) / (largest - 1): 1 for the mildest permutation; 1 if there is one degree.

    >>> import numpy as np
    >>> degree_score(np.array([1, 2, 4]), 4).round(3).tolist()
    [1.0, 0.667, 0.0]
    """
    if largest <= 1:
        return np.ones(len(degree))
    return np.asarray(1.0 - (degree - 1) / (largest - 1), dtype=np.float64)


_SLOT = re.compile(r"system([0-9]+)(?:id|rank)")
_MISSING = -1
# Campaigns show five translations at a time; rows may hold fewer of them than were ranked.
_MOST = 5


def is_ranking(table: DataTable) -> bool:
    """Return whether a table has columns such as `system1Id` and `system1rank`."""
    return "system1id" in table.columns and "system1rank" in table.columns


def ranking(
    table: DataTable,
    *,
    outputs: Mapping[str, Sequence[str]] | None = None,
    pair: str | None = None,
) -> Judgments:
    """Return every two ranked translations of a task as a pair; 1 is the best rank, equal ranks a tie.

    A row is a task; rows of one judge and segment with the same `rankingID`, as 2015 and 2016 write
    them, are one. A rank of -1 or none at all is missing. Each translation also scores
    1 - (rank - 1) / |S| of its task, where |S| counts different texts as far as `outputs` tell them. Where a
    task shows a text several times, or ranks reach beyond |S|, they are those among the different texts. Sections 12.7 and 14.1
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
        scores=entries.scores(segments, texts, names.names),
        counts=counts,
    )


def _ranks(table: DataTable, column: str, *, most: int) -> NDArray[np.int64]:
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


def _tasks(table: DataTable, chosen: Sequence[int]) -> NDArray[np.int64]:
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
    """The texts that each task shows, ranked or not; without its output a system has its own."""

    def __init__(self, outputs: Mapping[str, Sequence[str]]) -> None:
        self._outputs = outputs
        self._shown: dict[int, dict[tuple[str, ...], str | tuple[str, ...]]] = {}

    def add(self, task: int, group: tuple[str, ...], segment: int) -> None:
        """Add the one text that was shown for systems."""
        lines = self._outputs.get(group[0], ())
        text = lines[segment] if segment < len(lines) else group
        self._shown.setdefault(task, {})[group] = text

    def count(self, task: int) -> int:
        """Return the number of different texts of a task."""
        return len({*self._shown[task].values()})

    def ranks(self, task: int, ranks: Mapping[str, int]) -> dict[str, int]:
        """Return the ranks of systems among the different texts of their task.

        They are those given, unless the task shows a text several times or gives ranks beyond the number of
        texts: then a rank is one more than the number of other texts that have a better one.
        """
        shown, count = self._shown[task], self.count(task)
        if len(shown) == count and max(ranks.values()) <= count:
            return {**ranks}
        text_of = {name: text for group, text in shown.items() for name in group}
        best: dict[str | tuple[str, ...], int] = {}
        for name, rank in ranks.items():
            best[text_of[name]] = min(rank, best.get(text_of[name], rank))
        return {
            name: 1 + sum(other < rank for text, other in best.items() if text != text_of[name])
            for name, rank in ranks.items()
        }


class _Entries:
    """The ranked translations of all rows: row, slot, system and rank of each."""

    def __init__(self, table: DataTable, tasks: NDArray[np.int64]) -> None:
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

    def scores(
        self, segments: NDArray[np.int64], texts: _Texts, names: Sequence[str]
    ) -> JudgedScores:
        """Return what each translation scores in its task."""
        given: dict[int, dict[str, int]] = {}
        for (task, number), (given_rank, _) in self._ranked.items():
            given.setdefault(task, {})[names[number]] = given_rank
        ranks = {task: texts.ranks(task, of_systems) for task, of_systems in given.items()}
        rows = [
            (number, ranks[task][names[number]], texts.count(task), row)
            for (task, number), (_, row) in self._ranked.items()
        ]
        system, rank, shown, row = np.array(rows, dtype=np.int64).reshape(-1, 4).T
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
