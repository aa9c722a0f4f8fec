"""Answers as forms bring them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kilter.study.instrument.answer_form import (
    InvalidAnswerError,
    applicable,
    judgment,
    language_points,
    personal_answers,
    said,
)
from kilter.study.instrument.interface import read_interface
from kilter.study.instrument.question import Condition, Question, QuestionKind, QuestionText


def question(kind: QuestionKind, **fields: Any) -> Question:
    return Question(name="one", kind=kind, texts={"en": QuestionText(ask="What?")}, **fields)


@pytest.mark.parametrize(("text", "value"), [("", None), ("  ", None), ("1", 1), (" 5 ", 5)])
def test_a_number_on_the_scale_is_an_answer_and_nothing_is_none(
    text: str, value: int | None
) -> None:
    assert judgment(question(QuestionKind.BOXES), text) == value


@pytest.mark.parametrize("text", ["0", "6", "-1", "2.0", "٣", "1e0", "9" * 5000, "x"])
def test_what_is_not_on_the_scale_is_refused_with_its_bounds(text: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidAnswerError) as raised:
        judgment(question(QuestionKind.BOXES), text)
    assert raised.value.fields == {"low": 1, "high": 5}
    assert "1" in raised.value.said(read_interface("en", tmp_path))


def test_a_scale_may_go_below_zero() -> None:
    assert judgment(question(QuestionKind.NUMBER, low=-3, high=3), "-3") == -3


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        (question(QuestionKind.OPTIONS, options=("yes", "no")), "no", "no"),
        (question(QuestionKind.TEXT), " a\nb ", "a\nb"),
        (question(QuestionKind.NUMBER, low=16, high=120), "47", 47),
    ],
)
def test_people_describe_themselves_in_words_and_numbers(
    asked: Question, text: str, value: object
) -> None:
    assert personal_answers([asked], {"one": text}.__getitem__) == {"one": value}
    assert personal_answers([asked], {"one": "  "}.__getitem__) == {}


@pytest.mark.parametrize(
    ("asked", "text", "key"),
    [
        (question(QuestionKind.OPTIONS, options=("yes", "no")), "maybe", "invalid_option"),
        (question(QuestionKind.TEXT, longest=3), "four", "invalid_text"),
        (question(QuestionKind.TEXT), "a\x00b", "invalid_text"),
        (question(QuestionKind.NUMBER, low=16, high=120), "7", "invalid_number"),
    ],
)
def test_other_answers_are_refused_with_the_reason(asked: Question, text: str, key: str) -> None:
    with pytest.raises(InvalidAnswerError) as raised:
        personal_answers([asked], {"one": text}.__getitem__)
    assert raised.value.key == key


def test_an_empty_row_of_languages_is_left_out_and_one_without_a_name_refused() -> None:
    asked = question(QuestionKind.LANGUAGES, options=("basic", "native"), rows=2)
    form = {"one_1_name": "", "one_1_fluency": "", "one_1_qualifications": "",
            "one_2_name": "Czech", "one_2_fluency": "native", "one_2_qualifications": ""}  # fmt: skip
    answers: dict[str, Any] = dict(personal_answers([asked], form.__getitem__))
    (czech,) = answers["one"]
    assert czech == {"name": "Czech", "fluency": "native", "qualifications": ""}
    assert language_points([czech, {"fluency": ""}], asked.options) == 2
    for wrong in ({"one_2_fluency": "some"}, {"one_1_fluency": "basic"}):
        with pytest.raises(InvalidAnswerError):
            personal_answers([asked], {**form, **wrong}.__getitem__)


ASKED = question(QuestionKind.OPTIONS, options=("no", "yes"), text_with="yes", longest=10)


@pytest.mark.parametrize(
    ("fields", "answers"),
    [
        ({}, {}),
        ({"one": "no"}, {"one": "no"}),
        ({"one": "yes"}, {"one": "yes"}),
        ({"one": "yes", "one_text": " poor sight "}, {"one": "yes", "one_text": "poor sight"}),
    ],
)
def test_one_option_may_be_described_in_a_text(
    fields: dict[str, str], answers: dict[str, str]
) -> None:
    assert personal_answers([ASKED], lambda name: fields.get(name, "")) == answers


@pytest.mark.parametrize("chosen", ["no", ""])
def test_a_description_without_its_option_is_neither_kept_nor_dropped(
    chosen: str, tmp_path: Path
) -> None:
    fields = {"one": chosen, "one_text": "poor sight"}
    with pytest.raises(InvalidAnswerError) as raised:
        personal_answers([ASKED], fields.__getitem__)
    assert "only the answer yes" in raised.value.said(read_interface("en", tmp_path))


def test_a_description_has_a_longest_length() -> None:
    fields = {"one": "yes", "one_text": "x" * 11}
    with pytest.raises(InvalidAnswerError):
        personal_answers([ASKED], fields.__getitem__)


def test_what_was_written_when_the_question_asked_for_a_text_is_the_description() -> None:
    assert said(ASKED, {"one": "poor sight"}) == {"one": "yes", "one_text": "poor sight"}
    assert said(ASKED, {"one": "no"}) == {"one": "no", "one_text": None}
    assert said(ASKED, {}) == {"one": None, "one_text": None}
    assert said(question(QuestionKind.TEXT), {"one": "poor sight"}) == {"one": "poor sight"}


def _dependent(kind: QuestionKind) -> list[Question]:
    first = question(QuestionKind.OPTIONS, options=("no", "yes"), high=2)
    condition = Condition(question="one", option="yes", number=2)
    second = replace(question(kind), name="two", condition=condition)
    third = question(QuestionKind.OPTIONS, options=("no", "yes"), high=2)
    return [first, second, replace(third, name="three")]


def test_an_answer_that_does_not_apply_is_left_out() -> None:
    asked = _dependent(QuestionKind.TEXT)
    given = {"one": "yes", "two": "some", "three": "no"}
    assert personal_answers(asked, given.__getitem__) == given
    given["one"] = "no"
    assert personal_answers(asked, given.__getitem__) == {"one": "no", "three": "no"}
    given["one"] = ""
    assert personal_answers(asked, given.__getitem__) == {"three": "no"}


def test_an_answer_about_an_item_that_does_not_apply_is_left_out() -> None:
    asked = _dependent(QuestionKind.BOXES)
    assert applicable(asked, {"one": 2, "two": 4}) == {"one": 2, "two": 4}
    assert applicable(asked, {"one": 1, "two": 4}) == {"one": 1, "two": None}
    assert applicable(asked, {"one": None, "two": 4}) == {"one": None, "two": None}
    # Nobody knows what was answered before: the answer stays.
    assert applicable(asked, {"two": 4}) == {"two": 4}
