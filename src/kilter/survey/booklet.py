"""Questionnaires on paper: PDF booklets with registration marks, and where their boxes are."""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.renderPDF import draw as draw_graphics
from reportlab.graphics.shapes import Drawing
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
from kilter.survey.instrument import QuestionKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reportlab.pdfgen.canvas import Canvas

    from kilter.survey.instrument import Question
    from kilter.survey.interface import Documents, Interface
    from kilter.survey.item import Item
    from kilter.survey.study import Study

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
_WIDTH, _HEIGHT = A4
_FONT, _BOLD = "KilterBooklet", "KilterBookletBold"
RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur", "yi", "ps", "sd", "dv", "ug"})


@dataclass(frozen=True, slots=True)
class Box:
    """A box on a page: what ticking it means, and its square in points from the lower left corner."""

    page: int
    position: int
    question: str
    value: int
    x: float
    y: float
    size: float


@dataclass(slots=True)
class Booklet:
    """One questionnaire as PDF, with the places of the boxes that can be read back."""

    code: str
    pdf: bytes = b""
    pages: int = 0
    boxes: list[Box] = field(default_factory=list)

    def form(self) -> dict[str, Any]:
        """Return the form file: page size, marks and boxes, in points from the lower left corner."""
        return {
            "schema": "kilter.form/1",
            "code": self.code,
            "pages": self.pages,
            "page_size": [_WIDTH, _HEIGHT],
            "marks": {
                "dictionary": "DICT_4X4_50",
                "size": _MARK,
                "lower_left": [list(place) for place in _mark_places()],
            },
            "boxes": [asdict(box) for box in self.boxes],
        }


class _Boxes(Flowable):  # type: ignore[misc] # reportlab has no types
    """A row of boxes between two labels; remembers where each box was drawn."""

    def __init__(
        self, booklet: Booklet, position: int, question: Question, labels: Sequence[str]
    ) -> None:
        super().__init__()
        self.booklet = booklet
        self.position = position
        self.question = question
        self.labels = labels

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: ARG002, N803 - their names
        """Return the size of the row."""
        return aW, _BOX + 6 * mm

    def draw(self) -> None:
        """Draw boxes and labels, and write down where the boxes are."""
        canvas = self.canv
        canvas.setFont(_FONT, 9)
        left, right = self.labels
        x, y = 42 * mm, 3 * mm
        canvas.drawRightString(x - 3 * mm, y + 1.2 * mm, left)
        for value in self.question.values:
            canvas.rect(x, y, _BOX, _BOX)
            canvas.drawCentredString(x + _BOX / 2, y - 3 * mm, str(value))
            at_x, at_y = canvas.absolutePosition(x, y)
            self.booklet.boxes.append(
                Box(
                    canvas.getPageNumber(), self.position, self.question.name, value,
                    round(at_x, 2), round(at_y, 2), round(_BOX, 2),
                )
            )  # fmt: skip
            x += 12 * mm
        canvas.drawString(x - 4 * mm, y + 1.2 * mm, right)


def make_booklet(
    study: Study,
    number: int,
    items: Sequence[Item],
    *,
    interface: Interface,
    documents: Documents,
    font: Path | None = None,
) -> Booklet:
    """Return the booklet of a questionnaire in one language.

    A letter that the font does not have, and writing from right to left, are an `InputError`: nothing
    is printed that nobody can read.
    """
    _register(font)
    booklet = Booklet(f"{study.name}-{number}")
    flowing = _Composer(booklet, study, interface).story(items, documents)
    out = io.BytesIO()
    frame = Frame(
        _MARGIN + _MARK,
        _MARGIN + _MARK,
        _WIDTH - 2 * (_MARGIN + _MARK),
        _HEIGHT - 2 * (_MARGIN + _MARK),
    )
    document = BaseDocTemplate(
        out, pagesize=A4, title=f"{study.title} {number}", invariant=1, lang=interface.language
    )

    def decorate(canvas: Canvas, _document: Any) -> None:
        _decorate(canvas, booklet.code)
        booklet.pages = canvas.getPageNumber()

    document.addPageTemplates([PageTemplate(frames=[frame], onPage=decorate)])
    document.build(flowing)
    booklet.pdf = out.getvalue()
    return booklet


class _Composer:
    """Makes the paragraphs and boxes of a booklet."""

    def __init__(self, booklet: Booklet, study: Study, interface: Interface) -> None:
        self.booklet = booklet
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
            parts += [*self._item(sample, 0), PageBreak()]
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

    def _item(self, item: Any, position: int) -> list[Flowable]:
        say = self.interface.say
        parts: list[Flowable] = []
        for heading, part in zip(
            ("first", "second", "third"), self.study.instrument.shows, strict=False
        ):
            parts.append(self._say("ask", say(heading)))
            parts.append(self._say("sentence", getattr(item, part) or ""))
        for question in self.study.instrument.questions:
            parts += self._asked(question, position)
        return parts

    def _asked(self, question: Question, position: int) -> list[Flowable]:
        text = question.text(self.interface.language)
        asked = [self._say("ask", text.ask)]
        if position == 0 and text.hint:
            asked.append(self._say("text", text.hint))
        if question.kind is QuestionKind.BOXES:
            target = self.booklet if position else Booklet("")  # the sample item is never read
            asked.append(_Boxes(target, position, question, (text.left, text.right)))
        elif question.kind is QuestionKind.OPTIONS:
            lines = [f"[  ] {place} {label}" for place, label in enumerate(text.labels, start=1)]
            asked += [self._say("text", line) for line in lines]
        else:
            ends = f"{question.low} = {text.left}, {question.high} = {text.right}: ______"
            asked.append(self._say("text", ends))
        return asked

    def _about(self, question: Question) -> list[Flowable]:
        text = question.text(self.interface.language)
        asked = [self._say("ask", text.ask)]
        if question.kind is QuestionKind.BOXES:
            asked.append(_Boxes(Booklet(""), 0, question, (text.left, text.right)))
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


def _decorate(canvas: Canvas, code: str) -> None:
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
    label = f"{code}-{canvas.getPageNumber()}"
    canvas.setFont(_FONT, 9)
    canvas.drawCentredString(_WIDTH / 2, _MARGIN + 2 * mm, label)
    widget = QrCodeWidget(f"kilter:{label}", barWidth=14 * mm, barHeight=14 * mm)
    drawing = Drawing(14 * mm, 14 * mm)
    drawing.add(widget)
    draw_graphics(drawing, canvas, _WIDTH - 2 * _MARGIN - _MARK - 16 * mm, _MARGIN)
