"""Tables with a header: fields between tabs, commas or blanks."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from math import isfinite, nan
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.io.json_text import parse_json
from kilter.io.text import problems, read_table_lines, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.stream import ByteSource

MISSING = frozenset({"", "none", "nan", "na", "null", "-"})
"""How tables write that there is no value, in lower case."""
LARGEST = 1e60
"""Beyond it products of squares and their sums leave the range of numbers."""
_LONGEST_HEADER = 200
_INTEGER = re.compile(r"[+-]?[0-9]{1,100}", re.ASCII)  # Python reads no more than 4300 digits


@dataclass(frozen=True, eq=False)
class DelimitedTable:
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
                f"is no table of {held}: its first line names none of the columns "
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
    """Return a number, NaN for a missing one, None for what is no finite number.

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
        raise InputError(f"{called} is {cell!r}, which is no number", where=where)
    if abs(value) > LARGEST:
        raise InputError(
            f"{called} is {cell!r}; it must lie between -{LARGEST:g} and {LARGEST:g}", where=where
        )
    return value


def read_delimited(
    source: ByteSource,
    *,
    names: Sequence[str] = (),
    check: Callable[[DelimitedTable], object] | None = None,
) -> DelimitedTable:
    """Return a table; tabs separate fields if the header has one, else commas, else blanks.

    A table without header has the columns that `names` say. `check` sees the header as a table without rows and
    raises an `InputError` for what is no such table, before anything is said of its details.
    Lines may end as CSV files of the field do, in a carriage return and a line feed. A field between
    quotes may hold line ends; its row is that of the line on which it begins.
    """
    data = b"".join(source.chunks()).replace(b"\r\n", b"\n")
    for problem in problems(data, held="a header and rows"):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    lines = split_lines(data)
    header = lines[0]
    delimiter = "\t" if "\t" in header else "," if "," in header else " "
    columns = [name.strip().lower() for name in names or header.split(delimiter)]
    columns = [name.strip('"') for name in columns]
    if check is not None:
        check(DelimitedTable(source.name, dict.fromkeys(columns, ()), np.array([], dtype=np.int64)))
    if len(set(columns)) != len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise InputError(f"names the column {twice!r} twice", where=f"{source.name}:1")
    rows, numbers = _rows(source.name, lines, delimiter, headed=not names)
    for row, number_ in zip(rows, numbers, strict=True):
        if len(row) != len(columns):
            raise InputError(
                f"has {len(row)} fields; {'there are' if names else 'the header names'} {len(columns)}",
                where=f"{source.name}:{number_}",
            )
    cells = zip(*rows, strict=True) if rows else ((),) * len(columns)
    return DelimitedTable(
        source.name,
        dict(zip(columns, cells, strict=True)),
        np.array(numbers, dtype=np.int64),
    )


def _rows(
    name: str, lines: Sequence[str], delimiter: str, *, headed: bool
) -> tuple[list[list[str]], list[int]]:
    reader = csv.reader(
        (f"{line}\n" for line in lines),  # the end of a line may be part of a quoted field
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE,
        strict=True,
    )
    rows, numbers = [], []
    try:
        if headed:
            next(reader)
        start = reader.line_num + 1
        for row in reader:
            if row:
                rows.append(row)
                numbers.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"is no table: {error}", where=f"{name}:{reader.line_num}") from error
    return rows, numbers


def read_json_table(source: ByteSource) -> DelimitedTable:
    """Return the table as a delimited one would be: cells as text, empty for null, yes or no for booleans."""
    names: list[str] = []
    rows, numbers = [], []
    for number, line in enumerate(read_table_lines(source), start=1):
        if not line.strip():
            continue
        entry = _object(line, f"{source.name}:{number}")
        names = names or list(entry)
        if {*entry} != {*names}:
            raise InputError(
                f"has the keys {', '.join(entry)}; the first line has {', '.join(names)}",
                where=f"{source.name}:{number}",
            )
        rows.append([cell(entry[name]) for name in names])
        numbers.append(number)
    columns = zip(*rows, strict=True) if rows else ()
    lowered = [name.lower() for name in names]
    return DelimitedTable(
        source.name,
        dict(zip(lowered, columns, strict=True)),
        np.array(numbers, dtype=np.int64),
    )


def _object(line: str, where: str) -> dict[str, object]:
    try:
        entry = parse_json(line)
    except ValueError as error:
        raise InputError(f"is no JSON: {error}", where=where) from error
    if not isinstance(entry, dict) or not entry:
        raise InputError("is no JSON object with keys; write one a line", where=where)
    return entry


def cell(value: object) -> str:
    """Return what a cell of a delimited table would hold.

    >>> cell(None), cell(True), cell(3), cell("a")
    ('', 'yes', '3', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else str(value)


_FORMULA = r"[=+\-@\t\r]"
# Where a semicolon parts columns, as in many countries, a formula may begin after one, or in a new line.
_RUNS = re.compile(rf"(?:\A(?='*{_FORMULA})|(?<=[;\n\r])(?=[\"']*{_FORMULA}))")
_GUARDED = re.compile(rf"(?:\A'(?='*{_FORMULA})|(?<=[;\n\r])'(?=[\"']*{_FORMULA}))")


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    r"""Return a table as CSV; texts that a spreadsheet would run as a formula get a quote before them.

    A text may hold several, for spreadsheets that part columns at semicolons. `unguarded` takes the quotes away.

    >>> csv_text(["a", "b"], [{"a": "=1+1", "b": True}, {"a": -1.5}])
    "a,b\n'=1+1,yes\n-1.5,\n"
    """
    cells = ([_cell(row.get(name)) for name in names] for row in rows)
    return "".join(map(_line, [list(names), *cells]))


def _line(cells: Sequence[object]) -> str:
    out = io.StringIO()
    # Quotes what holds a character of the line's end; a lone carriage return would end a row for a reader.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return guarded(value) if isinstance(value, str) else value


def guarded(cell: str) -> str:
    """Return a text with a quote before all that a spreadsheet would run as a formula.

    >>> guarded("=1+1;=2"), guarded("it's")
    ("'=1+1;'=2", "it's")
    """
    return _RUNS.sub("'", cell)


def unguarded(cell: str) -> str:
    """Return the text of a cell that `csv_text` or `guarded` wrote.

    >>> unguarded("'=1+1;'=2"), unguarded("it's")
    ('=1+1;=2', "it's")
    """
    return _GUARDED.sub("", cell)
