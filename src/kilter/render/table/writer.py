"""What writes a table block by block, whatever the format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    # A column of numbers or flags, of lists of integers as (values, offsets), of texts, or of anything.
    ArrayColumn = NDArray[Any] | tuple[NDArray[np.int32], NDArray[np.int64]] | list[Any]


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedText:
    """A column of texts of which few are different: these, and which of them each row has."""

    words: list[str]
    indices: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.indices)

    def listed(self) -> list[str]:
        """Return the text of each row."""
        texts: list[str] = np.array(self.words, dtype=object)[self.indices].tolist()
        return texts


def cell_text(value: object) -> str:
    """Return a value for programs that read text: numbers in full precision, lists separated by spaces.

    >>> cell_text(0.1), cell_text(True), cell_text([3, 1]), cell_text([[3, 1], [10, 13]])
    ('0.1', 'true', '3 1', '3,1 10,13')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(
            ",".join(map(str, part)) if isinstance(part, list) else str(part) for part in value
        )
    return repr(value) if isinstance(value, float) else str(value)


class TableWriter(ABC):
    """Writes columns block by block, so that a table of any length needs little memory.

    Columns are arrays, which a kernel formats, or lists, in which None is a missing value: null in
    JSON, an empty field in TSV and CSV, a dash for people.
    """

    missing: ClassVar[str] = ""
    people: ClassVar[bool] = False
    list_separator: ClassVar[str] = " "

    def __init__(self, out: TextIO, names: Sequence[str], *, header: Mapping[str, object]) -> None:
        self.out = out
        self.names = list(names)
        self.header = header
        self.widths = [0] * len(self.names)
        self.list_base = 1

    def start(self) -> None:  # noqa: B027 - some formats begin with their rows
        """Write what stands before the first row."""

    def rows(self, columns: Mapping[str, ArrayColumn]) -> None:
        """Write one row for each place of the columns."""
        chosen = [columns[name] for name in self.names]
        rows = row_count(chosen[0]) if chosen else 0
        if rows == 0:
            return
        cells = [column if _is_plain(column) else self.cells(_as_list(column)) for column in chosen]
        literals = self.literals(chosen)
        text = _core.format_rows(
            rows, cells, literals, self.widths, self.people, self.list_separator, self.list_base
        )
        self.out.write(text.decode())

    def end(self) -> None:  # noqa: B027 - some formats end with their rows
        """Write what stands after the last row."""

    def cells(self, values: Iterable[object]) -> list[str]:
        """Return the values of a column as text."""
        return [self.missing if value is None else self.cell(value) for value in values]

    @abstractmethod
    def cell(self, value: object) -> str:
        """Return one value as text."""

    @abstractmethod
    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        """Return what stands before the first cell, between cells, and after the last."""


def _is_plain(column: ArrayColumn) -> bool:
    """Return whether the kernel can format a column: numbers without a missing one, or lists."""
    if isinstance(column, tuple):
        return True
    if isinstance(column, list):
        return False
    return column.dtype != np.float64 or bool(np.isfinite(column).all())


def _as_list(column: ArrayColumn) -> list[object]:
    if isinstance(column, list):
        return column
    assert isinstance(column, np.ndarray)  # noqa: S101 - lists of integers are always plain
    return [
        None if isinstance(value, float) and isnan(value) else value for value in column.tolist()
    ]


def lacks_numbers(column: Any) -> bool:
    """Return whether some value of an array is not a number; the least of them tells it in one pass."""
    floats = isinstance(column, np.ndarray) and column.dtype.kind == "f"
    return floats and bool(np.isnan(column.min(initial=0.0)))


def row_count(column: ArrayColumn) -> int:
    """Return how many rows a column has."""
    return len(column[1]) - 1 if isinstance(column, tuple) else len(column)
