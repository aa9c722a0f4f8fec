"""Texts one after another in a file: lines of their own, JSON lines, or a column of Parquet."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.io.column_file import column_format
from kilter.io.output import check_output, written_text
from kilter.render.table.parquet import StreamedParquetWriter, check_parquet
from kilter.render.table.table import TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Write = Callable[[Sequence[str]], None]


def row_form(path: str) -> TableFormat | None:
    """Return what table a file is by its name: JSON lines, Parquet, or None for plain text.

    >>> row_form("a.links"), row_form("a.jsonl.gz"), row_form("a.parquet")
    (None, <TableFormat.JSONL: 'jsonl'>, <TableFormat.PARQUET: 'parquet'>)
    """
    plain = path.lower().removesuffix(".gz").removesuffix(".xz")
    if plain.endswith(".jsonl"):
        return TableFormat.JSONL
    return TableFormat.PARQUET if plain.endswith(".parquet") else None


def check_rows_path(path: str, inputs: Iterable[str], *, called: str) -> None:
    """Raise before anything is computed if texts cannot be written there."""
    if row_form(path) is TableFormat.PARQUET:
        if not path.lower().endswith(".parquet"):
            raise OptionError(f"{called}: Parquet is compressed inside; leave .gz or .xz out")
        check_parquet(called)
    if column_format(path) == "Arrow":
        raise OptionError(f"{called}: Arrow is read, not written; name a .parquet or .jsonl file")
    check_output(path, inputs, called=called)


@contextmanager
def written_rows(path: str, column: str, *, end: str) -> Iterator[Write]:
    """Yield a function that writes more texts into a file, which appears when all is written.

    In a table each text is a row with this column; otherwise texts follow one another, each with its `end`.
    """
    form = row_form(path)
    with written_text(path) as out:
        if form is None:
            yield lambda texts: out.writelines(text + end for text in texts)
            return
        nothing: list[str] = []
        writer = (
            StreamedParquetWriter(out, [column], header={}, like={column: nothing})
            if form is TableFormat.PARQUET
            else table_writer(form, out, [column], header={})
        )
        writer.start()
        yield lambda texts: writer.rows({column: [*texts]})
        writer.end()
