"""Tables of JSON lines: one object a line, all with the same keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.io.delimited import DelimitedTable
from kilter.io.json_text import parse_json
from kilter.io.text import read_table_lines

if TYPE_CHECKING:
    from kilter.io.stream import ByteSource


def read_json_table(source: ByteSource) -> DelimitedTable:
    """Return the table as a delimited one would be: cells as text, empty for null, yes or no for booleans."""
    names: list[str] = []
    rows, numbers = [], []
    for number, line in enumerate(read_table_lines(source), start=1):
        if not line.strip():
            continue
        entry = _object(line, f"{source.name}:{number}")
        names = names or list(entry)
        if {*entry} != {*names}:
            raise InputError(
                f"has the keys {', '.join(entry)}; the first line has {', '.join(names)}",
                where=f"{source.name}:{number}",
            )
        rows.append([cell(entry[name]) for name in names])
        numbers.append(number)
    columns = zip(*rows, strict=True) if rows else ()
    lowered = [name.lower() for name in names]
    return DelimitedTable(
        source.name,
        dict(zip(lowered, columns, strict=True)),
        np.array(numbers, dtype=np.int64),
    )


def _object(line: str, where: str) -> dict[str, object]:
    try:
        entry = parse_json(line)
    except ValueError as error:
        raise InputError(f"is no JSON: {error}", where=where) from error
    if not isinstance(entry, dict) or not entry:
        raise InputError("is no JSON object with keys; write one a line", where=where)
    return entry


def cell(value: object) -> str:
    """Return what a cell of a delimited table would hold.

    >>> cell(None), cell(True), cell(3), cell("a")
    ('', 'yes', '3', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else str(value)
