"""Answers as forms and tables bring them: checked, and turned into values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.study.instrument.question import QuestionKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kilter.study.instrument.interface import Interface
    from kilter.study.instrument.question import Question


class InvalidAnswerError(ValueError):
    """An answer that the question does not allow; `key` and `fields` name the text that says so."""

    def __init__(self, question: Question, key: str, **fields: object) -> None:
        super().__init__(f"{question.name}: {key}")
        self.question = question
        self.key = key
        self.fields = fields

    def said(self, interface: Interface) -> str:
        """Return what is wrong in a language."""
        return interface.say("invalid", reason=interface.say(self.key, **self.fields))


def judgment(question: Question, text: str) -> int | None:
    """Return the number that an answer about an item stands for; no text is no answer."""
    if not text.strip():
        return None
    return _whole(question, text.strip())


def _whole(question: Question, text: str) -> int:
    plain = text.removeprefix("-")
    if plain.isascii() and plain.isdigit() and len(plain) <= 9 and int(text) in question.values:
        return int(text)
    raise InvalidAnswerError(question, "invalid_number", low=question.low, high=question.high)


def applicable(
    questions: Sequence[Question], answers: Mapping[str, int | None]
) -> dict[str, int | None]:
    """Return answers about an item, without those to questions that do not apply."""
    kept = dict(answers)
    for question in questions:
        decided = question.condition is not None and question.condition.question in kept
        if question.name in kept and decided and not question.is_asked(kept):
            kept[question.name] = None
    return kept


def personal_answers(
    questions: Sequence[Question], field: Callable[[str], str]
) -> dict[str, object]:
    """Return what a participant says about themselves; questions without an answer are left out.

    So are those that do not apply, whatever the form says. `field` gives the text of a form field by name. Options are kept as their words, languages as a list
    of name, fluency and qualifications.
    """
    answers: dict[str, object] = {}
    for question in questions:
        if not question.is_asked(answers):
            continue
        if question.kind is QuestionKind.LANGUAGES:
            value: object = _languages(question, field)
        else:
            value = _personal(question, field(question.name))
        if value not in (None, []):
            answers[question.name] = value
        if question.text_with and (text := _beside(question, field, value)):
            answers[question.text_name] = text
    return answers


def _beside(question: Question, field: Callable[[str], str], chosen: object) -> str:
    """Return the text beside an option, which may be given with that one only."""
    text = field(question.text_name).strip()
    if text and chosen != question.text_with:
        raise InvalidAnswerError(question, "invalid_more", answer=question.text_with)
    return _short(question, text)


def said(question: Question, personal: Mapping[str, object]) -> dict[str, object]:
    """Return what somebody has answered to a question by the names of its fields, None where nothing.

    What was written while the question asked for a text is the text beside the option that now has one.
    """
    value = personal.get(question.name)
    if not question.text_with:
        return {question.name: value}
    if value is None or value in question.options:
        return {question.name: value, question.text_name: personal.get(question.text_name)}
    return {question.name: question.text_with, question.text_name: value}


def _personal(question: Question, text: str) -> str | int | None:
    text = text.strip()
    if not text:
        return None
    if question.kind is QuestionKind.OPTIONS:
        if text not in question.options:
            raise InvalidAnswerError(question, "invalid_option")
        return text
    if question.kind is QuestionKind.TEXT:
        return _short(question, text)
    return _whole(question, text)


def _languages(question: Question, field: Callable[[str], str]) -> list[dict[str, str]]:
    languages = []
    for row in range(1, question.rows + 1):
        entry = {
            part: field(f"{question.name}_{row}_{part}").strip()
            for part in ("name", "fluency", "qualifications")
        }
        if entry["fluency"] and entry["fluency"] not in question.options:
            raise InvalidAnswerError(question, "invalid_option")
        if not any(entry.values()):
            continue
        if not entry["name"]:
            raise InvalidAnswerError(question, "invalid_language")
        languages.append({key: _short(question, text) for key, text in entry.items()})
    return languages


def _short(question: Question, text: str) -> str:
    if len(text) > question.longest or any(
        ord(letter) < 32 and letter not in "\r\n\t" for letter in text
    ):
        raise InvalidAnswerError(question, "invalid_text", longest=question.longest)
    return text


def language_points(languages: Sequence[Mapping[str, str]], levels: Sequence[str]) -> int:
    """Return the sum of points over languages: the number of the level, from 1. Section 12.7

    >>> levels = ["a few words", "basic", "conversational", "fluent", "advanced", "near-native", "native"]
    >>> language_points([{"fluency": "native"}, {"fluency": "fluent"}, {"fluency": "a few words"}], levels)
    12
    """
    return sum(
        list(levels).index(entry["fluency"]) + 1 for entry in languages if entry.get("fluency")
    )
