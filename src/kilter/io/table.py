"""Tables in any format: TSV, CSV, JSON lines, Parquet or Arrow; their rows one by one, or whole columns."""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from math import isfinite, nan
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.io.column_file import column_format, opened_columns
from kilter.io.compression import format_suffix
from kilter.io.json_text import parse_json
from kilter.io.text import TextCheck, line_blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.io.column_file import ColumnFile
    from kilter.io.stream import ByteSource

_TEXT_SUFFIXES = (".tsv", ".csv")
_BATCH = 1024
"""So many rows of a file of columns are converted together."""


def is_table(path: str) -> bool:
    """Return whether a file is a table by its name.

    >>> is_table("a.tsv.gz"), is_table("a.txt")
    (True, False)
    """
    return format_suffix(path) in _TEXT_SUFFIXES or is_only_table(path)


def is_only_table(path: str) -> bool:
    """Return whether a file can be nothing but a table by its name; lines of anything may be called `.tsv`.

    >>> is_only_table("a.jsonl.gz"), is_only_table("a.tsv")
    (True, False)
    """
    return format_suffix(path) == ".jsonl" or column_format(path) is not None


class TableRows:
    """The rows of a table: fields between `separator`, with a header unless the columns are named.

    A field between quotes in CSV may hold line ends; its row is that of the line on which it begins.
    """

    separator: str | None = None

    def __init__(
        self, name: str, lines: Iterator[str], separator: str | None, columns: Sequence[str] | None
    ) -> None:
        self.name = name
        self.separator = separator
        self._rows = self._split(lines, separator)
        header = (1, columns) if columns is not None else next(self._rows)
        self.columns: Sequence[str] = header[1]
        if separator != "\t" and len(self.columns) == 1 and ";" in self.columns[0]:
            raise InputError(
                f"has one column, {self.columns[0]!r}, so that semicolons seem to part its columns; write commas, or "
                "tabs and the suffix .tsv",
                where=f"{name}:1",
            )

    def _split(
        self, lines: Iterator[str], separator: str | None
    ) -> Iterator[tuple[int, Sequence[str]]]:
        if separator != ",":
            for number, line in enumerate(lines, start=1):
                yield number, line.split(separator) if line else ()
            return
        # The end of a line may be part of a quoted field.
        reader = csv.reader((f"{line}\n" for line in lines), strict=True)
        first = 1
        try:
            for cells in reader:
                yield first, cells
                first = reader.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"is not a table: {error}", where=f"{self.name}:{reader.line_num}"
            ) from error

    def texts(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the line of each row with its cells as text, none of an empty line."""
        return self._rows

    def column(self, index: int) -> Iterator[tuple[int, object]]:
        """Yield the line of each row with its cell in one column; an empty line is an empty cell of a single column."""
        for line, written in self._rows:
            cells = written or ("",)
            _check_width(cells, self.columns, f"{self.name}:{line}")
            yield line, cells[index]


class _JsonRows(TableRows):
    """Objects, one a line: the columns are the keys of the first."""

    def __init__(self, name: str, lines: Iterator[str]) -> None:
        self.name = name
        numbered = enumerate(lines, start=1)
        begun = [next(numbered)]
        while not begun[-1][1].strip() and (following := next(numbered, None)):
            begun.append(following)
        line, text = begun[-1]
        self.columns = [*json_object(text, where=f"{name}:{line}")]
        self._lines = chain(begun, numbered)

    def texts(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the line of each object with its values as text; all have the same keys."""
        for line, entry in self._entries(skip_empty=True):
            if {*entry} != {*self.columns}:
                raise InputError(
                    f"has the keys {', '.join(entry)}; the first line has {', '.join(self.columns)}",
                    where=f"{self.name}:{line}",
                )
            yield line, [cell_text(entry[column]) for column in self.columns]

    def column(self, index: int) -> Iterator[tuple[int, object]]:
        """Yield the line of each object with the value of one key; others may differ from line to line."""
        key = self.columns[index]
        for line, entry in self._entries():
            if key not in entry:
                raise InputError(
                    f"has no key {key!r}; its keys are: {', '.join(entry)}",
                    where=f"{self.name}:{line}",
                )
            yield line, entry[key]

    def _entries(self, *, skip_empty: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
        for line, text in self._lines:
            if text.strip() or not skip_empty:
                yield line, json_object(text, where=f"{self.name}:{line}")


class _ColumnRows(TableRows):
    """The rows of a Parquet or Arrow file, counted from 1."""

    def __init__(self, name: str, file: ColumnFile) -> None:
        self.name = name
        self._file = file
        self.columns = file.schema.names
        if not self.columns:
            raise InputError("has no column", where=name)

    def texts(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the number of each row with its cells as text."""
        # One after the other: a file of Arrow is at one position at a time.
        columns = [
            [cell_text(cell) for _, cell in self.column(k)] for k in range(len(self.columns))
        ]
        return enumerate(zip(*columns, strict=True), start=1)

    def column(self, index: int) -> Iterator[tuple[int, object]]:
        """Yield the number of each row with its cell in one column, which alone is read."""
        first = 1
        for batch, _ in self._file.arrays(self.columns[index], rows=_BATCH):
            yield from enumerate(self._cells(batch, first), start=first)
            first += len(batch)

    def _cells(self, batch: Any, first: int) -> list[object]:
        """Return the cells of a column; bytes that are no text are an `InputError`."""
        try:
            cells: list[object] = batch.to_pylist()
        except UnicodeDecodeError:
            for row, cell in enumerate(batch, start=first):
                try:
                    cell.as_py()
                except UnicodeDecodeError as error:
                    raise InputError(
                        "is not UTF-8; write text", where=f"{self.name}:{row}"
                    ) from error
            raise
        return cells


def column_index(columns: Sequence[str], wanted: str, *, where: str, noun: str = "column") -> int:
    """Return the index of a column; where none is so written, upper and lower case do not matter."""
    alike = [index for index, name in enumerate(columns) if name == wanted]
    if not alike:
        alike = [index for index, name in enumerate(columns) if name.lower() == wanted.lower()]
    if len(alike) != 1:
        fault = f"several {noun}s" if alike else f"no {noun}"
        raise InputError(
            f"has {fault} {wanted!r}; its {noun}s are: {', '.join(columns)}", where=where
        )
    return alike[0]


def json_object(text: str, *, where: str) -> dict[str, Any]:
    """Return the object of a line of JSON; anything else is an `InputError`."""
    try:
        entry = parse_json(text)
    except ValueError as error:
        raise InputError(f"is not JSON: {error}", where=where) from error
    if not isinstance(entry, dict) or not entry:
        raise InputError("is not a JSON object with keys; write one a line", where=where)
    return entry


def _check_width(
    cells: Sequence[object], columns: Sequence[str], where: str, *, headed: bool = True
) -> None:
    """Raise an `InputError` for a row that does not have a cell for each column."""
    if len(cells) != len(columns):
        width = f"{'the header names' if headed else 'there are'} {len(columns)}"
        raise InputError(f"has {counted(len(cells), 'field')}; {width}", where=where)


@contextmanager
def opened_rows(
    source: ByteSource,
    *,
    separators: Sequence[str | None] = ("\t", ",", " "),
    columns: Sequence[str] | None = None,
    held: str = "a header and rows",
    again: bool = False,
) -> Iterator[TableRows]:
    """Yield the rows of a table; say `again=True` if they will be read once more.

    What a file is, its name says: JSON lines, Parquet, Arrow, or else fields between the first of the
    `separators` that the first line holds, or the last; None is any number of blanks. A file of fields
    has a header unless its `columns` are given. `held` is what an empty file lacks. What is wrong with the bytes is told before what is wrong
    with a row, wherever the two are. Lines may end as CSV files of the field do, in a carriage return and a line feed.
    """
    if column_format(source.path) is not None:
        with opened_columns(source) as file:
            yield _ColumnRows(source.name, file)
        return
    lines = table_lines(source, held=held, again=again)
    try:
        if format_suffix(source.path) == ".jsonl":
            yield _JsonRows(source.name, lines)
            return
        first = next(lines)
        there = (each for each in separators if each is not None and each in first)
        yield TableRows(source.name, chain([first], lines), next(there, separators[-1]), columns)
    except InputError:
        for _ in lines:  # what is wrong with the bytes comes first
            pass
        raise


def table_lines(source: ByteSource, *, held: str, again: bool = False) -> Iterator[str]:
    """Yield the lines of a table; at its end, or before a bad line, what is wrong with its bytes is an `InputError`.

    Whoever finds a fault in a line goes on to the end, so that faults of bytes are told first.
    """
    pieces = line_blocks(source.chunks(again=again), name=source.name)
    for block in _checked_blocks(pieces, source.name, held):
        yield from split_lines(block)


def _checked_blocks(blocks: Iterator[bytes], name: str, held: str) -> Iterator[bytes]:
    """Yield blocks with Unix line ends until something is wrong with one of them."""
    check = TextCheck(held=held)
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


MISSING = frozenset({"", "none", "nan", "na", "null", "-"})
"""How tables write that there is no value, in lower case."""
LARGEST = 1e60
"""Beyond it products of squares and their sums leave the range of numbers."""
_LONGEST_HEADER = 200
_INTEGER = re.compile(r"[+-]?[0-9]{1,100}", re.ASCII)  # Python reads no more than 4300 digits


@dataclass(frozen=True, eq=False)
class DataTable:
    """The columns of a table by the lower-cased names of its header, and the line of every row."""

    name: str
    columns: dict[str, tuple[str, ...]]
    lines: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.lines)

    def find(self, *names: str) -> str | None:
        """Return the first of these names that is a column."""
        return next((name for name in names if name in self.columns), None)

    def need(self, *names: str) -> str:
        """Return the first of these names that is a column; without any this is no such table."""
        column = self.find(*names)
        if column is None:
            raise InputError(
                f"has no column {' or '.join(map(repr, names))}; its columns are: {self.header()}",
                where=f"{self.name}:1",
            )
        return column

    def need_all(self, held: str, *needed: Sequence[str]) -> None:
        """Raise an `InputError` unless one name of each of these is a column; `held` is what rows are then."""
        if not any(self.find(*names) for names in needed):
            wanted = [
                f"{name} (or {', '.join(others)})" if others else name for name, *others in needed
            ]
            raise InputError(
                f"is not a table of {held}: its first line names none of the columns "
                f"{', '.join(wanted)}; it names: {self.header()}",
                where=f"{self.name}:1",
            )
        for names in needed:
            self.need(*names)

    def header(self) -> str:
        """Return the names of the columns for messages; of a long line, which may be any text, its beginning."""
        return shorten(", ".join(self.columns), _LONGEST_HEADER, placeholder=" ...")

    def where(self, row: int) -> str:
        """Return the place of a row for messages."""
        return f"{self.name}:{self.lines[row]}"

    def named(self, column: str, rows: Iterable[int]) -> list[str]:
        """Return the names in some rows of a column; an empty one is an `InputError`."""
        cells = self.columns[column]
        columns = []
        for row in rows:
            if not cells[row].strip():
                raise InputError(f"{column} is empty; name a system", where=self.where(row))
            columns.append(cells[row])
        return columns

    def integers(self, column: str, *, low: int) -> NDArray[np.int64]:
        """Return a column of whole numbers, none below `low`."""
        cells = self.columns[column]
        known: dict[str, int] = {}
        for cell in dict.fromkeys(cells):
            if not _INTEGER.fullmatch(cell) or not low <= int(cell) < 2**31:
                row = cells.index(cell)
                raise InputError(
                    f"{column} is {cell!r}; it must be a whole number from {low}",
                    where=self.where(row),
                )
            known[cell] = int(cell)
        return np.array([known[cell] for cell in cells], dtype=np.int64)

    def numbers(self, column: str) -> NDArray[np.float64]:
        """Return a column of numbers, NaN where one is missing; anything else is an `InputError`."""
        return np.array(
            [
                read_number(cell, called=column, where=self.where(row))
                for row, cell in enumerate(self.columns[column])
            ],
            dtype=np.float64,
        )


def number(cell: str) -> float | None:
    """Return a number, NaN for a missing one, None for what is not a finite number.

    >>> number("0.5"), number("None"), number("inf")
    (0.5, nan, None)
    """
    if cell.strip().lower() in MISSING:
        return nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) and "_" not in cell else None


def read_number(cell: str, *, called: str, where: str) -> float:
    """Return a number, NaN for a missing one; anything else, or one too large, is an `InputError`."""
    value = number(cell)
    if value is None:
        raise InputError(f"{called} is {cell!r}, which is not a number", where=where)
    if abs(value) > LARGEST:
        raise InputError(
            f"{called} is {cell!r}; it must lie between -{LARGEST:g} and {LARGEST:g}", where=where
        )
    return value


def read_table(
    source: ByteSource,
    *,
    columns: Sequence[str] | None = None,
    check: Callable[[DataTable], object] | None = None,
) -> DataTable:
    """Return a whole table; see `opened_rows`. Empty lines are passed over.

    `check` sees the header as a table without rows and raises an `InputError` for what is no such table,
    before anything is said of its details.
    """
    with opened_rows(source, columns=columns) as rows:
        names = [name.strip().lower().strip('"') for name in rows.columns]
        if check is not None:
            check(DataTable(rows.name, dict.fromkeys(names, ()), np.array([], dtype=np.int64)))
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"names the column {twice!r} twice", where=f"{rows.name}:1")
        lines: list[int] = []
        listed: list[Sequence[str]] = []
        for line, cells in rows.texts():
            if not cells:
                continue
            if len(cells) != len(names):
                _check_width(cells, names, f"{rows.name}:{line}", headed=columns is None)
            lines.append(line)
            listed.append(cells)
    texts = zip(*listed, strict=True) if listed else [()] * len(names)
    return DataTable(
        rows.name, dict(zip(names, texts, strict=True)), np.array(lines, dtype=np.int64)
    )


def read_text_rows(
    source: ByteSource, *, separators: Sequence[str | None], held: str
) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield every row as text, the header as any other, whatever the number of their cells; see `opened_rows`."""
    with opened_rows(source, separators=separators, columns=(), held=held) as rows:
        if rows.columns:
            yield 1, rows.columns
        yield from rows.texts()


def cell_text(value: object) -> str:
    """Return what a cell of a delimited table would hold.

    >>> cell_text(None), cell_text(True), cell_text(3), cell_text("a")
    ('', 'yes', '3', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else str(value)
