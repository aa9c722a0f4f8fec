"""Tables of judgments without a header, which the number and kind of their fields tell apart."""

from __future__ import annotations

import csv
import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, KilterWarning
from kilter.io.table import is_only_table, read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.io.stream import ByteSource
    from kilter.io.table import DataTable

_HEAD = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId")
_COMPARED = ["segment", "one", "sign", "other"]
_SIGNS = ("<", "=", ">")
_RANK = re.compile(r"-1|[0-9]{1,2}|")
_NUMBER = re.compile(r"[0-9]{1,9}")
_PAIR = re.compile(r"[A-Za-z_]{2,}-[A-Za-z_]{2,}")


def read_judgment_table(
    source: ByteSource, *, check: Callable[[DataTable], object] | None = None
) -> DataTable:
    """Return a table of judgments; the columns of one without header are told with a `KilterWarning`.

    Those are known of rankings as WMT writes them, and of pairs: `SEGMENT BETTER WORSE`, the same with the
    language pair before each system, and `SEGMENT ONE > OTHER` (or `<`, `=`). A header
    is checked by `check` before its rows are.
    """
    if is_only_table(source.path):
        return read_table(source, check=check)
    first = b""
    for piece in source.chunks(again=True):
        first += piece
        if b"\n" in piece:
            break
    line = first.partition(b"\n")[0].decode(errors="replace").strip()
    names = _names(line)
    if names is None:
        return read_table(source, check=check)
    told = ", ".join(names)
    warnings.warn(
        f"{source.name}: has no header; its columns are taken as {told}",
        KilterWarning,
        stacklevel=2,
    )
    table = read_table(source, columns=names)
    return _preferred(table) if names == _COMPARED else table


def _preferred(table: DataTable) -> DataTable:
    """Return comparisons of two systems as pairs of the better and the worse."""
    better, worse, tie = [], [], []
    rows = zip(*(table.columns[name] for name in _COMPARED), strict=True)
    for row, (_, one, sign, other) in enumerate(rows):
        if sign not in _SIGNS:
            raise InputError(
                f"{sign!r} stands between systems; it must be >, < or =", where=table.where(row)
            )
        better.append(other if sign == "<" else one)
        worse.append(one if sign == "<" else other)
        tie.append(str(int(sign == "=")))
    columns = {"better": better, "worse": worse, "tie": tie}
    kept = {
        "segment": table.columns["segment"],
        **{name: tuple(cells) for name, cells in columns.items()},
    }
    return replace(table, columns=kept)


def _fields(line: str) -> list[str]:
    """Return what stands between the commas of a line; nothing, if it is no line of CSV."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _names(line: str) -> list[str] | None:
    """Return the columns of a row that is no header; None for a header."""
    fields = _fields(line)
    cells = [cell.strip().strip('"') for cell in fields]
    systems, rest = divmod(len(cells) - len(_HEAD), 3)
    if systems > 1 and not rest and all(map(_RANK.fullmatch, cells[-systems:])):
        shown = [f"system{k}{part}" for k in range(1, systems + 1) for part in ("Number", "Id")]
        return [*_HEAD, *shown, *(f"system{k}rank" for k in range(1, systems + 1))]
    cells = line.split("\t") if "\t" in line else fields if "," in line else line.split()
    if not cells or not _NUMBER.fullmatch(cells[0]):
        return None
    if len(cells) == 3:
        return ["segment", "better", "worse"]
    if len(cells) == 4 and cells[2] in _SIGNS:
        return _COMPARED
    if len(cells) == 5 and cells[1] == cells[3] and _PAIR.fullmatch(cells[1]):
        return ["segment", "lp", "better", "lp of the worse", "worse"]
    return None
