"""Signs of careless answers and control items as tables and sentences."""

import pytest

from kilter.study.analysis.attention import Attention, ControlAnswers
from kilter.study.chapter import attention
from kilter.study.chapter.attention import attention_report
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import QUESTIONS, STUDY, check_report, faked
from tests.study.analysis.studies import crossed


@case("control_report")
def test_columns_of_control_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(ControlAnswers, name, question=name) for name in QUESTIONS)
    faked(attention, monkeypatch, control_answers=lambda _: found)
    report = attention.control_report(STUDY)
    check_report(book, report, titles={"n": "count", "missing": "answers_missing"})


@case("attention_report")
def test_columns_of_attention_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(Attention, str(k)) for k in range(2))
    faked(attention, monkeypatch, attention=lambda _: found)
    report = attention.attention_report(STUDY)
    check_report(book, report, computed=("signs",))
    for row, made in zip(report.data.rows, found, strict=True):
        assert row[1] == ", ".join(made.signs)


def test_people_with_a_sign_are_listed_and_nobody_is_left_out() -> None:
    ladder = [1, 2, 3, 4, 5] * 3
    report = attention_report(crossed([ladder, ladder, ladder, ladder[::-1]]))
    assert report.text == (
        (
            "1 of 4 participants show a sign of careless answers: unlike the others (1). Nobody was left out for it."
        ),
    )
    assert [row[:2] for row in report.tables[0].rows] == [("p3", "unlike the others")]
    assert len(report.data.rows) == 4
    assert {"no sign", "3 (75%)", "1 (25%)"} <= {*texts(report.figures[0].svg)}
    careful = attention_report(crossed([ladder, ladder]))
    assert careful.text == ("None of 2 participants shows a sign of careless answers.",)
    assert careful.tables == ()


def test_a_study_without_control_items_says_so() -> None:
    report = attention.control_report(crossed([[1, 2]]))
    assert report.text == ("The questionnaires had no control items.",)
    assert report.tables == ()
