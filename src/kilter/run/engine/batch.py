"""A piece of an input: what a worker is given at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Data = TypeVar("Data")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch(Generic[Data]):
    """Some rows of an input, and which they are.

    How an input is cut into batches depends on the input alone, never on who works on them: that is what
    makes outputs the same everywhere, and what lets a run go on after another.
    """

    data: Data
    first: int
    """The number of the first row, from 1."""
    rows: int
    share: float | None = None
    """How much of the input is read with this batch, up to 1; None where nobody knows."""

    @property
    def place(self) -> str:
        """The rows as messages name them.

        >>> Batch(data=None, first=5, rows=4).place, Batch(data=None, first=5, rows=1).place
        ('rows 5 to 8', 'row 5')
        """
        if self.rows == 1:
            return f"row {self.first}"
        return f"rows {self.first} to {self.first + self.rows - 1}"
