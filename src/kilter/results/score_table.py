"""Scores in columns, one row per segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import MissingToolError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray


class ScoreTable:
    """Named columns of equal length; `table["kendall"]` is one of them as an array.

    >>> import kilter
    >>> table = kilter.permutation_scores([[0, 2, 1], [0, 1]])
    >>> table["kendall"].tolist()
    [0.6666666666666666, 1.0]
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def to_numpy(self) -> NDArray[Any]:
        """Return all columns as one array: float64, rows x columns, if all hold numbers.

        Text does not fit in there: a table that holds some becomes a structured array with a field for
        each column, in the type of the column.
        """
        if not self._columns:
            return np.empty((0, 0))
        if any(column.dtype.kind in "OU" for column in self._columns.values()):
            kinds = [(name, column.dtype) for name, column in self._columns.items()]
            rows = np.empty(len(self), dtype=kinds)
            for name, column in self._columns.items():
                rows[name] = column
            return rows
        return np.column_stack([np.asarray(c, dtype=np.float64) for c in self._columns.values()])

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table` (needs the `arrow` extra)."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingToolError(
                "ScoreTable.to_arrow", install="pip install 'kilter[arrow]'"
            ) from error
        return pa.table(
            {name: pa.array(column, from_pandas=True) for name, column in self._columns.items()}
        )

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` (needs the `pandas` extra)."""
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingToolError(
                "ScoreTable.to_pandas", install="pip install 'kilter[pandas]'"
            ) from error
        return pd.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"ScoreTable({counted(len(self), 'segment')} x {counted(len(self._columns), 'column')}: {', '.join(self)})"
