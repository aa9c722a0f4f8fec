"""Kinds of questions, and questions as data: about items, and about participants. Section 12.5"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kilter.core.settings import Choice
from kilter.io.judgments.survey_export import RESERVED
from kilter.io.toml_table import read_toml_of_schema
from kilter.study.instrument.data_file import data_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.io.toml_table import TomlTable


class QuestionKind(Choice):
    """How a question is answered."""

    BOXES = "boxes"
    SLIDER = "slider"
    OPTIONS = "options"
    NUMBER = "number"
    TEXT = "text"
    LANGUAGES = "languages"


_COLUMNS = ("origin", "group", "submitted", "withdrawn", "language_points", "consented_to", "link")
"""Columns of exported participants that are no questions."""
_ENTRIES = frozenset(
    {"name", "kind", "options", "text_with", "boxes", "low", "high", "longest", "rows", "asked_if"}
)
JUDGED = (QuestionKind.BOXES, QuestionKind.SLIDER, QuestionKind.OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionText:
    """A question in one language."""

    ask: str
    left: str = ""
    right: str = ""
    hint: str = ""
    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """An option of an earlier question that must have been chosen; `number` is its place among the options, from 1."""

    question: str
    option: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and its possible answers.

    Boxes are numbered from `low`, 1 or 0, the worst, to `high`; a slider runs from `low` to `high`; options
    are words, stored by their number from 1 where items are judged. Beside the option `text_with`,
    participants may write a text, asked for by `QuestionText.more`.
    """

    name: str
    kind: QuestionKind
    texts: Mapping[str, QuestionText]
    low: int = 1
    high: int = 5
    options: tuple[str, ...] = ()
    longest: int = 200
    rows: int = 1
    text_with: str = ""
    numbered: bool = True
    """Whether boxes show their numbers."""
    condition: Condition | None = None
    """When the question is asked; None is always."""

    @property
    def text_name(self) -> str:
        """How the text beside an option is called in forms and exports."""
        return f"{self.name}_text"

    @property
    def values(self) -> range:
        """The numbers that answers about items can be."""
        return range(self.low, self.high + 1)

    def of(self, slot: int | None) -> Question:
        """Return the question about one of several translations, from 1, as forms and answers name it.

        No name of a question holds a dot: `rating.2` is always the second translation's `rating`.
        """
        if slot is None:
            return self
        condition = self.condition
        if condition is not None:
            condition = replace(condition, question=f"{condition.question}.{slot}")
        return replace(self, name=f"{self.name}.{slot}", condition=condition)

    def is_asked(self, answers: Mapping[str, object]) -> bool:
        """Return whether answers to the questions before make this one apply: the words of options, or their numbers."""
        condition = self.condition
        if condition is None:
            return True
        return answers.get(condition.question) in (condition.option, condition.number)

    def text(self, language: str) -> QuestionText:
        """Return the question in a language, or in the first that it has."""
        return self.texts.get(language) or next(iter(self.texts.values()))


def read_questions(name: str, folder: Path, *, languages: Sequence[str]) -> tuple[Question, ...]:
    """Return bundled questions about participants, or those of a TOML file of the study's folder."""
    table = read_toml_of_schema(data_file("questions", name, folder), schema="kilter.questions/1")
    questions = questions_of(table, languages, allowed=tuple(QuestionKind))
    table.finish()
    for question in questions:
        if question.name in _COLUMNS or question.name.startswith("consent_"):
            raise table.error(
                f"a question is called {question.name}, as a column of exported participants is; give it "
                "another name"
            )
    return questions


def questions_of(
    table: TomlTable, languages: Sequence[str], *, allowed: Sequence[QuestionKind]
) -> tuple[Question, ...]:
    """Return the questions of a table, of these kinds and in these languages."""
    questions = list[Question]()
    for entry in table.tables("question"):
        questions.append(_question(entry, languages, allowed, before=questions))
    names = [question.name for question in questions]
    names += [question.text_name for question in questions if question.text_with]
    if not questions or len({*names}) != len(names):
        raise table.error("needs questions, each with a name of its own; write [[question]]")
    return tuple(questions)


def _question(
    table: TomlTable,
    languages: Sequence[str],
    allowed: Sequence[QuestionKind],
    *,
    before: Sequence[Question],
) -> Question:
    name = table.text("name")
    if not name.isidentifier() or name in RESERVED:
        raise table.error(f"name is {name!r}; write letters, digits and _, and none of {RESERVED}")
    kind = QuestionKind(table.one_of("kind", allowed))
    low, high = 1, 1
    options = table.texts("options", ())
    if kind is QuestionKind.BOXES:
        low = table.whole("low", 1, low=0, high=1)
        high = low + table.whole("boxes", 5, low=2, high=11) - 1
    elif kind in (QuestionKind.SLIDER, QuestionKind.NUMBER):
        low = table.whole("low", 0, low=-(10**6))
        high = table.whole("high", 100, low=low + 1)
    elif kind in (QuestionKind.OPTIONS, QuestionKind.LANGUAGES):
        high = len(options)
        if len({*options}) < 2 or len({*options}) != len(options):
            raise table.error("options must list at least two different answers")
    text_with = table.one_of("text_with", options, "")
    if text_with and (kind is not QuestionKind.OPTIONS or QuestionKind.TEXT not in allowed):
        raise table.error(
            "text_with names the option beside which participants write about themselves; leave it out "
            "elsewhere"
        )
    longest = table.whole("longest", 200, low=1, high=5000)
    rows = table.whole("rows", 1, low=1, high=20)
    condition = _condition(table, before)
    texts = {}
    for language in table.names():
        if language not in _ENTRIES:
            texts[language] = _text(table.table(language), len(options), is_more=bool(text_with))
    missing = [language for language in languages if language not in texts]
    if missing:
        raise table.error(
            f"question {name} is not written in {missing[0]}; add [question.{missing[0]}]"
        )
    table.finish()
    return Question(
        name=name, kind=kind, texts=texts, low=low, high=high, options=options,
        longest=longest, rows=rows, text_with=text_with, condition=condition,
    )  # fmt: skip


def _condition(table: TomlTable, before: Sequence[Question]) -> Condition | None:
    """Return when a question is asked: `asked_if = { QUESTION = "OPTION" }`, of a question before it."""
    if "asked_if" not in table:
        return None
    entry = table.table("asked_if")
    choices = {each.name: each.options for each in before if each.kind is QuestionKind.OPTIONS}
    names = [*entry.names()]
    if len(names) != 1 or names[0] not in choices:
        raise table.error(
            "asked_if must name a question before this one and one of its options; there are "
            f"{', '.join(choices) or 'none with options'}"
        )
    (name,) = names
    option = entry.one_of(name, choices[name])
    return Condition(question=name, option=option, number=choices[name].index(option) + 1)


def _text(table: TomlTable, options: int, *, is_more: bool) -> QuestionText:
    text = QuestionText(
        ask=table.text("ask"),
        left=table.text("left", ""),
        right=table.text("right", ""),
        hint=table.text("hint", ""),
        labels=table.texts("labels", ()),
        columns=table.texts("columns", ()),
        more=table.text("more") if is_more else "",
    )
    if len(text.labels) != options:
        raise table.error(
            f"has {len(text.labels)} labels for {options} options; write one for each"
        )
    table.finish()
    return text
