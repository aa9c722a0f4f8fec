"""Documents on paper: groups of blocks laid out on pages, with marks and codes where they are read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.study.paper.block import MM, Column
from kilter.study.paper.form import Form, PageCode
from kilter.study.paper.page_fill import fill_pages
from kilter.study.paper.page_mark import (
    CODE_PLACE,
    MARGIN,
    MARK_SIZE,
    PAGE_SIZE,
    draw_marks,
    mark_places,
)
from kilter.study.paper.pdf_file import PdfFile
from kilter.study.paper.type.typesetter import Lettering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.instrument.interface import Interface
    from kilter.study.paper.page_fill import BlockGroup, Gap
    from kilter.study.paper.pdf_file import PdfPage
    from kilter.study.paper.type.typesetter import Typesetter

_EDGE = MARGIN + MARK_SIZE
_ABOVE, _BELOW = 2 * MM, 2 * MM  # between marks and text
_WIDTH = PAGE_SIZE[0] - 2 * _EDGE
_HEIGHT = PAGE_SIZE[1] - 2 * _EDGE - _ABOVE - _BELOW
_SMALL = 8.5


def new_form(study: str, questionnaire: int, items: tuple[str, ...], *, texts: str = "") -> Form:
    """Return a form without places; they are found when its document is laid out."""
    return Form(
        study=study,
        questionnaire=questionnaire,
        items=items,
        texts=texts,
        page_size=PAGE_SIZE,
        mark_size=MARK_SIZE,
        marks=tuple(mark_places()),
        code=CODE_PLACE,
    )


class Document:
    """A document that is laid out once and printed as often as copies are wanted.

    With a form, its pages carry marks and codes, and the form holds the places of boxes and fields.
    """

    def __init__(
        self,
        title: str,
        groups: Sequence[BlockGroup],
        setter: Typesetter,
        *,
        interface: Interface,
        gap: Gap,
        form: Form | None = None,
    ) -> None:
        self.title = title
        self.form = form
        self._setter = setter
        self._interface = interface
        self._is_leftward = interface.direction == "rtl"
        self._pages = fill_pages(groups, setter, width=_WIDTH, height=_HEIGHT, gap=gap)
        if form is not None:
            # Pages carry the form's id, which is known only after everything has found its place.
            form.pages = len(self._pages)
            self._drawn(None, form)

    @property
    def page_count(self) -> int:
        """The number of pages."""
        return len(self._pages)

    def pdf(self, copy: int = 0) -> bytes:
        """Return the file; a copy of a questionnaire has its number in the code of every page."""
        if self.form is None:
            return self._drawn(None, None).to_bytes()
        form = self.form
        code = PageCode(form.study, form.questionnaire, copy, 0, form.id)
        return self._drawn(code, None).to_bytes()

    def _drawn(self, code: PageCode | None, form: Form | None) -> PdfFile:
        file = PdfFile(
            self.title, self._interface.language, PAGE_SIZE, is_leftward=self._is_leftward
        )
        for number, filled in enumerate(self._pages, start=1):
            page = file.new_page()
            column = Column(
                page,
                number,
                _EDGE,
                _WIDTH,
                PAGE_SIZE[1] - _EDGE - _ABOVE,
                self._is_leftward,
                form,
            )
            filled.draw(self._setter, column)
            self._decorate(page, number, None if code is None else replace(code, page=number))
        return file

    def _decorate(self, page: PdfPage, number: int, code: PageCode | None) -> None:
        """Write at the top and the foot of a page what it is."""
        self._centred(page, self.title, PAGE_SIZE[1] - MARGIN - 4 * MM)
        counted = self._interface.write("page", page=number, pages=self.page_count)
        if code is None:
            self._centred(page, counted, MARGIN + 4 * MM)
            return
        if not code.is_consent:
            said = self._interface.write("code", code=code.booklet)
            self._centred(page, said, PAGE_SIZE[1] - MARGIN - 9 * MM)
        self._centred(page, counted, MARGIN + 6.5 * MM)
        self._centred(page, code.text, MARGIN + 2 * MM)
        draw_marks(page, code)

    def _centred(self, page: PdfPage, text: str, y: float) -> None:
        look = Lettering(
            size=_SMALL, language=self._interface.language, is_leftward=self._is_leftward
        )
        line = self._setter.line(text, look)
        page.text(line, (PAGE_SIZE[0] - line.width) / 2, y)
