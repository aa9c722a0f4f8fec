"""Parquet: binary, with a type for each column; needs pyarrow."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.errors import MissingToolError
from kilter.reports.table.writer import TableWriter, cell_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

    from kilter.reports.table.writer import Column


def check_parquet(called: str) -> None:
    """Raise a `MissingToolError` if Parquet cannot be written; messages name it as it was `called`."""
    if find_spec("pyarrow") is None:
        raise MissingToolError(called, install="pip install 'kilter[arrow]'")


def parquet_bytes(table: object) -> bytes:
    """Return a `pyarrow.Table` as the bytes of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Parquet asks for its place in the file, which a pipe cannot tell.
    whole = pa.BufferOutputStream()
    pq.write_table(table, whole)
    content: bytes = whole.getvalue().to_pybytes()
    return content


class ParquetWriter(TableWriter):
    """A Parquet file, written at the end, when the types of all columns are known.

    A missing value is null. Lists of whole numbers are lists; lists of anything else are text, as in CSV.
    """

    def start(self) -> None:
        check_parquet("Parquet")
        self._blocks: list[object] = []

    def rows(self, columns: Mapping[str, Column]) -> None:
        import pyarrow as pa

        arrays = [_arrow_array(columns[name], self.list_base) for name in self.names]
        self._blocks.append(pa.Table.from_arrays(arrays, names=self.names))

    def end(self) -> None:
        import pyarrow as pa

        empty = pa.table({name: pa.array([], pa.null()) for name in self.names})
        # A column that is missing in one block may hold numbers in another.
        whole = pa.concat_tables([empty, *self._blocks], promote_options="permissive")
        self.out.flush()
        stream: IO[bytes] = self.out.buffer
        stream.write(parquet_bytes(whole))

    def cell(self, value: object) -> str:
        return cell_text(value)

    def literals(self, columns: Sequence[Column]) -> list[str]:
        return [""] * (len(columns) + 1)


def _arrow_array(column: Column, base: int) -> Any:
    import pyarrow as pa

    if isinstance(column, tuple):
        values, offsets = column
        return pa.LargeListArray.from_arrays(offsets, pa.array(values + base))
    if isinstance(column, np.ndarray):
        return pa.array(column, from_pandas=True)  # a value that is no number is a missing one
    if any(isinstance(value, list) and not all(map(_is_whole, value)) for value in column):
        return pa.array([None if value is None else cell_text(value) for value in column])
    return pa.array(column)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
