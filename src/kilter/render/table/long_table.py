"""One row a value, for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from kilter.render.table.table import ROW_FORMATS, TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TextIO


class LongTable(NamedTuple):
    """Names of columns, and rows of as many values, None where there is none."""

    names: Sequence[str]
    rows: Sequence[Sequence[object]]

    @classmethod
    def of(cls, names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> LongTable:
        """Return the table of rows whose values are known by the names of their columns."""
        return cls(names, [[row[name] for name in names] for row in rows])


def write_long(table: LongTable, out: TextIO, *, form: TableFormat) -> None:
    """Write a table in one of the formats for programs."""
    names, rows = table
    writer = table_writer(form, out, names, header={})
    writer.start()
    writer.rows({name: [row[place] for row in rows] for place, name in enumerate(names)})
    writer.end()


def write_result(
    out: TextIO,
    form: TableFormat,
    *,
    document: Callable[[], Mapping[str, object] | Sequence[object]],
    rows: Callable[[], LongTable],
    page: Callable[[], None],
) -> None:
    """Write a result; only what the format needs is made of it.

    JSON is one line of every command, as programs read it.
    """
    if form is TableFormat.JSON:
        json.dump(document(), out, ensure_ascii=False, allow_nan=False)
        out.write("\n")
    elif form in ROW_FORMATS:
        write_long(rows(), out, form=form)
    else:
        page()
