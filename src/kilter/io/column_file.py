"""Files of columns: Parquet and Arrow, some rows at a time."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Protocol

from kilter.core.errors import InputError, MissingToolError
from kilter.io.compression import compression, format_suffix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.io.stream import ByteSource

_READ_AHEAD = 1 << 20
"""So many bytes of a column: a row group may be the whole file."""
_ARROW_MAGIC = b"ARROW1"
_STREAM_OF_FILE = 8
"""So many bytes of a file of Arrow come before its stream."""
_FEATHER_MAGIC = b"FEA1"
_PARQUET_MAGIC = b"PAR1"
_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
_FORMATS = {".parquet": "Parquet", ".arrow": "Arrow", ".feather": "Arrow", ".ipc": "Arrow"}


def column_format(path: str) -> str | None:
    """Return which file of columns this is by its name, Parquet or Arrow; None if it is none.

    >>> column_format("orders.parquet"), column_format("ORDERS.feather"), column_format("orders.txt.gz")
    ('Parquet', 'Arrow', None)
    """
    return _FORMATS.get(format_suffix(path))


class ColumnFile(Protocol):
    """Columns of a file that is open."""

    schema: Any
    """Of all columns, as pyarrow has it."""

    def arrays(
        self, name: str, *, rows: int, values: int | None = None, jobs: int = 1
    ) -> Iterator[tuple[Any, float | None]]:
        """Yield a column some rows at a time, and how much of the file is read after each, up to 1.

        There are no more than `rows` of them, and of lists about as many as hold `values`.
        """
        ...


@contextmanager
def opened_columns(source: ByteSource) -> Iterator[ColumnFile]:
    """Yield the columns of a file; whatever is wrong with it, then or later, is an `InputError`."""
    format_name = column_format(source.path) or "Parquet"
    if find_spec("pyarrow") is None:
        raise MissingToolError(
            f"the {format_name} file {source.name}", install="pip install 'kilter[arrow]'"
        )
    import pyarrow as pa

    fault = f"is no {format_name} file: {{}}"
    try:
        with source.opened() as stream:
            # What is compressed once more is read from its end, and therefore whole.
            whole = compression(source.path) is not None
            data = pa.BufferReader(b"".join(source.raw_chunks(again=True))) if whole else stream
            file = _Parquet(data) if format_name == "Parquet" else _Arrow(data, source.name)
            fault = "is damaged: {}; copy or write it once more"
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        told = " ".join(str(error).split()).rstrip(".")
        raise InputError(fault.format(told), where=source.name) from error


class _Parquet:
    def __init__(self, data: Any) -> None:
        import pyarrow.parquet as pq

        # Without a thread that reads ahead: it would outlive a run that stops at a bad row.
        self._file = pq.ParquetFile(data, buffer_size=_READ_AHEAD, pre_buffer=False)
        self.schema = self._file.schema_arrow

    def arrays(
        self, name: str, *, rows: int, values: int | None = None, jobs: int = 1
    ) -> Iterator[tuple[Any, float | None]]:
        total, done = self._file.metadata.num_rows, 0
        most = rows if values is None else min(rows, self._rows_of(name, values))
        for batch in self._file.iter_batches(most, columns=[name], use_threads=jobs > 1):
            done += batch.num_rows
            yield batch.column(0), done / total

    def _rows_of(self, name: str, values: int) -> int:
        """Return how many rows of a column of lists hold so many values: fewer where lists are long."""
        metadata = self._file.metadata
        leaves = [
            index
            for index in range(metadata.num_columns)
            if self._file.schema.column(index).path.startswith(f"{name}.")
        ]
        held = 0
        for index in range(metadata.num_row_groups):
            # Asked for what it says of a damaged group, pyarrow ends the process; reading it raises an error.
            groups = self._file.iter_batches(
                1, row_groups=[index], columns=[name], use_threads=False
            )
            next(groups, None)
            group = metadata.row_group(index)
            held += sum(group.column(leaf).num_values for leaf in leaves)
        return max(1, values * int(metadata.num_rows) // max(1, held))


class _Arrow:
    """An Arrow file, which Feather 2 is as well, or the stream that Arrow writes to pipes and Hugging Face to files.

    A file is a stream with a mark before it and an index behind it, and is read as one: looking the index up starts
    threads that may not be there yet when a command ends, which ends it by a signal.
    """

    def __init__(self, data: IO[bytes] | Any, name: str) -> None:
        self._data, self._name = data, name
        self._size = data.seek(0, 2)
        data.seek(0)
        start = data.read(_STREAM_OF_FILE)
        if start.startswith(_FEATHER_MAGIC):
            raise InputError("is Feather of version 1; write version 2, which is Arrow", where=name)
        if start.startswith(_PARQUET_MAGIC):
            raise InputError("is a Parquet file; call it .parquet", where=name)
        if not start:
            raise InputError("the file is empty; it must hold a table", where=name)
        is_file = start.startswith(_ARROW_MAGIC)
        self._first = _STREAM_OF_FILE if is_file else 0
        end = _ARROW_MAGIC if is_file else _END_OF_STREAM
        data.seek(max(0, self._size - len(end)))
        self._cut = data.read() != end or self._size <= len(start)
        if is_file and self._cut:
            raise self._cut_off()
        self.schema = self._reader(None).schema

    def _reader(self, columns: list[int] | None) -> Any:
        from pyarrow import ipc

        options = ipc.IpcReadOptions(included_fields=columns, use_threads=False)
        self._data.seek(self._first)
        return ipc.open_stream(_Bounded(self._data, self._size), options=options)

    def arrays(
        self, name: str, *, rows: int, values: int | None = None, jobs: int = 1
    ) -> Iterator[tuple[Any, float | None]]:
        del jobs
        for batch in self._reader([self.schema.names.index(name)]):
            column = batch.column(0)
            column.validate(full=True)  # nobody has looked at its offsets yet
            share = min(1.0, self._data.tell() / self._size)
            most = rows if values is None else min(rows, _rows_of(column, values))
            for first in range(0, len(column), most):
                yield column.slice(first, most), share
        if self._cut:  # a batch that is missing as a whole leaves no other trace
            raise self._cut_off()

    def _cut_off(self) -> InputError:
        return InputError(
            "ends without the mark of its end; it was cut off: copy or write it once more",
            where=self._name,
        )


class _Bounded:
    """A file that is asked for no more bytes than it holds, whatever lengths are written in it."""

    closed = False

    def __init__(self, data: Any, size: int) -> None:
        self._data, self._size = data, size

    def read(self, size: int) -> bytes:
        left = max(0, self._size - self._data.tell())
        data: bytes = self._data.read(left if size < 0 else min(size, left))
        return data

    def seek(self, position: int, whence: int = 0) -> int:
        return int(self._data.seek(position, whence))

    def tell(self) -> int:
        return int(self._data.tell())


def _rows_of(column: Any, values: int) -> int:
    """Return how many rows of a column of lists hold so many values."""
    return max(1, values * len(column) // max(1, len(column.flatten())))
