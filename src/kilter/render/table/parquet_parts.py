"""Row groups as bytes: parts of a Parquet file that is not complete yet."""

from __future__ import annotations

import json

from kilter.render.table.encoded_parquet import EncodedRows
from kilter.render.table.parquet_page import ColumnChunk


def packed(group: EncodedRows) -> bytes:
    """Return a row group as bytes: a line about its columns, and what they hold."""
    columns = [(len(each.content), each.entries, each.dictionary) for each in group.columns]
    head = json.dumps({"rows": group.rows, "columns": columns}).encode()
    return b"".join([head, b"\n", *(each.content for each in group.columns)])


def unpacked(content: bytes) -> EncodedRows:
    """Return the row group of bytes that `packed` made."""
    head, _, body = content.partition(b"\n")
    found = json.loads(head)
    columns = []
    start = 0
    for size, entries, dictionary in found["columns"]:
        part = body[start : start + size]
        columns.append(ColumnChunk(content=part, entries=entries, dictionary=dictionary))
        start += size
    return EncodedRows(rows=found["rows"], columns=tuple(columns))
