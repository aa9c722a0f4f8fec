"""Answers by type and degree, counted by hand."""

from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.permutation_degree import answers_by_degree
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
