"""Answers by kind of sentence, counted by hand."""

from dataclasses import replace

import pytest

from kilter.io.judgments.survey_export import QuestionScale
from kilter.stats.undefined import Undefined
from kilter.study.analysis import sentence_kind
from kilter.study.analysis.sentence_kind import (
    ChoiceCheck,
    KindAnswers,
    answers_by_kind,
    choice_check,
    choice_sentence,
    kind_figure,
    kind_report,
)
from kilter.study.judgments.judgment_study import JudgmentStudy
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import QUESTIONS, STUDY, SUMMARY, check_report, faked
from tests.study.analysis.studies import permutation, study, translation

SENTENCES = [
    translation("t"),
    permutation("c1", "choice", 1),
    permutation("c2", "choice", 2),
    permutation("o", "order", 1),
]


def made(*, choice: float, order: float) -> JudgmentStudy:
    rows = [
        (p, s, 3, level) for p in range(2) for s, level in enumerate((3, choice, choice, order))
    ]
    return study([*rows, (2, 0, None, None)], SENTENCES)


def test_answers_are_summed_up_by_question_and_kind() -> None:
    found = {
        (each.question, str(each.kind)): each for each in answers_by_kind(made(choice=5, order=1))
    }
    assert {kind for _, kind in found} == {"translation", "choice", "order"}
    choice = found["order", "choice"]
    assert (choice.sentences, choice.answers.count, choice.answers.mean) == (2, 4, 1.0)
    translations = found["holistic", "translation"]
    assert (translations.answers.count, translations.answers.missing) == (2, 1)
    assert translations.answers.mean == 0.5
    assert found["order", "order"].answers.mean == 0.0


@pytest.mark.parametrize(
    ("choice", "order", "holds", "place"), [(5, 1, True, 1), (4, 5, True, 2), (3, 5, False, 2)]
)
def test_word_choice_is_near_the_top_within_one_level_of_the_best(
    choice: int, order: int, *, holds: bool, place: int
) -> None:
    found = choice_check(made(choice=choice, order=order))
    assert isinstance(found, ChoiceCheck)
    assert (found.holds, found.place, found.kinds, found.least) == (holds, place, 3, 0.75)


def test_one_level_is_one_of_the_question_s_own() -> None:
    questions = (QuestionScale(name="holistic"), QuestionScale(name="order", high=11))
    found = choice_check(replace(made(choice=10, order=1), questions=questions))
    assert isinstance(found, ChoiceCheck)
    assert (found.least, found.mean, found.holds) == (0.9, 0.9, True)


def test_without_word_choice_there_is_nothing_to_check() -> None:
    found = choice_check(study([(0, 0, 3, 3)]))
    assert found == Undefined("there is no answer about a permutation of type choice")
    assert choice_check(study([(0, 0, 3, 3)]), "fluency") == Undefined(
        "the study has no question fluency on a scale"
    )


def test_permutations_of_type_both_are_a_kind_of_their_own() -> None:
    sentences = [translation("t"), permutation("b", "both", 2), permutation("o", "order", 2)]
    found = answers_by_kind(study([(0, 0, 5, 5), (0, 1, 1, 2), (0, 2, 3, 3)], sentences))
    assert [str(each.kind) for each in found if each.question == "order"] == [
        "translation", "order", "both",
    ]  # fmt: skip
    assert found[-1].answers.mean == 0.25


@case("kind_report")
def test_columns_of_kind_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(KindAnswers, name, question=name) for name in QUESTIONS)
    faked(sentence_kind, monkeypatch, answers_by_kind=lambda _: found)
    check_report(book, sentence_kind.kind_report(STUDY), titles=SUMMARY)


def test_sentences_list_the_best_kind_first_and_check_word_choice() -> None:
    sentences = [translation("t"), permutation("c", "choice", 1), permutation("o", "order", 1)]
    made = study(
        [(p, s, 3, level) for p in range(2) for s, level in enumerate((2, 5, 4))], sentences
    )
    text = kind_report(made).text
    assert text[1] == (
        'Mean answers to "order" (0 is worst, 1 is best): translations 0.25; permutations of type choice 1.00, order 0.75.'
    )
    assert text[2].startswith(
        'Where only words were replaced, answers to "order" stay near the top: their mean is 1.00, the highest of 3 kinds;'
    )
    shown = texts(kind_figure(answers_by_kind(made), simulated=False))
    assert {"permutations of type choice", "1.000 (n = 2)", "0.250 (n = 2)"} <= {*shown}


def test_studies_without_permutations_hear_nothing_of_word_choice() -> None:
    report = kind_report(study([(0, 0, 3, 2)], [translation("t")]))
    assert len(report.text) == 2
    assert "near the top" not in " ".join((*report.text, *report.notes))


def test_word_choice_that_falls_is_said_to_fall() -> None:
    low = ChoiceCheck(question="order", mean=0.5, least=0.75, place=3, kinds=5)
    assert (
        'answers to "order" do not stay near the top: their mean is 0.50, number 3 of 5 kinds'
        in (choice_sentence(low))
    )
    assert choice_sentence(Undefined("why")).endswith("cannot be said: why.")
