"""Columns hold what they name: external tools: how many translations they scored, and how well. Section 13.3"""

from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.external_tool import ExternalCorrelation
from kilter.study.chapter import external_tool
from kilter.study.chapter.tool_correlation import Correction
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import CORRELATION, QUESTIONS, check_report, faked


@pytest.mark.parametrize(
    ("rho", "text"),
    [
        (True, "Scores of 1 external tool were read from files; all have a correlation."),
        (
            False,
            (
                "Scores of 1 external tool were read from files; without a correlation: 1, for instance with fewer than "
                "15 sentences in common with the study."
            ),
        ),
    ],
)
def test_how_many_tools_have_no_correlation_is_said(book: Book, text: str, *, rho: bool) -> None:
    made = book.make(ExternalCorrelation, "one", question="order")
    few = Undefined("3 sentences with answer and score; a correlation needs 15")
    row = made if rho else replace(made, correlation=few, unadjusted=few)
    report = external_tool.external_report([row], correction=Correction.NONE, simulated=False)
    assert report.text == (text,)


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
