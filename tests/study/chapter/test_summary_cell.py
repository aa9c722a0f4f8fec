"""Columns hold what they name: numbers in short as cells of a table."""

import pytest

from kilter.study.analysis.summary import Summary
from kilter.study.chapter.summary_cell import said, said_p
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import SUMMARY


@case("summary_cells")
def test_columns_of_summary_cells_hold_what_they_name(book: Book) -> None:
    from kilter.study.chapter.summary_cell import SUMMARY as COLUMNS
    from kilter.study.chapter.summary_cell import summary_cells

    check_row(book, COLUMNS, summary_cells(book.make(Summary, "s")), titles=SUMMARY)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.0, 3, "0.000"),
        (0.00049, 3, "4.9e-04"),
        (-0.00049, 3, "-4.9e-04"),
        (0.00051, 3, "0.001"),
        (0.0049, 2, "4.9e-03"),
        (0.0051, 2, "0.01"),
        (1.5, 1, "1.5"),
    ],
)
def test_small_numbers_show_their_size(value: float, digits: int, shown: str) -> None:
    assert said(value, digits=digits) == shown


def test_a_p_value_too_small_for_the_computer_is_not_written_as_nothing() -> None:
    assert [said_p(p) for p in (0.0, 3e-7, 0.0412)] == ["< 0.0001", "3.0e-07", "0.041"]
