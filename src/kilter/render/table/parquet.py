"""Parquet: binary, with a type for each column; needs pyarrow."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import MissingToolError
from kilter.render.table.writer import RepeatedText, TableWriter, cell_text, lacks_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from typing import IO, TextIO

    from kilter.render.table.writer import ArrayColumn


ROW_GROUP = 1 << 17
"""Rows of tables that are written as they come: few enough to wait for in memory."""
_DICTIONARY_BYTES = 1 << 16
_WAITING_BLOCKS = 2


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


def stream_row_groups(out: IO[bytes], tables: Iterable[Any]) -> None:
    """Write every `pyarrow.Table`, of up to `ROW_GROUP` rows, as a row group of one file; there is at least one."""
    import pyarrow.parquet as pq

    sink = _Sink(out)
    writer = None
    for table in tables:
        with sink.taking():
            writer = writer or pq.ParquetWriter(sink, table.schema)
            writer.write_table(table, row_group_size=ROW_GROUP)
    if writer is not None:
        with sink.taking():
            writer.close()


class ParquetWriter(TableWriter):
    """A Parquet file, written at the end, when the types of all columns are known.

    A missing value is null. Lists of whole numbers are lists; lists of anything else are text, as in CSV.
    """

    def start(self) -> None:
        check_parquet("Parquet")
        self._blocks: list[object] = []

    def rows(self, columns: Mapping[str, ArrayColumn]) -> None:
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

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return [""] * (len(columns) + 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class ArrowForm:
    """Names and types of the columns of a table; types are those of `like`, columns of no rows."""

    names: tuple[str, ...]
    like: Mapping[str, ArrayColumn]
    list_base: int

    def schema(self) -> Any:
        """Return the `pyarrow.Schema`."""
        import pyarrow as pa

        return pa.schema([(name, arrow_type(self.like[name])) for name in self.names])

    def table(self, columns: Mapping[str, ArrayColumn | RepeatedText]) -> Any:
        """Return columns as a `pyarrow.Table`."""
        import pyarrow as pa

        schema = self.schema()
        arrays = [_typed_array(columns[field.name], field.type, self.list_base) for field in schema]
        return pa.Table.from_arrays(arrays, schema=schema)


class StreamedParquetWriter(TableWriter):
    """A Parquet file with a row group for each block: memory does not grow with the rows.

    Types of columns are those of `like`, columns of no rows; a list there is one of texts. Blocks are
    written by a thread of their own, in order, while the next ones are computed; whoever is too fast waits.
    """

    def __init__(
        self,
        out: TextIO,
        names: Sequence[str],
        *,
        header: Mapping[str, object],
        like: Mapping[str, ArrayColumn],
    ) -> None:
        super().__init__(out, names, header=header)
        self._like = like
        self._waiting: deque[Future[None]] = deque()

    def start(self) -> None:
        check_parquet("Parquet")
        from concurrent.futures import ThreadPoolExecutor

        import pyarrow.parquet as pq

        self.out.flush()
        self._sink = _Sink(self.out.buffer)
        self._thread = ThreadPoolExecutor(max_workers=1)
        with self._sink.taking():
            self._file = pq.ParquetWriter(
                self._sink,
                self.form.schema(),
                # Where values of a block hardly repeat, looking for repetitions is soon given up.
                dictionary_pagesize_limit=_DICTIONARY_BYTES,
                write_statistics=False,
            )

    @property
    def form(self) -> ArrowForm:
        """What a block is as a table, by whomever it is made."""
        return ArrowForm(names=tuple(self.names), like=self._like, list_base=self.list_base)

    def rows(self, columns: Mapping[str, ArrayColumn]) -> None:
        self.write(self.form.table(columns))

    def write(self, block: Any) -> None:
        """Have a `pyarrow.Table` written as a row group, if it has any row."""
        if block.num_rows:
            self._wait(_WAITING_BLOCKS - 1)
            self._waiting.append(self._thread.submit(self._write, block))

    def _write(self, block: Any) -> None:
        with self._sink.taking():
            self._file.write_table(block, row_group_size=block.num_rows)

    def _wait(self, left: int) -> None:
        """Wait until no more than so many blocks are left to write; what went wrong is raised here."""
        while len(self._waiting) > left:
            self._waiting.popleft().result()

    def flush(self) -> None:
        """Wait until every block so far is written."""
        self._wait(0)

    def end(self) -> None:
        self.flush()
        self._thread.shutdown()
        with self._sink.taking():
            self._file.close()

    def cell(self, value: object) -> str:
        return cell_text(value)

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return [""] * (len(columns) + 1)


class _Sink:
    """Where a file goes while its writer is at it.

    pyarrow ends a file that was given up when it forgets it, which would make a whole one of a part.
    """

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._taking = False
        self.closed = False

    @contextmanager
    def taking(self) -> Iterator[None]:
        self._taking = True
        try:
            yield
        finally:
            self._taking = False

    def write(self, data: bytes) -> int:
        if self._taking:
            self._out.write(data)
        return len(data)

    def flush(self) -> None:
        """Leave that to whoever opened the stream."""

    def close(self) -> None:
        """Leave that to whoever opened the stream."""


def arrow_type(like: Any) -> Any:
    """Return the type of a column like this one; what is no array holds texts."""
    import pyarrow as pa

    if isinstance(like, tuple):
        return pa.large_list(pa.int32())
    return pa.from_numpy_dtype(like.dtype) if isinstance(like, np.ndarray) else pa.string()


def _typed_array(column: ArrayColumn | RepeatedText, kind: Any, base: int) -> Any:
    import pyarrow as pa

    if isinstance(column, tuple):
        return _arrow_array(column, base)
    if isinstance(column, RepeatedText):
        return pa.DictionaryArray.from_arrays(column.indices, column.words).cast(kind)
    missing = isinstance(column, list) or lacks_numbers(column) or column.dtype.kind == "f"
    return pa.array(column, type=kind, from_pandas=missing)


def _arrow_array(column: ArrayColumn, base: int) -> Any:
    import pyarrow as pa

    if isinstance(column, tuple):
        values, offsets = column
        return pa.LargeListArray.from_arrays(offsets, pa.array(values + base))
    if isinstance(column, np.ndarray):
        return pa.array(column, from_pandas=True)  # a value that is not a number is a missing one
    if any(isinstance(value, list) and not all(map(_is_whole, value)) for value in column):
        return pa.array([None if value is None else cell_text(value) for value in column])
    return pa.array(column)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def packed(table: Any) -> bytes:
    """Return a `pyarrow.Table` as bytes."""
    import pyarrow as pa

    whole = pa.BufferOutputStream()
    with pa.ipc.new_stream(whole, table.schema) as stream:
        stream.write_table(table)
    content: bytes = whole.getvalue().to_pybytes()
    return content


def unpacked(content: bytes) -> Any:
    """Return the `pyarrow.Table` of bytes that `packed` made."""
    import pyarrow as pa

    return pa.ipc.open_stream(content).read_all()
