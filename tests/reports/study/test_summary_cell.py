"""Columns hold what they name: numbers in short as cells of a table."""

from kilter.survey.analysis.summary import Summary
from tests.reports.cases import case
from tests.reports.distinct import Book, check_row
from tests.reports.study_table import SUMMARY


@case("summary_cells")
def test_columns_of_summary_cells_hold_what_they_name(book: Book) -> None:
    from kilter.reports.study.summary_cell import SUMMARY as COLUMNS
    from kilter.reports.study.summary_cell import summary_cells

    check_row(book, COLUMNS, summary_cells(book.make(Summary, "s")), titles=SUMMARY)
