"""Columns hold what they name: correlations of judgments with every tool. Section 13.3"""

import pytest

from kilter.study.analysis.judged_correlation import Correlation
from kilter.study.chapter import tool_correlation
from kilter.study.chapter.tool_correlation import Correction
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import (
    CORRELATION,
    QUESTIONS,
    check_correlations,
    faked,
    ranges,
    tool_rows,
)


@case("correlation_table", "correlation_cells")
def test_columns_of_correlation_table_and_correlation_cells_hold_what_they_name(book: Book) -> None:
    rows = tool_rows(book)
    for intervals in (False, True):
        table = tool_correlation.correlation_table(rows, intervals=intervals)
        check_correlations(table, rows, intervals=intervals)
    value = book.make(Correlation, "alone")
    cells = tool_correlation.correlation_cells(value)
    check_row(book, tool_correlation.COLUMNS, cells, titles=CORRELATION)


@case("correlation_reports")
def test_columns_of_correlation_reports_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(tool_correlation, monkeypatch)
    rows = tool_rows(book)
    (report, *others) = tool_correlation.correlation_reports(
        rows, adjusted=True, correction=Correction.HOLM, simulated=False
    )
    check_correlations(report.data, rows, intervals=True)
    assert not any(other.data.rows for other in others)
    assert len(report.tables) == 2  # of a baseline, and of another metric
    by_column = {
        (f"{row.question}{', adjusted' if row.adjusted else ''}", row.tool): row for row in rows
    }
    listed = [dict(zip(t.names, cells, strict=True)) for t in report.tables for cells in t.rows]
    for named in listed:
        tool = named.pop("tool")
        used = [
            v
            for q in QUESTIONS
            for v in by_column[f"{q}, adjusted", str(tool)].configurations.values()
        ]
        for column, attribute in (("n", "judgments"), ("sentences", "sentences")):
            counts = [getattr(value, attribute) for value in used]
            assert named.pop(column) == f"{min(counts)}-{max(counts)}"
        assert set(named) == {column for column, of in by_column if of == tool}
        for column, cell in named.items():
            row = by_column[column, str(tool)]
            assert ranges(cell) == (row.highest, row.lowest)
