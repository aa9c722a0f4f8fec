"""A text as a column of a table: TSV, CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.errors import InputError, MissingToolError
from kilter.formats.text import check_lines, problems, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kilter.formats.stream import ByteSource

    Rows = Iterator[tuple[int, object]]


def is_table(path: str) -> bool:
    """Return whether a file is a table by its name.

    >>> is_table("a.tsv.gz"), is_table("a.txt")
    (True, False)
    """
    return _suffix(path) in _READERS


def _suffix(path: str) -> str:
    plain = path.removesuffix(".gz").removesuffix(".xz")
    return plain[plain.rfind(".") :].lower() if "." in plain else ""


def read_column(source: ByteSource, name: str | None) -> tuple[str, ...]:
    """Return a column of a table as a text, one segment a row; a missing cell is an `InputError`.

    Tables have a header, or keys. Names of columns are as the header writes them; where none is so
    written, upper and lower case do not matter. A table of one column need not be told which.
    """
    data = b"".join(source.chunks())
    lines = []
    for line, cell in _READERS[_suffix(source.path)](data, source.name, name):
        where = f"{source.name}:{line}"
        if not isinstance(cell, str):
            fault = "has no text" if cell is None else f"has {cell!r}, which is no text,"
            raise InputError(
                f"{fault} in the column {name}; fill it, with '' for no words", where=where
            )
        if "\n" in cell:
            raise InputError("has a line break in a cell; one cell is one segment", where=where)
        check_lines([cell], where=where)
        lines.append(cell)
    if not lines:
        raise InputError("has no row below its header", where=source.name)
    return tuple(lines)


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


def _text(data: bytes, name: str) -> str:
    data = data.replace(b"\r\n", b"\n")
    for problem in problems(data, held="a header and rows"):
        raise InputError(problem.reason, where=f"{name}:{problem.line}")
    return data.decode()


def _tsv(data: bytes, name: str, wanted: str | None) -> Rows:
    header, *rows = split_lines(_text(data, name).encode())
    names = header.split("\t")
    place = _chosen(names, wanted, name)
    for line, row in enumerate(rows, start=2):
        cells = row.split("\t")
        _check_width(cells, names, f"{name}:{line}")
        yield line, cells[place]


def _csv(data: bytes, name: str, wanted: str | None) -> Rows:
    reader = csv.reader(io.StringIO(_text(data, name), newline=""), strict=True)
    try:
        names = next(reader)
        place = _chosen(names, wanted, name)
        for row in reader:
            cells = row or [""]  # a row of one empty cell is an empty line
            _check_width(cells, names, f"{name}:{reader.line_num}")
            yield reader.line_num, cells[place]
    except csv.Error as error:
        raise InputError(f"is no table: {error}", where=f"{name}:{reader.line_num}") from error


def _check_width(cells: Sequence[str], names: Sequence[str], where: str) -> None:
    if len(cells) != len(names):
        raise InputError(
            f"has {counted(len(cells), 'field')}; the header names {len(names)}", where=where
        )


def _jsonl(data: bytes, name: str, wanted: str | None) -> Rows:
    key = None
    for line, text in enumerate(split_lines(_text(data, name).encode()), start=1):
        where = f"{name}:{line}"
        try:
            entry = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"is no JSON: {error}", where=where) from error
        if not isinstance(entry, dict) or not entry:
            raise InputError("is no JSON object with keys; write one a line", where=where)
        if key is None:
            key = [*entry][_chosen([*entry], wanted, name)]
        if key not in entry:
            raise InputError(f"has no key {key!r}; its keys are: {', '.join(entry)}", where=where)
        yield line, entry[key]


def _parquet(data: bytes, name: str, wanted: str | None) -> Rows:
    if find_spec("pyarrow") is None:
        raise MissingToolError(f"the Parquet file {name}", install="pip install 'kilter[arrow]'")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"is no Parquet file: {error}", where=name) from error
    if not table.column_names:
        raise InputError("has no column", where=name)
    place = _chosen(table.column_names, wanted, name)
    yield from enumerate(table.column(place).to_pylist(), start=1)


_READERS: dict[str, Callable[[bytes, str, str | None], Rows]] = {
    ".tsv": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
