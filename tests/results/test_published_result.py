"""A printed table beside ours."""

from dataclasses import replace

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.document import fields_document
from kilter.results.published_result import (
    CellVerdict,
    PublishedCell,
    PublishedData,
    PublishedEntry,
    PublishedList,
    PublishedResult,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import long_rows, pages, written

DATA = PublishedData(name="d", title="what", source="where", files=("f",))
ENTRY = PublishedEntry(name="t", publication="[X]", place="table 1", title="of", data=(DATA, DATA))


def cell(row: str, column: str, verdict: CellVerdict) -> PublishedCell:
    return PublishedCell(row=row, column=column, printed=1.0, value=2.0, verdict=verdict)


RESULT = PublishedResult(
    entry=ENTRY,
    columns=("x", "y"),
    rows=("a", "b"),
    cells=(
        cell("a", "x", CellVerdict.DIFFERS),
        cell("a", "y", CellVerdict.SAME),
        cell("b", "x", CellVerdict.SAME),
        cell("b", "y", CellVerdict.MISPRINT),
    ),
    decimals=1,
    resamples=5,
    seed=3,
)


def test_cells_are_found_by_row_and_column() -> None:
    for found in RESULT.cells:
        assert RESULT.cell(found.row, found.column) is found


def test_verdicts_are_counted_in_the_order_of_their_kinds() -> None:
    assert list(RESULT.counts().items()) == [("same", 2), ("differs", 1), ("misprint", 1)]
    assert RESULT.to_dict()["verdicts"] == {"same": 2, "differs": 1, "misprint": 1}


def test_an_entry_says_what_it_takes() -> None:
    assert ENTRY.state == "d, d"
    free = PublishedEntry(name="t", publication="", place="", title="", data=())
    assert free.state == "nothing"
    lost = PublishedEntry(
        name="t", publication="", place="", title="", data=(DATA,), unavailable="no"
    )
    assert (lost.state, lost.to_dict()["unavailable"]) == ("unavailable", "no")
    assert ENTRY.to_dict()["unavailable"] is None
    assert ENTRY.to_dict()["needs"][0] == {
        "name": "d",
        "title": "what",
        "source": "where",
        "files": ["f"],
    }


# Columns hold what they name: printed tables beside ours.


def entry(book: Book, name: str, **given: object) -> PublishedEntry:
    data = tuple(book.make(PublishedData, name, f"data{k}") for k in range(2))
    made: PublishedEntry = book.make(PublishedEntry, name, data=data, **given)
    return made


def result(book: Book) -> PublishedResult:
    cells = tuple(
        PublishedCell(
            row=row,
            column=column,
            printed=book.make(float, row, column, "printed"),
            value=book.make(float, row, column, "value"),
            low=0.25,
            high=0.75,
            verdict=CellVerdict.MISPRINT if row == "b" else CellVerdict.WITHIN,
            misprint="M1" if row == "b" else None,
        )
        for row in ("a", "b")
        for column in ("x", "y")
    )
    made: PublishedResult = book.make(
        PublishedResult, "result", entry=entry(book, "entry", unavailable=""), cells=cells,
        rows=("a", "b"), columns=("x", "y"), decimals=3, misprints={"M1": "why"},
    )  # fmt: skip
    return made


@case("PublishedResult")
def test_columns_of_write_published_hold_what_they_name(book: Book) -> None:
    made = result(book)
    (table,) = pages(write_result, made)
    for row, line in zip(made.rows, table, strict=True):
        mark = "!" if row == "b" else ""
        assert line == {made.entry.name: row} | {
            f"{column} {side}": text
            for column in made.columns
            for side, text in (
                ("printed", f"{made.cell(row, column).printed:.3f}{mark}"),
                ("ours", f"{made.cell(row, column).value:.4f} ±0.2500"),
            )
        }
    page = written(write_result, made, form=TableFormat.TEXT)
    assert page.startswith(f"{made.entry.publication} {made.entry.place}: {made.entry.title}\n")
    shown = (*made.differences, *made.notes, "M1: why", f"seed {made.seed}", "2 misprinted (!)")
    assert [text for text in shown if text not in page] == []


def test_what_is_not_printed_is_told_apart_from_what_is_not_recorded(book: Book) -> None:
    made = result(book)
    kinds = (CellVerdict.UNRECORDED, CellVerdict.UNPRINTED)
    cells = tuple(
        replace(cell, printed=None, value=None if cell.column == "y" else "text", verdict=kind)
        for cell, kind in zip(made.cells, [kind for kind in kinds for _ in range(2)], strict=True)
    )
    (table,) = pages(write_result, replace(made, cells=cells))
    assert table == [
        {
            made.entry.name: "a",
            "x printed": "not recorded",
            "x ours": "text ±0.2500",
            "y printed": "not recorded",
        },
        {made.entry.name: "b", "x printed": "-", "x ours": "text ±0.2500", "y printed": "-"},
    ]


def test_a_table_that_cannot_be_computed_says_so(book: Book) -> None:
    lost = entry(book, "lost", unavailable="nobody has it")
    made = replace(result(book), entry=lost, cells=(), rows=())
    page = written(write_result, made, form=TableFormat.TEXT)
    assert "cannot be computed: nobody has it" in page
    assert pages(write_result, made) == []


def test_columns_of_published_rows_hold_what_they_name(book: Book) -> None:
    made = result(book)
    for row, cell in zip(long_rows(made.data()), made.cells, strict=True):
        expected = {"table": made.entry.name, **fields_document(cell)}
        assert row == expected | {"printed_text": None, "value_text": None}
    texts = replace(made, cells=(replace(made.cells[0], printed="p", value="v"),))
    (row,) = long_rows(texts.data())
    found = [row[name] for name in ("printed", "value", "printed_text", "value_text")]
    assert found == [None, None, "p", "v"]


@case("PublishedList")
def test_columns_of_lists_hold_what_they_name(book: Book) -> None:
    entries = [entry(book, "one", unavailable=""), entry(book, "two")]
    (table,) = pages(write_result, PublishedList(entries))
    assert table == [
        {
            "table": each.name,
            "printed as": f"{each.publication} {each.place}",
            "needs": "unavailable"
            if each.unavailable
            else f"{each.data[0].name}, {each.data[1].name}",
        }
        for each in entries
    ]
    page = written(write_result, PublishedList(entries), form=TableFormat.TEXT)
    assert all(data.source in page for each in entries for data in each.data)
    assert long_rows(PublishedList(entries).data()) == [
        {
            "table": each.name,
            "publication": each.publication,
            "place": each.place,
            "title": each.title,
            "needs": f"{each.data[0].name}, {each.data[1].name}",
            "unavailable": each.unavailable or None,
        }
        for each in entries
    ]
