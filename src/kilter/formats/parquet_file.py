"""Parquet files, opened to be read some rows at a time."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError, MissingToolError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.formats.stream import ByteSource

_READ_AHEAD = 1 << 20
"""So many bytes of a column: a row group may be the whole file."""


@contextmanager
def opened_parquet(source: ByteSource) -> Iterator[Any]:
    """Yield what pyarrow makes of a file; whatever is wrong with it, then or later, is an `InputError`."""
    if find_spec("pyarrow") is None:
        raise MissingToolError(
            f"the Parquet file {source.name}", install="pip install 'kilter[arrow]'"
        )
    import pyarrow as pa
    import pyarrow.parquet as pq

    fault = "is no Parquet file: {}"
    try:
        with source.opened() as stream:
            # What is compressed once more is read from its end, and therefore whole.
            whole = not source.path.lower().endswith(".parquet")
            data = pa.BufferReader(b"".join(source.raw_chunks(again=True))) if whole else stream
            # Without a thread that reads ahead: it would outlive a run that stops at a bad row.
            file = pq.ParquetFile(data, buffer_size=_READ_AHEAD, pre_buffer=False)
            fault = "is damaged: {}; copy or write it once more"
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        told = " ".join(str(error).split()).rstrip(".")
        raise InputError(fault.format(told), where=source.name) from error
