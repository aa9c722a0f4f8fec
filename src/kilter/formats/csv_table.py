"""Tables as CSV that spreadsheets can open without harm."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Return a table as CSV; texts that a spreadsheet would run as a formula get a quote before them.

    >>> csv_text(["a", "b"], [{"a": "=1+1", "b": True}, {"a": -1.5}])
    "a,b\n'=1+1,yes\n-1.5,\n"
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue()


def _cell(value: object) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value[:1] in _FORMULA:
        return f"'{value}"
    return value
