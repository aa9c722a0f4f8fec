"""A printed table beside ours."""

from kilter.results.published_result import (
    CellVerdict,
    PublishedCell,
    PublishedData,
    PublishedEntry,
    PublishedResult,
)

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
