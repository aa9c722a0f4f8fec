"""Published figures beside ours as a table."""

from kilter.stats.undefined import Undefined
from kilter.study.analysis.published_value import PrintedValue
from kilter.study.chapter.published_value import published_report
from tests.render.cases import case
from tests.render.distinct import Book


@case("published_report")
def test_columns_of_published_report_hold_what_they_name(book: Book) -> None:
    values = [
        book.make(PrintedValue, "one", published=0.118, ours=0.25),
        book.make(PrintedValue, "two", published="null rejected", ours="null rejected"),
        book.make(PrintedValue, "three", published="not rejected", ours=Undefined("why")),
    ]
    report = published_report(values, simulated=False)
    assert report.data.names == ("name", "place", "published", "ours")
    printed = ("0.118", "null rejected", "not rejected")
    for row, made, shown in zip(report.data.rows, values, printed, strict=True):
        assert row == (made.name, made.place, shown, made.ours)
    assert [row[3] for row in report.tables[0].rows] == [
        "0.2500",
        "null rejected",
        Undefined("why"),
    ]
    assert report.text[0].startswith("1 of 2 hypotheses have the published outcome.")
    assert "simulated" in published_report(values, simulated=True).text[0]
