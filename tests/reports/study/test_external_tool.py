"""Columns hold what they name: external tools: how many translations they scored, and how well. Section 13.3"""

import pytest

from kilter.reports.study import (
    external_tool,
)
from kilter.reports.study.tool_correlation import Correction
from kilter.survey.analysis.external_tool import ExternalCorrelation
from tests.reports.cases import case
from tests.reports.distinct import Book
from tests.reports.study_table import CORRELATION, QUESTIONS, check_report, faked


@case("external_report")
def test_columns_of_external_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(external_tool, monkeypatch)
    rows = [
        book.make(ExternalCorrelation, name, question=name, coverage=place + 12.5)
        for place, name in enumerate(QUESTIONS)
    ]
    report = external_tool.external_report(rows, correction=Correction.NONE, simulated=False)
    titles = {
        **CORRELATION, "n": "correlation_judgments", "sentences": "correlation_sentences",
        "tool": "tool", "corr.": "rho", "p-value": "p", "%": "coverage",
    }  # fmt: skip
    computed = ("tool", "variant", "unadjusted_rho", "unadjusted")
    check_report(book, report, titles=titles, computed=computed)
    for row, made in zip(report.data.rows, rows, strict=True):
        assert row[1:3] == (made.tool, made.variant)
        assert row[-1] == made.unadjusted.rho
    for row, made in zip(report.tables[0].rows, rows, strict=True):
        assert row[1] == f"{made.tool}:{made.variant}"
        assert row[6] == made.unadjusted.rho
