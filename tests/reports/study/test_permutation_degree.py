"""Columns hold what they name: answers by type and degree of permutations. Section 13.3"""

import pytest

from kilter.reports.study import (
    permutation_degree,
)
from kilter.survey.analysis.judgment_study import SentenceGroup
from kilter.survey.analysis.permutation_degree import DegreeAnswers
from tests.reports.cases import case
from tests.reports.distinct import Book
from tests.reports.study_table import QUESTIONS, STUDY, SUMMARY, check_report, faked


@case("degree_report")
def test_columns_of_degree_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(
        book.make(DegreeAnswers, name, question=name, type=SentenceGroup.SWAP) for name in QUESTIONS
    )
    faked(permutation_degree, monkeypatch, answers_by_degree=lambda _: found)
    check_report(book, permutation_degree.degree_report(STUDY), titles=SUMMARY)
