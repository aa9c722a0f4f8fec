"""What reports write, read back."""

import io
import json
from collections.abc import Callable
from typing import Any

from kilter.core.table import Table
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.document import Result


def written(write: Callable[..., None], *given: Any, form: TableFormat, **options: Any) -> str:
    """Return what is written; of a result everything there is to read, unless `details` says otherwise."""
    out = io.StringIO()
    if write is write_result:
        options.setdefault("details", True)
    write(*given, out, form=form, **options)
    return out.getvalue()


def shown(result: Result | Table, form: TableFormat, **options: Any) -> str:
    """Return a result in a format."""
    return written(write_result, result, form=form, **options)


def document(result: Result | Table) -> Any:
    """Return the JSON document of a result, as it is printed."""
    return json.loads(shown(result, TableFormat.JSON))


def objects(write: Callable[..., None], *given: Any) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in written(write, *given, form=TableFormat.JSONL).splitlines()
    ]


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the tables of a page in Markdown, rows by column."""
    found: list[list[dict[str, str]]] = []
    header: list[str] = []
    for line in [*text.replace("\\", "").splitlines(), ""]:
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells
            found.append([])
        elif not line.startswith("| :--"):
            found[-1].append(dict(zip(header, cells, strict=True)))
    return found


def pages(write: Callable[..., None], *given: Any) -> list[list[dict[str, str]]]:
    return tables(written(write, *given, form=TableFormat.MD))


def long_rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table for programs, the same in every format."""
    found = table.records()
    assert [json.loads(line) for line in shown(table, TableFormat.JSONL).splitlines()] == found
    for form, delimiter in ((TableFormat.CSV, ","), (TableFormat.TSV, "\t")):
        assert tuple(shown(table, form).splitlines()[0].split(delimiter)) == table.names
    return found


def halved(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    digits: int = 4,
    scale: float = 1.0,
) -> str:
    half = scale * (number(high) - number(low)) / 2
    return f"{scale * number(value):.{digits}f} ±{half:.{digits}f}"


def number(value: float | None) -> float:
    assert value is not None
    return value
