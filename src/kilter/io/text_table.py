"""A text as a column of a table: TSV, CSV, JSON lines, Parquet or Arrow."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.sequence import shown
from kilter.io.column_file import column_format, opened_columns
from kilter.io.json_text import parse_json
from kilter.io.text import TextCheck, check_cell, check_lines, line_blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kilter.io.stream import ByteSource

    Rows = Iterator[tuple[int, str, object]]
    """Their lines, the name of the column, and its cells."""

_ROWS = 1024
"""So many rows are looked at together."""


def is_table(path: str) -> bool:
    """Return whether a file is a table by its name.

    >>> is_table("a.tsv.gz"), is_table("a.txt")
    (True, False)
    """
    return _suffix(path) in _READERS


def is_only_table(path: str) -> bool:
    """Return whether a file can be nothing but a table by its name; lines of anything may be called `.tsv`.

    >>> is_only_table("a.jsonl.gz"), is_only_table("a.tsv")
    (True, False)
    """
    return is_table(path) and _suffix(path) not in (".tsv", ".csv")


def _suffix(path: str) -> str:
    plain = path.removesuffix(".gz").removesuffix(".xz")
    return plain[plain.rfind(".") :].lower() if "." in plain else ""


def read_column(source: ByteSource, name: str | None) -> tuple[str, ...]:
    """Return a column of a table as a text, one segment a row; a missing cell is an `InputError`.

    Tables have a header, or keys. Names of columns are as the header writes them; where none is so
    written, upper and lower case do not matter. A table of one column need not be told which.
    """
    return tuple(line for lines in column_blocks(source, name) for line in lines)


def column_blocks(
    source: ByteSource, name: str | None, *, again: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the same lines some at a time; say `again=True` beforehand if they will be read once more.

    What is wrong with the bytes is told before what is wrong with a row, wherever the two are.
    """
    blocks = _checked(line_blocks(source.chunks(again=again)), source.name)
    rows = _READERS[_suffix(source.path)](source, blocks, name)
    some = False
    try:
        for lines in _lines(rows, source.name):
            some = True
            yield lines
    except InputError:
        if column_format(source.path) is None:
            for _ in blocks:  # what is wrong with the bytes comes first
                pass
        raise
    if not some:
        raise InputError("has no row below its header", where=source.name)


def _checked(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield blocks with Unix line ends until something is wrong with one of them."""
    check = TextCheck(held="a header and rows")
    for block in blocks:
        plain = block.replace(b"\r\n", b"\n")
        check.add(plain)
        if check.has_problem:
            break
        yield plain
    for block in blocks:  # another problem may be told first
        check.add(block.replace(b"\r\n", b"\n"))
    problem = check.problem()
    if problem is not None:
        raise InputError(problem.reason, where=f"{name}:{problem.line}")


def _lines(rows: Rows, where: str) -> Iterator[tuple[str, ...]]:
    """Yield the cells of rows, checked."""
    while some := list(islice(rows, _ROWS)):
        cells = [cell for _, _, cell in some]
        try:
            check_lines(cells, where=where)  # type: ignore[arg-type]
        except InputError:
            for line, name, cell in some:
                _check_cell(cell, name, f"{where}:{line}")
        yield tuple(cells)  # type: ignore[arg-type]


def _check_cell(cell: object, name: str, where: str) -> None:
    if cell is None:
        raise InputError(
            f"has no text in the column {name}; fill it, with '' for no words", where=where
        )
    if not isinstance(cell, str):
        raise InputError(
            f"has {shown(cell)}, which is no text, in the column {name}; write it as text",
            where=where,
        )
    check_cell(cell, where=where)


def _chosen(names: Sequence[str], wanted: str | None, where: str) -> int:
    """Return the place of a column."""
    if wanted is None and len(names) == 1:
        return 0
    alike = [place for place, name in enumerate(names) if name == wanted]
    if not alike and wanted is not None:
        alike = [place for place, name in enumerate(names) if name.lower() == wanted.lower()]
    if len(alike) == 1:
        return alike[0]
    if not names:
        raise InputError(
            "is a table without a column; name its columns in the first line", where=where
        )
    columns = ", ".join(names)
    if wanted is None:
        fault = f"is a table with the columns {columns}; choose one, such as {where}#{names[0]}"
    elif alike:
        fault = f"has several columns {wanted!r}; its columns are: {columns}"
    else:
        fault = f"has no column {wanted!r}; its columns are: {columns}"
    raise InputError(fault, where=where)


def _text_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for block in blocks:
        yield from split_lines(block)


def _tsv(source: ByteSource, blocks: Iterable[bytes], wanted: str | None) -> Rows:
    rows, name = _text_lines(blocks), source.name
    names = next(rows).split("\t")
    place = _chosen(names, wanted, name)
    for line, row in enumerate(rows, start=2):
        cells = row.split("\t")
        _check_width(cells, names, f"{name}:{line}")
        yield line, names[place], cells[place]


def _csv(source: ByteSource, blocks: Iterable[bytes], wanted: str | None) -> Rows:
    lines = (line for block in blocks for line in io.StringIO(block.decode(), newline=""))
    reader, name = csv.reader(lines, strict=True), source.name
    try:
        names = next(reader)
        if len(names) == 1 and ";" in names[0]:
            raise InputError(
                f"has one column, {names[0]!r}, so that semicolons seem to part its columns; write commas, or "
                "tabs and the suffix .tsv",
                where=f"{name}:1",
            )
        place = _chosen(names, wanted, name)
        for row in reader:
            cells = row or [""]  # a row of one empty cell is an empty line
            _check_width(cells, names, f"{name}:{reader.line_num}")
            yield reader.line_num, names[place], cells[place]
    except csv.Error as error:
        raise InputError(f"is no table: {error}", where=f"{name}:{reader.line_num}") from error


def _check_width(cells: Sequence[str], names: Sequence[str], where: str) -> None:
    if len(cells) != len(names):
        raise InputError(
            f"has {counted(len(cells), 'field')}; the header names {len(names)}", where=where
        )


def _jsonl(source: ByteSource, blocks: Iterable[bytes], wanted: str | None) -> Rows:
    key, name = None, source.name
    for line, text in enumerate(_text_lines(blocks), start=1):
        where = f"{name}:{line}"
        try:
            entry = parse_json(text)
        except ValueError as error:
            raise InputError(f"is no JSON: {error}", where=where) from error
        if not isinstance(entry, dict) or not entry:
            raise InputError("is no JSON object with keys; write one a line", where=where)
        if key is None:
            key = [*entry][_chosen([*entry], wanted, name)]
        if key not in entry:
            raise InputError(f"has no key {key!r}; its keys are: {', '.join(entry)}", where=where)
        yield line, key, entry[key]


def _columns(source: ByteSource, _blocks: Iterable[bytes], wanted: str | None) -> Rows:
    name = source.name
    with opened_columns(source) as file:
        names = file.schema.names
        if not names:
            raise InputError("has no column", where=name)
        column = names[_chosen(names, wanted, name)]
        arrays = file.arrays(column, rows=_ROWS)
        for row, cell in _cells((rows for rows, _ in arrays), name):
            yield row, column, cell


def _cells(columns: Iterable[Any], name: str) -> Iterator[tuple[int, object]]:
    """Yield the cells of a column with their rows; bytes that are no text are an `InputError`."""
    first = 1
    for column in columns:
        try:
            cells = column.to_pylist()
        except UnicodeDecodeError:
            for row, cell in enumerate(column, start=first):
                try:
                    cell.as_py()
                except UnicodeDecodeError as error:
                    raise InputError("is not UTF-8; write text", where=f"{name}:{row}") from error
            raise
        yield from enumerate(cells, start=first)
        first += len(cells)


_READERS: dict[str, Callable[[ByteSource, Iterable[bytes], str | None], Rows]] = {
    ".tsv": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _columns,
    ".arrow": _columns,
    ".feather": _columns,
    ".ipc": _columns,
}
