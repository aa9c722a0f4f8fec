"""Arrow tables as bytes: parts of a Parquet file that is not complete yet."""

from __future__ import annotations

from typing import Any


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
