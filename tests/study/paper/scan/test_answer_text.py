"""Texts that somebody writes about answers, and answers as they would be typed."""

import pytest

from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study
from kilter.study.instrument.answer_form import personal_answers
from kilter.study.paper.scan.answer_text import AnswerText, UnknownQuestionError, WrongTextError
from tests.study.running import example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return read_study(example(tmp_path_factory.mktemp("texts") / "study"))


@pytest.fixture(scope="module")
def answers(study: Study) -> AnswerText:
    return AnswerText(study, ["archiving", "risks"])


@pytest.mark.parametrize(
    ("position", "question", "text", "value"),
    [
        (3, "order", "5", 5),
        (0, "gender", "2", 2),
        (0, "gender", "prefer not to say", 4),
        (0, "grammar_attention", "4", 4),
        (0, "age", "44", 44),
        (0, "nationality", "7", "7"),
        (0, "languages_2_name", "Dari", "Dari"),
        (0, "languages_2_fluency", "native", 7),
        (0, "languages_2_fluency", "1", 1),
        (0, "disability", "yes", 2),
        (0, "disability_text", "I read slowly.", "I read slowly."),
        (0, "consent_archiving", "Yes", 1),
        (0, "consent_risks", "no", 2),
    ],
)
def test_a_text_is_the_answer_that_its_question_allows(
    position: int, question: str, text: str, value: object, answers: AnswerText
) -> None:
    assert answers.value(position, question, text) == value


@pytest.mark.parametrize(
    ("position", "question", "text", "message"),
    [
        (3, "order", "6", "write a number from 1 to 5, or none"),
        (3, "order", " ", "write a number, or none"),
        (0, "gender", "5", "write a number from 1 to 4, one of male, female, other"),
        (0, "gender", "0", "write a number from 1 to 4"),
        (0, "languages_1_fluency", "good", "one of a few words, basic"),
        (0, "age", "15", "write a number from 16 to 120, or none"),
        (0, "nationality", "x" * 101, "write at most 100 characters, or none"),
        (0, "consent_risks", "3", "write yes, no, or none"),
    ],
)
def test_a_wrong_text_is_refused_with_what_would_be_right(
    position: int, question: str, text: str, message: str, answers: AnswerText
) -> None:
    with pytest.raises(WrongTextError) as raised:
        answers.value(position, question, text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("position", "question"),
    [(1, "gender"), (0, "order"), (0, "languages"), (0, "languages_6_name"), (0, "consent_mood")],
)
def test_a_question_that_no_page_asks_is_none(
    position: int, question: str, answers: AnswerText
) -> None:
    with pytest.raises(UnknownQuestionError):
        answers.value(position, question, "1")


def test_boxes_become_the_words_that_typed_answers_have(study: Study, answers: AnswerText) -> None:
    words = answers.words({"gender": 2, "age": 44, "languages_1_name": "Dari", "languages_1_fluency": 7})  # fmt: skip
    assert (words["gender"], words["education"]) == ("female", "")
    assert personal_answers(study.questions, words.__getitem__) == {
        "languages": [{"name": "Dari", "fluency": "native", "qualifications": ""}],
        "gender": "female",
        "age": 44,
    }


def test_lines_of_consent_are_those_that_were_answered(answers: AnswerText) -> None:
    assert answers.agreed({"consent_archiving": 2, "consent_risks": None, "age": 1}) == {
        "archiving": False
    }
    assert answers.agreed({"consent_risks": 1}) == {"risks": True}
