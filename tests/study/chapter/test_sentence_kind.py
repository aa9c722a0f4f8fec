"""Answers by kind of sentence as tables, sentences and a figure."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.sentence_kind import ChoiceCheck, KindAnswers, answers_by_kind
from kilter.study.chapter import sentence_kind
from kilter.study.chapter.sentence_kind import choice_sentence, kind_figure, kind_report
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import QUESTIONS, STUDY, SUMMARY, check_report, faked
from tests.study.analysis.studies import permutation, study, translation


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
        "Mean answers to order, from 0, the worst, to 1: choice 1.00, order 0.75, translation 0.25."
    )
    assert text[2].startswith("Where only words were replaced, order stays near the top")
    shown = texts(kind_figure(answers_by_kind(made), simulated=False))
    assert {"permutations of type choice", "1.000 (n = 2)", "0.250 (n = 2)"} <= {*shown}


def test_word_choice_that_falls_is_said_to_fall() -> None:
    low = ChoiceCheck(question="order", mean=0.5, least=0.75, place=3, kinds=5)
    assert "order does not stay near the top: its mean is number 3 of 5 kinds" in choice_sentence(
        low
    )
    assert choice_sentence(Undefined("why")).endswith("cannot be said: why.")
