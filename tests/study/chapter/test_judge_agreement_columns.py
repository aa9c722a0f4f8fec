"""Columns hold what they name: agreement between participants. Section 13.3"""

from collections.abc import Callable

import pytest

from kilter.study.analysis.judge_agreement import JudgeAgreement
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.chapter import judge_agreement
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import STUDY, check_report, faked


def judged(book: Book) -> Callable[..., JudgeAgreement]:
    def found(
        _study: object, question: str, *, sentences: SentenceGroup = SentenceGroup.ALL
    ) -> JudgeAgreement:
        made: JudgeAgreement = book.make(
            JudgeAgreement, question, str(sentences), question=question, sentences=sentences
        )
        return made

    return found


@case("agreement_report")
def test_columns_of_agreement_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(judge_agreement, monkeypatch, judge_agreement=judged(book))
    titles = {
        "pairs": "kappa_linear_pairs",
        "undefined_pairs": "kappa_linear_undefined",
        "leave_one_out": "mean_leave_one_out",
        "leave-one-out rho": "mean_leave_one_out",
        "linear kappa": "kappa_linear_mean",
        "quadratic kappa": "kappa_quadratic_mean",
    }
    report = judge_agreement.agreement_report(STUDY)
    for table in (report.data, *report.tables):
        for row in table.rows:
            by_group = [cell for cell in row if not isinstance(cell, str)]
            named = zip(table.names, row, strict=True)
            for column, cell in named:
                if cell in by_group:
                    path = book.places[cell]
                    assert book.named(titles.get(column, column), path), (column, path)
                    assert path[:2] == row[:2]


@case("leave_one_out_report")
def test_columns_of_leave_one_out_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(judge_agreement, monkeypatch, judge_agreement=judged(book))
    check_report(book, judge_agreement.leave_one_out_report(STUDY))
