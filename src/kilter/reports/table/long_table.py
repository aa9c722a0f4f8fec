"""One row a value, for programs: TSV, CSV or JSON lines."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, NamedTuple

from kilter.reports.table.table import TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

CSV = "csv"
LONG_FORMATS = (str(TableFormat.TSV), CSV, str(TableFormat.JSONL))


class LongTable(NamedTuple):
    """Names of columns, and rows of as many values, None where there is none."""

    names: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> LongTable:
        """Return the table of rows whose values are known by the names of their columns."""
        return cls(names, [[row[name] for name in names] for row in rows])


def write_long(table: LongTable, out: TextIO, *, form: str) -> None:
    """Write a table in one of the formats for programs."""
    names, rows = table
    if form == CSV:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(["" if value is None else value for value in row] for row in rows)
        return
    lines = table_writer(TableFormat(form), out, names, header={})
    lines.start()
    lines.rows({name: [row[place] for row in rows] for place, name in enumerate(names)})
    lines.end()
