"""Answers by type and degree, counted by hand."""

import pytest

from kilter.study.analysis import permutation_degree
from kilter.study.analysis.permutation_degree import DegreeAnswers, answers_by_degree
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import QUESTIONS, STUDY, SUMMARY, check_report, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import permutation, study


def test_answers_by_type_and_degree() -> None:
    found = [row for row in answers_by_degree(MADE) if row.question == "holistic"]
    assert [(row.type, row.degree, row.sentences) for row in found] == [
        (SentenceGroup.ORDER, 1, 1),
        (SentenceGroup.ORDER, 3, 1),
        (SentenceGroup.CHOICE, 3, 1),
    ]
    assert [row.answers.mean for row in found] == [0.5, 0.25, 0.0]


def test_type_both_has_its_degrees() -> None:
    sentences = [permutation("b1", "both", 2), permutation("b2", "both", 4)]
    found = answers_by_degree(study([(0, 0, 5, 5), (0, 1, 1, 1)], sentences))
    assert [(str(each.type), each.degree) for each in found[:2]] == [("both", 2), ("both", 4)]


@case("degree_report")
def test_columns_of_degree_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(
        book.make(DegreeAnswers, name, question=name, type=SentenceGroup.SWAP) for name in QUESTIONS
    )
    faked(permutation_degree, monkeypatch, answers_by_degree=lambda _: found)
    check_report(book, permutation_degree.degree_report(STUDY), titles=SUMMARY)


def test_a_sentence_speaks_only_of_degrees_with_ten_answers() -> None:
    """One answer at the highest degree says nothing about high degrees."""
    sentences = [permutation(f"o{degree}", "order", degree) for degree in (1, 2, 3)]
    rows = [(p, s, 3, level) for s, level in enumerate((5, 3)) for p in range(10)]
    report = permutation_degree.degree_report(study([*rows, (0, 2, 3, 1)], sentences))
    assert (
        'Mean answers to "order" at the lowest and the highest degree, by type of permutation: order 1.00 at degree 1 '
        "(n = 10) and 0.50 at degree 2 (n = 10)." in report.text
    )
    few = permutation_degree.degree_report(study(rows[:10], sentences))
    assert 'There are too few answers to "order" to compare degrees.' in few.text
