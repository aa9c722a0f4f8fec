"""A text as a column of a table: TSV, CSV, JSON lines, Parquet or Arrow."""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Protocol

from kilter.core.counted import counted
from kilter.core.errors import InputError, MissingToolError
from kilter.core.settings import shown
from kilter.io.compression import compression, format_suffix
from kilter.io.json_text import parse_json
from kilter.io.text import TextCheck, check_cell, check_lines, line_blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kilter.io.stream import ByteSource

    Rows = Iterator[tuple[int, str, object]]
    "Their lines, the name of the column, and its cells."

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
    form = column_format(source.path) or "Parquet"
    if find_spec("pyarrow") is None:
        raise MissingToolError(
            f"the {form} file {source.name}", install="pip install 'kilter[arrow]'"
        )
    import pyarrow as pa

    fault = f"is no {form} file: {{}}"
    try:
        with source.opened() as stream:
            # What is compressed once more is read from its end, and therefore whole.
            whole = compression(source.path) is not None
            data = pa.BufferReader(b"".join(source.raw_chunks(again=True))) if whole else stream
            file = _Parquet(data) if form == "Parquet" else _Arrow(data, source.name)
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
            place
            for place in range(metadata.num_columns)
            if self._file.schema.column(place).path.startswith(f"{name}.")
        ]
        held = 0
        for place in range(metadata.num_row_groups):
            # Asked for what it says of a damaged group, pyarrow ends the process; reading it raises an error.
            groups = self._file.iter_batches(
                1, row_groups=[place], columns=[name], use_threads=False
            )
            next(groups, None)
            group = metadata.row_group(place)
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
        found: bytes = self._data.read(left if size < 0 else min(size, left))
        return found

    def seek(self, place: int, whence: int = 0) -> int:
        return int(self._data.seek(place, whence))

    def tell(self) -> int:
        return int(self._data.tell())


def _rows_of(column: Any, values: int) -> int:
    """Return how many rows of a column of lists hold so many values."""
    return max(1, values * len(column) // max(1, len(column.flatten())))


_ROWS = 1024
"""So many rows are looked at together."""


def is_table(path: str) -> bool:
    """Return whether a file is a table by its name.

    >>> is_table("a.tsv.gz"), is_table("a.txt")
    (True, False)
    """
    return format_suffix(path) in _READERS


def is_only_table(path: str) -> bool:
    """Return whether a file can be nothing but a table by its name; lines of anything may be called `.tsv`.

    >>> is_only_table("a.jsonl.gz"), is_only_table("a.tsv")
    (True, False)
    """
    return is_table(path) and format_suffix(path) not in (".tsv", ".csv")


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
    rows = _READERS[format_suffix(source.path)](source, blocks, name)
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
