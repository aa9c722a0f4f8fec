"""CSV for spreadsheets, which run some texts as formulas."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FORMULA = r"[=+\-@\t\r]"
# Where a semicolon parts columns, as in many countries, a formula may begin after one, or in a new line.
_RUNS = re.compile(rf"(?:\A(?='*{_FORMULA})|(?<=[;\n\r])(?=[\"']*{_FORMULA}))")
_GUARDED = re.compile(rf"(?:\A'(?='*{_FORMULA})|(?<=[;\n\r])'(?=[\"']*{_FORMULA}))")


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    r"""Return a table as CSV; texts that a spreadsheet would run as a formula get a quote before them.

    A text may hold several, for spreadsheets that part columns at semicolons. `unguarded` takes the quotes away.

    >>> csv_text(["a", "b"], [{"a": "=1+1", "b": True}, {"a": -1.5}])
    "a,b\n'=1+1,yes\n-1.5,\n"
    """
    cells = ([_cell(row.get(name)) for name in names] for row in rows)
    return "".join(map(_line, [list(names), *cells]))


def _line(cells: Sequence[object]) -> str:
    out = io.StringIO()
    # Quotes what holds a character of the line's end; a lone carriage return would end a row for a reader.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return guarded(value) if isinstance(value, str) else value


def guarded(cell: str) -> str:
    """Return a text with a quote before all that a spreadsheet would run as a formula.

    >>> guarded("=1+1;=2"), guarded("it's")
    ("'=1+1;'=2", "it's")
    """
    return _RUNS.sub("'", cell)


def unguarded(cell: str) -> str:
    """Return the text of a cell that `csv_text` or `guarded` wrote.

    >>> unguarded("'=1+1;'=2"), unguarded("it's")
    ('=1+1;=2', "it's")
    """
    return _GUARDED.sub("", cell)
