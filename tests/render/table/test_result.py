"""A result in any format."""

import io
import json

import pytest

from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.table import FULL_FORMATS, TableFormat


def written(form: TableFormat, *, value: float = 0.5) -> tuple[str, list[str]]:
    """Return what is written of a small result, and what was made of it."""
    out, made = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), list[str]()

    def document() -> dict[str, float]:
        made.append("document")
        return {"score": value}

    def rows() -> LongTable:
        made.append("rows")
        return LongTable.of(["score"], [{"score": value}])

    def page() -> None:
        made.append("page")
        out.write("a page")

    write_result(out, form, document=document, rows=rows, page=page)
    out.seek(0)
    return (out.read() if form is not TableFormat.PARQUET else ""), made


@pytest.mark.parametrize("form", TableFormat)
def test_only_what_the_format_needs_is_made_of_a_result(form: TableFormat) -> None:
    kind = "rows" if form in FULL_FORMATS - {TableFormat.JSON} else "page"
    assert written(form)[1] == ["document" if form is TableFormat.JSON else kind]


def test_a_document_is_json_and_holds_no_number_that_json_lacks() -> None:
    assert json.loads(written(TableFormat.JSON)[0]) == {"score": 0.5}
    with pytest.raises(ValueError, match="JSON compliant"):
        written(TableFormat.JSON, value=float("nan"))
