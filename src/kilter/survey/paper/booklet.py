"""Questionnaires on paper: PDF booklets with registration marks and codes."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
)

from kilter.errors import InputError
from kilter.survey.design.item_text import item_sentences
from kilter.survey.instrument.question import QuestionKind
from kilter.survey.paper.form import Box, Field, Form, PageCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from reportlab.pdfgen.canvas import Canvas

    from kilter.survey.design.item import Item, Questionnaire
    from kilter.survey.design.study import Study
    from kilter.survey.instrument.interface import Documents, Interface
    from kilter.survey.instrument.question import Question, QuestionText

# The first four marks of the dictionary 4x4_50 of ArUco, for the corners: top left, top right, bottom
# right, bottom left. 1 is white; a black border surrounds them.
_MARKS = (
    ("1011", "0101", "0011", "0010"),
    ("0000", "1111", "1001", "1010"),
    ("0011", "0011", "0010", "1101"),
    ("1001", "1001", "0100", "0110"),
)
_MARK = 12 * mm
_MARGIN = 8 * mm
_BOX = 5 * mm
_OPTION = 9 * mm
_WIDTH, _HEIGHT = A4
# The square of the page's code: beside the mark at the bottom right, and no higher.
_CODE = (_WIDTH - 2 * _MARGIN - 2 * _MARK, _MARGIN, _MARK)
_FONT, _BOLD = "KilterBooklet", "KilterBookletBold"
RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur", "yi", "ps", "sd", "dv", "ug"})


class _Answer(Flowable):  # type: ignore[misc] # reportlab has no types
    """A place for the answer to one question; what can be read back is written into the form."""

    def __init__(
        self, form: Form | None, position: int, question: Question, text: QuestionText
    ) -> None:
        super().__init__()
        self.form = form
        self.position = position
        self.question = question
        self.text = text

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: ARG002, N803 - their names
        """Return the size of the place."""
        return aW, self.height_needed

    @property
    def height_needed(self) -> float:
        """The height of the place."""
        return float(_BOX + 6 * mm)

    def draw_box(self, value: int, x: float, y: float) -> None:
        """Draw a box, and write down where it is."""
        canvas = self.canv
        canvas.rect(x, y, _BOX, _BOX)
        if self.form is not None:
            left, low = canvas.absolutePosition(x, y)
            place = (round(left, 2), round(low, 2), round(_BOX, 2))
            page = canvas.getPageNumber()
            self.form.boxes.append(Box(page, self.position, self.question.name, value, *place))


class _Boxes(_Answer):
    """A row of boxes between two labels."""

    def draw(self) -> None:
        """Draw boxes and labels."""
        canvas = self.canv
        canvas.setFont(_FONT, 9)
        x, y = 42 * mm, 3 * mm
        canvas.drawRightString(x - 3 * mm, y + 1.2 * mm, self.text.left)
        for value in self.question.values:
            self.draw_box(value, x, y)
            canvas.drawCentredString(x + _BOX / 2, y - 3 * mm, str(value))
            x += 12 * mm
        canvas.drawString(x - 4 * mm, y + 1.2 * mm, self.text.right)


class _Options(_Answer):
    """A column of boxes, each with its label."""

    @property
    def height_needed(self) -> float:
        """The height of the column."""
        return float(_OPTION * len(self.text.labels) + 2 * mm)

    def draw(self) -> None:
        """Draw boxes and labels."""
        self.canv.setFont(_FONT, 10)
        for value, label in enumerate(self.text.labels, start=1):
            y = self.height_needed - value * _OPTION
            self.draw_box(value, 10 * mm, y)
            self.canv.drawString(18 * mm, y + 1.2 * mm, label)


class _WrittenAnswer(_Answer):
    """A frame for a number."""

    def draw(self) -> None:
        """Draw the frame between what the ends mean, and write down where it is."""
        canvas = self.canv
        canvas.setFont(_FONT, 9)
        question, text = self.question, self.text
        said = f"{question.low} = {text.left}, {question.high} = {text.right}:"
        canvas.drawString(0, 4 * mm, said)
        x = pdfmetrics.stringWidth(said, _FONT, 9) + 4 * mm
        canvas.rect(x, 1 * mm, 24 * mm, 9 * mm)
        if self.form is not None:
            left, low = canvas.absolutePosition(x, 1 * mm)
            place = (round(left, 2), round(low, 2), round(24 * mm, 2), round(9 * mm, 2))
            page = canvas.getPageNumber()
            self.form.fields.append(Field(page, self.position, question.name, *place))


_PLACES = {
    QuestionKind.BOXES: _Boxes,
    QuestionKind.OPTIONS: _Options,
    QuestionKind.SLIDER: _WrittenAnswer,
}


class Booklet:
    """One questionnaire on paper in one language.

    A letter that the font does not have, and writing from right to left, are an `InputError`: nothing
    is printed that nobody can read.
    """

    def __init__(
        self,
        study: Study,
        questionnaire: Questionnaire,
        items: Mapping[str, Item],
        *,
        interface: Interface,
        documents: Documents,
        font: Path | None = None,
    ) -> None:
        _register(font)
        self._study = study
        self._items = [items[name] for name in questionnaire.items]
        self._interface = interface
        self._documents = documents
        self.form = Form(
            study=study.name,
            questionnaire=questionnaire.number,
            items=questionnaire.items,
            page_size=A4,
            mark_size=_MARK,
            marks=tuple(_mark_places()),
            code=_CODE,
        )
        # The pages carry the form's id, which is known only after everything has found its place.
        self._build(PageCode(study.name, questionnaire.number, 0, 0, ""), record=True)

    def pdf(self, copy: int) -> bytes:
        """Return a copy of the booklet, with its number in the code of every page."""
        form = self.form
        return self._build(PageCode(form.study, form.questionnaire, copy, 0, form.id), record=False)

    def _build(self, code: PageCode, *, record: bool) -> bytes:
        out = io.BytesIO()
        frame = Frame(
            _MARGIN + _MARK,
            _MARGIN + _MARK,
            _WIDTH - 2 * (_MARGIN + _MARK),
            _HEIGHT - 2 * (_MARGIN + _MARK),
        )
        document = BaseDocTemplate(
            out,
            pagesize=A4,
            title=f"{self._study.title} {code.questionnaire}",
            invariant=1,
            lang=self._interface.language,
        )

        def decorate(canvas: Canvas, _document: object) -> None:
            if record:
                self.form.pages = canvas.getPageNumber()
            else:
                _decorate(canvas, replace(code, page=canvas.getPageNumber()))

        document.addPageTemplates([PageTemplate(frames=[frame], onPage=decorate)])
        composer = _Composer(self.form if record else None, self._study, self._interface)
        document.build(composer.story(self._items, self._documents))
        return out.getvalue()


class _Composer:
    """Makes the paragraphs and boxes of a booklet."""

    def __init__(self, form: Form | None, study: Study, interface: Interface) -> None:
        self.form = form
        self.study = study
        self.interface = interface
        self.styles = {
            "text": ParagraphStyle("text", fontName=_FONT, fontSize=10, leading=14, spaceAfter=6),
            "sentence": ParagraphStyle(
                "sentence", fontName=_FONT, fontSize=12, leading=16, leftIndent=10, spaceAfter=6
            ),
            "head": ParagraphStyle("head", fontName=_BOLD, fontSize=14, leading=18, spaceAfter=8),
            "ask": ParagraphStyle("ask", fontName=_BOLD, fontSize=10, leading=14, spaceBefore=6),
        }

    def story(self, items: Sequence[Item], documents: Documents) -> list[Flowable]:
        say = self.interface.say
        parts = [self._say("head", self.study.title), self._say("head", say("information"))]
        parts += [self._say("text", text) for text in documents.information]
        parts += [
            PageBreak(),
            self._say("head", say("consent")),
            self._say("text", documents.coding),
        ]
        parts += [
            self._say("text", f"{text}    [  ] {say('yes')}   [  ] {say('no')}")
            for text in documents.consent.values()
        ]
        parts += [self._say("text", "_" * 30) for _ in range(3)]
        parts += [PageBreak(), self._say("head", say("about_you"))]
        parts += [self._say("text", say("about_you_intro"))]
        for question in self.study.questions:
            parts += self._about(question)
        parts += [PageBreak()]
        sample = self.study.instrument.sample
        if sample is not None:
            parts += [self._say("head", say("sample")), self._say("text", say("sample_intro"))]
        parts.append(self._say("text", say("paper_marking")))
        if sample is not None:
            parts += [*self._item(None, 0), PageBreak()]
        for position, item in enumerate(items, start=1):
            if item.target_language in RIGHT_TO_LEFT:
                raise InputError(
                    f"{item.id} is written from right to left, which booklets cannot set; use the web "
                    "survey"
                )
            heading = self._say("ask", say("item", number=position, total=len(items)))
            parts.append(KeepTogether([heading, *self._item(item, position), Spacer(1, 6 * mm)]))
        parts += [PageBreak(), self._say("head", say("debriefing"))]
        parts += [self._say("text", text) for text in documents.debriefing]
        return parts

    def _item(self, item: Item | None, position: int) -> list[Flowable]:
        parts: list[Flowable] = []
        for sentence in item_sentences(self.study.instrument, item):
            heading = self.interface.say(sentence.heading)
            parts.append(self._say("ask", f"{heading} ({sentence.kind(self.interface)})"))
            parts.append(self._say("sentence", sentence.text))
        for question in self.study.instrument.questions:
            parts += self._asked(question, position)
        return parts

    def _asked(self, question: Question, position: int) -> list[Flowable]:
        text = question.text(self.interface.language)
        asked = [self._say("ask", text.ask)]
        if position == 0 and text.hint:
            asked.append(self._say("text", text.hint))
        form = self.form if position else None  # the sample item is never read
        asked.append(_PLACES[question.kind](form, position, question, text))
        return asked

    def _about(self, question: Question) -> list[Flowable]:
        text = question.text(self.interface.language)
        asked = [self._say("ask", text.ask)]
        if question.kind is QuestionKind.BOXES:
            asked.append(_Boxes(None, 0, question, text))
        elif question.kind is QuestionKind.OPTIONS:
            asked.append(self._say("text", "    ".join(f"[  ] {label}" for label in text.labels)))
        elif question.kind is QuestionKind.LANGUAGES:
            asked.append(self._say("text", " / ".join(text.columns)))
            asked += [self._say("text", "_" * 60) for _ in range(question.rows)]
        else:
            asked.append(self._say("text", "_" * 40))
        return [KeepTogether(asked)]

    def _say(self, style: str, text: str) -> Paragraph:
        _check_letters(text, _BOLD if style in ("head", "ask") else _FONT)
        return Paragraph(escape(text), self.styles[style])


def _register(font: Path | None) -> None:
    try:
        regular = TTFont(_FONT, "Vera.ttf" if font is None else str(font))
        bold = TTFont(_BOLD, "VeraBd.ttf" if font is None else str(font))
    except TTFError as error:
        raise InputError(f"is no TrueType font: {error}", where=str(font)) from error
    pdfmetrics.registerFont(regular)
    pdfmetrics.registerFont(bold)


def _check_letters(text: str, font: str) -> None:
    known = pdfmetrics.getFont(font).face.charToGlyph
    for letter in text:
        if ord(letter) not in known and not letter.isspace():
            raise InputError(
                f"the font has no letter {letter!r}, as in {text[:60]!r}; name one that has it with "
                "--font"
            )


def _mark_places() -> list[tuple[float, float]]:
    low, right, top = _MARGIN, _WIDTH - _MARGIN - _MARK, _HEIGHT - _MARGIN - _MARK
    return [(low, top), (right, top), (right, low), (low, low)]


def _decorate(canvas: Canvas, code: PageCode) -> None:
    """Draw the marks of a page, and its code for people and for cameras."""
    cell = _MARK / 6
    for (x, y), rows in zip(_mark_places(), _MARKS, strict=True):
        canvas.rect(x, y, _MARK, _MARK, fill=1, stroke=0)
        canvas.setFillGray(1)
        for down, row in enumerate(rows):
            for across, bit in enumerate(row):
                if bit == "1":
                    canvas.rect(
                        x + (across + 1) * cell, y + (4 - down) * cell, cell, cell, fill=1, stroke=0
                    )
        canvas.setFillGray(0)
    canvas.setFont(_FONT, 9)
    canvas.drawCentredString(_WIDTH / 2, _MARGIN + 2 * mm, code.text)
    _draw_code(canvas, code.for_cameras)


def _draw_code(canvas: Canvas, text: str) -> None:
    """Draw a code for cameras as one path of the dark stretches of its rows."""
    x, y, size = _CODE
    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    cell = size / code.getModuleCount()
    path = canvas.beginPath()
    for down, row in enumerate(code.modules, start=1):
        across = 0
        for dark, squares in groupby(map(bool, row)):
            width = len([*squares])
            if dark:
                path.rect(x + across * cell, y + size - down * cell, width * cell, cell)
            across += width
    canvas.drawPath(path, fill=1, stroke=0)
