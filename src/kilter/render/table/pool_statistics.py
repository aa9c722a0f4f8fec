"""What questionnaires are drawn from, as people read it. [TH] table 6.2"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.results.pool_statistics import PoolCount, PoolStatistics

_COLUMNS = (
    "pair", "year", "corpora", "sentences", "in pool", "reference length", "hypothesis length",
    "ranked", "rank score",
)  # fmt: skip


def write_pool(statistics: PoolStatistics, out: TextIO) -> None:
    """Write a row for each language pair and year and one for all; permutations where they were counted."""
    counted = statistics.total.permutations
    types = [] if counted is None else [*counted]
    names = [*_COLUMNS, *types, *(["permutations"] if types else [])]
    rows = [_cells(row, types) for row in (*statistics.rows, statistics.total)]
    write_cells(TableFormat.TEXT, out, names, rows, left=1)


def _cells(row: PoolCount, types: list[str]) -> list[str]:
    cells = [
        row.pair or "all",
        "" if row.year is None else str(row.year),
        str(row.corpora),
        str(row.sentences),
        str(row.in_pool),
        _mean(row.reference_length, 1),
        _mean(row.hypothesis_length, 1),
        str(row.ranked),
        _mean(row.rank_score, 3),
    ]
    if row.permutations is not None and types:
        cells += [str(row.permutations[name]) for name in types]
        cells.append(str(sum(row.permutations.values())))
    return cells


def _mean(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
