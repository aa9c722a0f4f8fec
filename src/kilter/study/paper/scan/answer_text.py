"""What somebody writes down about a doubtful answer, and what boxes say in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.study.instrument.answer_form import InvalidAnswerError, judgment
from kilter.study.instrument.question import QuestionKind
from kilter.study.paper.form import CONSENT_LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from kilter.study.design.study import Study
    from kilter.study.instrument.question import Question

YES, NO = 1, 2
_ANSWERS = {"1": YES, "2": NO, "yes": YES, "no": NO}
_LONGEST_CHOICE = 9


class UnknownQuestionError(ValueError):
    """A question that no page asks."""


class WrongTextError(ValueError):
    """A text that is no answer; its message says what would be one."""


@dataclass(frozen=True)
class AnswerText:
    """Turns texts into answers of a study, and answers about participants into texts.

    About an item (position from 1) an answer is a number; about a participant (position 0) it is the number of a box,
    or a text where something is written by hand; of a consent form it is yes or no.
    """

    study: Study
    consent: Collection[str]

    @cached_property
    def _columns(self) -> Mapping[str, tuple[Question, str]]:
        """The columns of typed answers about participants, each with its question and which part of it."""
        found = {}
        for question in self.study.questions:
            if question.kind is QuestionKind.LANGUAGES:
                for row in range(1, question.rows + 1):
                    for part in ("name", "fluency", "qualifications"):
                        found[f"{question.name}_{row}_{part}"] = (question, part)
            else:
                found[question.name] = (question, "")
            if question.text_with:
                found[question.text_name] = (question, "text")
        return found

    def value(self, position: int, question: str, text: str) -> int | str:
        """Return the answer that a text stands for; a wrong one is an error that says what is possible."""
        if position:
            return self._judged(question, text)
        if question in {f"{CONSENT_LINE}{line}" for line in self.consent}:
            return _agreed(text)
        if question not in self._columns:
            raise UnknownQuestionError(question)
        asked, part = self._columns[question]
        return (
            self._chosen(asked, text)
            if _is_choice(asked, part)
            else self._written(asked, part, text)
        )

    def _judged(self, question: str, text: str) -> int:
        asked = {entry.name: entry for entry in self.study.instrument.questions}.get(question)
        if asked is None:
            raise UnknownQuestionError(question)
        return _number(asked, text)

    def _chosen(self, asked: Question, text: str) -> int:
        if text in asked.options:
            return asked.options.index(text) + 1
        if text.isascii() and text.isdigit() and len(text) < _LONGEST_CHOICE:
            number = int(text)
            if 1 <= number <= len(asked.options):
                return number
        listed = ", ".join(asked.options)
        raise WrongTextError(
            f"write a number from 1 to {len(asked.options)}, one of {listed}, or none"
        )

    def _written(self, asked: Question, part: str, text: str) -> int | str:
        if part or asked.kind is QuestionKind.TEXT:
            if len(text) > asked.longest:
                raise WrongTextError(f"write at most {asked.longest} characters, or none")
            return text
        return _number(asked, text)

    def words(self, answers: Mapping[str, int | str | None]) -> dict[str, str]:
        """Return answers about a participant as they would be typed, an empty text for those left out."""
        return {
            column: self._word(asked, part, answers.get(column))
            for column, (asked, part) in self._columns.items()
        }

    def _word(self, asked: Question, part: str, value: int | str | None) -> str:
        if value is None:
            return ""
        if isinstance(value, int) and _is_choice(asked, part):
            return asked.options[value - 1]
        return str(value)

    def agreed(self, answers: Mapping[str, int | str | None]) -> dict[str, bool]:
        """Return the lines of the consent form that a questionnaire repeats and that were answered."""
        return {
            line: answers[f"{CONSENT_LINE}{line}"] == YES
            for line in self.consent
            if answers.get(f"{CONSENT_LINE}{line}") is not None
        }


def _is_choice(asked: Question, part: str) -> bool:
    """Return whether one of several options is chosen."""
    return part == "fluency" or (asked.kind is QuestionKind.OPTIONS and not part)


def _agreed(text: str) -> int:
    if text.casefold() not in _ANSWERS:
        raise WrongTextError("write yes, no, or none")
    return _ANSWERS[text.casefold()]


def _number(asked: Question, text: str) -> int:
    try:
        value = judgment(asked, text)
    except InvalidAnswerError as error:
        raise WrongTextError(
            f"write a number from {error.question.low} to {error.question.high}, or none"
        ) from error
    if value is None:
        raise WrongTextError("write a number, or none")
    return value
