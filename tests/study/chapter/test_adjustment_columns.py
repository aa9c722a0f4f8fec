"""Columns hold what they name: judgments without the differences between participants. Section 13.2"""

import pytest

from kilter.study.analysis.adjustment import Adjustment
from kilter.study.chapter import adjustment
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import QUESTIONS, STUDY, check_report, faked


@case("adjustment_report")
def test_columns_of_adjustment_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    titles = {"n": "judgments", "mean": "intercept", "df": "freedom", "effects from": "source"}
    check_report(book, adjustment.adjustment_report(STUDY, found), titles=titles)


@case("tool_adjustment_report")
def test_columns_of_tool_adjustment_report_hold_what_they_name(book: Book) -> None:
    found = {
        (name, "tool", "one"): book.make(Adjustment, name, question=name) for name in QUESTIONS
    }
    report = adjustment.tool_adjustment_report(found)
    titles = {"n": "judgments"}
    check_report(book, report, titles=titles, computed=("tool", "configuration"))
    assert [row[:3] for row in report.data.rows] == [*found]


@case("effect_report")
def test_columns_of_effect_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = adjustment.effect_report(found, simulated=False)
    check_report(book, report, titles={"n": "judgments"})
    assert len(report.data.rows) == 4
