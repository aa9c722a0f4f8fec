"""A result in any format: one JSON document, rows for programs, or a page for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kilter.render.table.long_table import write_long
from kilter.render.table.table import ROW_FORMATS, TableFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from kilter.render.table.long_table import LongTable


def write_result(
    out: TextIO,
    form: TableFormat,
    *,
    document: Callable[[], Mapping[str, object] | Sequence[object]],
    rows: Callable[[], LongTable],
    page: Callable[[], None],
) -> None:
    """Write a result; only what the format needs is made of it.

    JSON is one line of every command, as programs read it.
    """
    if form is TableFormat.JSON:
        json.dump(document(), out, ensure_ascii=False, allow_nan=False)
        out.write("\n")
    elif form in ROW_FORMATS:
        write_long(rows(), out, form=form)
    else:
        page()
