"""Answers from paper, typed into a CSV file or scanned, checked completely before anything is kept."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from kilter.core.errors import InputError
from kilter.study.instrument.answer_form import (
    InvalidAnswerError,
    applicable,
    judgment,
    personal_answers,
)
from kilter.study.instrument.question import QuestionKind
from kilter.study.store.answer import PaperAnswers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from kilter.study.design.item import Questionnaire
    from kilter.study.design.study import Study
    from kilter.study.instrument.interface import Documents, Interface
    from kilter.study.instrument.question import Question

_KEYS = ("participant", "questionnaire", "position")
_LONGEST_NAME = 100
_AGREED = {"yes": True, "no": False}
CONSENT = "consent"
"""The column that says whether somebody has signed a consent form on paper."""


@dataclass(slots=True)
class Intake:
    """Takes answers, reads files of them, and collects everything that is wrong.

    What participants say about themselves may be there for those who are `held_back` now.
    """

    study: Study
    questionnaires: Sequence[Questionnaire]
    interface: Interface
    held_back: Collection[str] = frozenset()
    people: dict[str, PaperAnswers] = field(default_factory=dict)
    problems: list[InputError] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        study: Study,
        questionnaires: Sequence[Questionnaire],
        *,
        held_back: Collection[str] = frozenset(),
    ) -> Intake:
        """Return the intake of a study, which speaks English where it can."""
        interfaces = study.interfaces()
        interface = interfaces.get("en") or next(iter(interfaces.values()))
        return cls(study, questionnaires, interface, held_back)

    def take(
        self,
        name: str,
        questionnaire: int,
        answers: Mapping[int, Mapping[str, int | None]],
        *,
        where: str,
    ) -> None:
        """Take the answers of one participant by position; their values fit the questions already."""
        for position, values in answers.items():
            person = self._person(name, questionnaire, str(questionnaire), where)
            if person is not None and self._is_free(position, person, str(position), where):
                person.answers[position] = applicable(self.study.instrument.questions, values)

    def take_personal(
        self, name: str, row: Mapping[str, str] | None, consent: Mapping[str, bool], *, where: str
    ) -> None:
        """Take what a participant with answers says about themselves, by column, and agrees to, by line."""
        person = self.people[name]
        person.consent = {**consent} or None
        try:
            if row is not None:
                person.personal = personal_answers(self.study.questions, row.__getitem__)
        except InvalidAnswerError as error:
            self._invalid(where, error)

    def read_judgments(self, data: bytes, name: str) -> None:
        """Read judgments: one row per participant and item; an empty cell is a missing answer."""
        questions = self.study.instrument.questions
        if self.study.instrument.is_together:
            self._wrong(
                name,
                "cannot be taken: the instrument shows several translations of an item together, which is "
                "not for paper; use the web survey",
            )
            return
        wanted = [*_KEYS, *(question.name for question in questions)]
        for where, row in self._rows(data, name, wanted):
            number = row["questionnaire"]
            person = self._person(row["participant"], _number(number), number, where)
            if person is None:
                continue
            position = _number(row["position"])
            if self._is_free(position, person, row["position"], where):
                person.answers[position] = self._answers(questions, row, where)

    def read_participants(self, data: bytes, name: str) -> None:
        """Read what participants say about themselves: one row each, only for those with judgments.

        Columns of consent on paper may be there: `consent`, and `consent_LINE` for each line of the form.
        """
        questions = self.study.questions
        wanted = ["participant", *(column for q in questions for column in form_fields(q))]
        for where, row in self._rows(data, name, wanted, also=self._consent_columns()):
            wanted_name = row["participant"].strip()
            person = self.people.get(wanted_name)
            if wanted_name in self.held_back:
                continue
            if person is None:
                self._wrong(where, f"{row['participant']!r} has no judgments; check the name")
            elif person.personal is not None:
                self._wrong(where, f"{person.name} is there twice; keep one of the rows")
            else:
                try:
                    person.personal = personal_answers(questions, row.__getitem__)
                except InvalidAnswerError as error:
                    self._invalid(where, error)
                self._read_consent(person, row, where)

    def _documents(self) -> Documents:
        return next(iter(self.study.documents(for_paper=True).values()))

    def _consent_columns(self) -> list[str]:
        return [CONSENT, *(f"{CONSENT}_{line}" for line in self._documents().consent)]

    def _read_consent(self, person: PaperAnswers, row: Mapping[str, str], where: str) -> None:
        """Read consent on paper; somebody who has refused a line that is not voluntary cannot take part."""
        documents = self._documents()
        given = {}
        for column in self._consent_columns():
            text = row.get(column, "").strip().casefold()
            if text not in ("", *_AGREED):
                self._wrong(where, f"{column} is {text!r}; write yes, no or nothing")
            elif text:
                given[column] = _AGREED[text]
        needed = [line for line in documents.consent if line not in documents.optional]
        agreed = {line: True for line in needed if given.get(CONSENT)}
        agreed |= {
            line: given[f"{CONSENT}_{line}"]
            for line in documents.consent
            if f"{CONSENT}_{line}" in given
        }
        refused = [f"{CONSENT}_{line}" for line in needed if agreed.get(line) is False]
        if given.get(CONSENT) is False:
            refused.insert(0, CONSENT)
        if refused:
            self._wrong(
                where,
                f"{person.name} has not consented ({', '.join(refused)}); leave out all of their answers",
            )
        person.consent = {**(person.consent or {}), **agreed} or None

    def _rows(
        self, data: bytes, name: str, wanted: list[str], *, also: Sequence[str] = ()
    ) -> Iterator[tuple[str, dict[str, str]]]:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self._wrong(name, "is not UTF-8; save it as CSV in UTF-8")
            return
        if not text.strip():
            self._wrong(name, f"is empty; write {','.join(wanted)}")
            return
        if text.partition("\n")[0].count(";") >= len(wanted) - 1:
            self._wrong(f"{name}:1", "separate columns with commas, not semicolons")
            return
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = [column.strip() for column in next(reader, [])]
            missing = [column for column in wanted if column not in header]
            unknown = [column for column in header if column not in (*wanted, *also)]
            if missing or unknown or len({*header}) != len(header):
                said = [f"lacks {column}" for column in missing] + [f"has {c}" for c in unknown]
                self._wrong(
                    f"{name}:1",
                    f"the header {', '.join(said) or 'repeats a column'}; write {','.join(wanted)}",
                )
                return
            for row in reader:
                where = f"{name}:{reader.line_num}"
                if not any(cell.strip() for cell in row):
                    continue
                if len(row) != len(header):
                    self._wrong(where, f"has {len(row)} cells; the header has {len(header)}")
                    continue
                yield where, dict(zip(header, row, strict=True))
        except csv.Error as error:
            self._wrong(f"{name}:{reader.line_num}", f"is no CSV: {error}")

    def _person(
        self, name: str, number: int | None, written: str, where: str
    ) -> PaperAnswers | None:
        """Return who answers a questionnaire; `written` is how its number stands there."""
        sizes = self._sizes()
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME:
            self._wrong(where, "participant needs a name or number of at most 100 characters")
            return None
        if number is None or number not in sizes:
            known = f"{min(sizes)} to {max(sizes)}"
            self._wrong(where, f"questionnaire is {written!r}; there are {known}")
            return None
        person = self.people.setdefault(name, PaperAnswers(name, number))
        if person.questionnaire != number:
            self._wrong(
                where, f"{name} answers questionnaire {person.questionnaire} in an earlier row"
            )
            return None
        return person

    def _is_free(
        self, position: int | None, person: PaperAnswers, written: str, where: str
    ) -> TypeGuard[int]:
        size = self._sizes()[person.questionnaire]
        if position is None or not 1 <= position <= size:
            self._wrong(where, f"position is {written!r}; it lies between 1 and {size}")
            return False
        if position in person.answers:
            self._wrong(where, f"{person.name} has item {position} twice; keep one of the rows")
            return False
        return True

    def _sizes(self) -> dict[int, int]:
        return {entry.number: len(entry.items) for entry in self.questionnaires}

    def _answers(
        self, questions: Sequence[Question], row: Mapping[str, str], where: str
    ) -> dict[str, int | None]:
        answers = {}
        for question in questions:
            try:
                answers[question.name] = judgment(question, row[question.name])
            except InvalidAnswerError as error:
                self._invalid(where, error)
        return applicable(questions, answers)

    def _invalid(self, where: str, error: InvalidAnswerError) -> None:
        reason = self.interface.say(error.key, **error.fields)
        self._wrong(where, f"{error.question.name} is not {reason}; correct it or leave it empty")

    def _wrong(self, where: str, message: str) -> None:
        self.problems.append(InputError(message, where=where))


def form_fields(question: Question) -> list[str]:
    """Return the columns that a question about participants has."""
    if question.text_with:
        return [question.name, question.text_name]
    if question.kind is not QuestionKind.LANGUAGES:
        return [question.name]
    return [
        f"{question.name}_{row}_{part}"
        for row in range(1, question.rows + 1)
        for part in ("name", "fluency", "qualifications")
    ]


def _number(text: str) -> int | None:
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 9 else None
