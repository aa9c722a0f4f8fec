"""What is handed out on paper: information sheet, consent form, questionnaires and debriefing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.language import writing_direction
from kilter.study.design.item_text import item_sentences
from kilter.study.instrument.question import QuestionKind
from kilter.study.paper.block import (
    MM,
    BoxScale,
    Choices,
    LanguageRows,
    Words,
    Written,
    YesNo,
)
from kilter.study.paper.document import Document, new_form
from kilter.study.paper.form import CONSENT_LINE
from kilter.study.paper.page_fill import BlockGroup, Gap
from kilter.study.paper.type.typeface_choice import choose_typefaces
from kilter.study.paper.type.typesetter import Lettering, Typesetter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from kilter.study.design.item import Item, Questionnaire
    from kilter.study.design.study import Study
    from kilter.study.instrument.interface import Documents, Interface
    from kilter.study.instrument.question import Question
    from kilter.study.paper.block import PaperBlock

CONSENT_FIELDS = ("name", "signature", "date")
"""What is written by hand on a consent form."""
_PARAGRAPHS = Gap(9.0, 9.0)
_LINES = Gap(3.0, 14.0)
_ITEMS = Gap(11.0, 30.0)
_SIGNED = 11 * MM
_NUMBER = 26 * MM


class Booklet:
    """All documents of a study on paper in one language, set in the same fonts.

    A letter that no font has is an `InputError`: nothing is printed that nobody can read.
    """

    def __init__(
        self,
        study: Study,
        questionnaires: Sequence[Questionnaire],
        items: Mapping[str, Item],
        *,
        interface: Interface,
        documents: Documents,
        fonts: Sequence[Path] = (),
    ) -> None:
        if not interface.paper:
            raise InputError(
                "has no table [paper], which printed pages are written with; add it, as the English interface has it",
                where=f"interface/{interface.language}.toml",
            )
        composer = _Composer(study, interface, documents)
        self._study = study
        self._interface = interface
        self._documents = documents
        self._information = composer.information()
        self._consent = composer.consent()
        self._debriefing = composer.debriefing()
        self._questionnaires = {
            entry.number: (entry, composer.questionnaire([items[name] for name in entry.items]))
            for entry in questionnaires
        }
        parts = [self._information, self._consent, self._debriefing]
        parts += [groups for _, groups in self._questionnaires.values()]
        self._setter = Typesetter(choose_typefaces(_texts(study, interface, parts), named=fonts))

    @cached_property
    def information(self) -> Document:
        """The information sheet, which participants keep."""
        return self._document(self._information)

    @cached_property
    def debriefing(self) -> Document:
        """The debriefing, which is handed out afterwards."""
        return self._document(self._debriefing)

    @cached_property
    def consent(self) -> Document:
        """The consent form: the same for everybody, so that nothing joins it with answers."""
        form = new_form(self._study.name, 0, (), texts=self._documents.version)
        return Document(
            self._study.title, self._consent, self._setter, interface=self._interface, gap=_LINES,
            form=form,
        )  # fmt: skip

    def questionnaire(self, number: int) -> Document:
        """Return a questionnaire by number."""
        entry, groups = self._questionnaires[number]
        form = new_form(self._study.name, number, entry.items)
        return Document(
            self._study.title, groups, self._setter, interface=self._interface, gap=_ITEMS,
            form=form,
        )  # fmt: skip

    def _document(self, groups: Sequence[BlockGroup]) -> Document:
        return Document(
            self._study.title, groups, self._setter, interface=self._interface, gap=_PARAGRAPHS
        )


def _texts(
    study: Study, interface: Interface, parts: Sequence[Sequence[BlockGroup]]
) -> dict[str, list[str]]:
    """Return every text that is printed, each once, by language."""
    edges = [study.title, *(interface.paper[key] for key in ("page", "code")), study.name]
    found: dict[str, dict[str, None]] = {interface.language: dict.fromkeys([*edges, "0123456789-"])}
    for groups in parts:
        for group in groups:
            for block in group.blocks:
                for language, text in block.texts():
                    found.setdefault(language, {})[text] = None
    return {language: [*texts] for language, texts in found.items()}


@dataclass(frozen=True)
class _Composer:
    """Makes the blocks of documents."""

    study: Study
    interface: Interface
    documents: Documents

    def _look(self, size: float, *, bold: bool = False, language: str = "") -> Lettering:
        spoken = language or self.interface.language
        is_own = spoken == self.interface.language
        leftward = (
            self.interface.direction == "rtl" if is_own else writing_direction(spoken) == "rtl"
        )
        return Lettering(size=size, language=spoken, is_leftward=leftward, is_bold=bold)

    def _head(self, text: str) -> Words:
        return Words(text, self._look(14, bold=True), after=3 * MM)

    def _text(self, text: str, *, after: float = 2 * MM) -> Words:
        return Words(text, self._look(10), after=after)

    def _paragraph(self, text: str) -> BlockGroup:
        return BlockGroup((Words(text, self._look(11)),))

    def _ask(self, text: str) -> Words:
        return Words(text, self._look(10, bold=True), after=1 * MM)

    def information(self) -> list[BlockGroup]:
        """Return the information sheet."""
        head = [self._head(self.interface.say("information"))]
        head.append(self._text(self.interface.write("keep")))
        paragraphs = [self._paragraph(text) for text in self.documents.information]
        return _joined(head, paragraphs)

    def debriefing(self) -> list[BlockGroup]:
        """Return the debriefing."""
        head = [self._head(self.interface.say("debriefing"))]
        head.append(self._text(self.interface.write("keep")))
        return _joined(head, [self._paragraph(text) for text in self.documents.debriefing])

    def consent(self) -> list[BlockGroup]:
        """Return the consent form, with lines for name, signature and date."""
        write, say = self.interface.write, self.interface.say
        optional = self.documents.optional
        head: list[PaperBlock] = [self._head(say("consent"))]
        head.append(self._text(self.documents.coding))
        head.append(self._text(write("consent_intro")))
        allowed = write("consent_optional" if optional else "consent_all")
        head.append(Words(allowed, self._look(10), after=5 * MM))
        answers = (say("yes"), say("no"))
        lines = [
            BlockGroup(
                (YesNo((0, f"{CONSENT_LINE}{name}"), self._line(name), answers, self._look(10)),)
            )
            for name in self.documents.consent
        ]
        room = 32 * MM
        signed = BlockGroup(
            tuple(
                Written(
                    (1, key), write(key), self._look(10), is_framed=False, label_width=room,
                    tall=_SIGNED, width=60 * MM if key == "date" else None,
                )
                for key in CONSENT_FIELDS
            )
        )  # fmt: skip
        return [*_joined(head, lines), signed]

    def _line(self, name: str) -> str:
        """Return a line of the consent form, which says whether it is voluntary."""
        said = self.documents.consent[name]
        if name in self.documents.optional:
            return f"{said} {self.interface.write('optional')}"
        return said

    def questionnaire(self, items: Sequence[Item]) -> list[BlockGroup]:
        """Return a questionnaire: questions about the participant, a sample and the items."""
        write, say = self.interface.write, self.interface.say
        head: list[PaperBlock] = [self._text(write("anonymous"))]
        head.append(self._text(write("marking"), after=4 * MM))
        head.append(self._head(say("about_you")))
        head.append(self._text(f"{say('about_you_intro')} {write('writing')}"))
        about = [BlockGroup(tuple(self._about(question))) for question in self.study.questions]
        parts = _joined(head, [*about, *self._again()])
        if self.study.instrument.sample is not None:
            intro = [self._head(say("sample")), self._text(say("sample_intro"))]
            parts.append(
                BlockGroup((*intro, *self._item(None, 0), *self._explained()), has_line=True)
            )
        for position, item in enumerate(items, start=1):
            heading = Words(
                say("item", number=position, total=len(items)), self._look(10, bold=True)
            )
            parts.append(BlockGroup((heading, *self._item(item, position)), has_line=True))
        return parts

    def _explained(self) -> Iterator[PaperBlock]:
        """Yield what is wrong with the sample, if somebody says so."""
        sample = self.study.instrument.sample
        said = "" if sample is None else sample.explained(self.interface.language)
        if said:
            heading = self.interface.say("sample_explained")
            yield Words(f"{heading}: {said}", self._look(9.5), before=1.5 * MM)

    def _again(self) -> list[BlockGroup]:
        """Return the voluntary lines of the consent form, which decide about answers with a code."""
        lines = [name for name in self.documents.consent if name in self.documents.optional]
        if not lines:
            return []
        answers = (self.interface.say("yes"), self.interface.say("no"))
        asked = [
            YesNo(
                (0, f"{CONSENT_LINE}{name}"), self.documents.consent[name], answers, self._look(10)
            )
            for name in lines
        ]
        return [BlockGroup((self._text(self.interface.write("again")), *asked))]

    def _item(self, item: Item | None, position: int) -> Iterator[PaperBlock]:
        for sentence in item_sentences(self.study.instrument, item):
            heading = self.interface.say(sentence.heading)
            said = f"{heading} ({sentence.kind(self.interface)})"
            yield Words(said, self._look(8.5), before=0.3 * MM)
            yield Words(
                sentence.text,
                self._look(11.5, language=sentence.language),
                indent=3 * MM,
                after=0.3 * MM,
            )
        for question in self.study.instrument.questions:
            yield from self._asked(question, position)

    def _asked(self, question: Question, position: int) -> Iterator[PaperBlock]:
        text = question.text(self.interface.language)
        # The other kinds of places begin with room of their own.
        after = 1 * MM if question.kind is QuestionKind.SLIDER else 0.0
        yield Words(text.ask, self._look(9.5), before=1 * MM, after=after)
        if position == 0 and text.hint:
            yield Words(text.hint, self._look(8.5))
        key = (position, question.name) if position else None  # the sample item is never read
        if question.kind is QuestionKind.BOXES:
            sides = (text.left, text.right)
            yield BoxScale(key, question.values, sides, self._look(9), numbered=question.numbered)
        elif question.kind is QuestionKind.OPTIONS:
            yield Choices(key, text.labels, self._look(10))
        else:
            ends = f"{question.low} = {text.left}, {question.high} = {text.right}:"
            yield Written(key, ends, self._look(9), width=_NUMBER)

    def _about(self, question: Question) -> Iterator[PaperBlock]:
        text = question.text(self.interface.language)
        key = (0, question.name)
        yield self._ask(text.ask)
        if question.kind is QuestionKind.BOXES:
            sides = (text.left, text.right)
            yield BoxScale(key, question.values, sides, self._look(9), numbered=question.numbered)
        elif question.kind is QuestionKind.OPTIONS:
            yield Choices(key, text.labels, self._look(10))
            if question.text_with:
                yield Written((0, question.text_name), text.more, self._look(10))
        elif question.kind is QuestionKind.LANGUAGES:
            name, fluency, more, *_ = (*text.columns, "", "", "")
            yield LanguageRows(
                question.name, question.rows, (name, fluency, more), text.labels, self._look(8.5)
            )  # fmt: skip
        elif question.kind is QuestionKind.NUMBER:
            yield Written(key, "", self._look(9), width=_NUMBER)
        else:
            yield Written(key, "", self._look(9))


def _joined(head: Sequence[PaperBlock], groups: Sequence[BlockGroup]) -> list[BlockGroup]:
    """Return groups of which the first begins with a heading, so that none stands alone at the end of a page."""
    if not groups:
        return [BlockGroup(tuple(head))]
    first, *others = groups
    return [BlockGroup((*head, *first.blocks)), *others]
