"""What cameras look for on a page: marks in its corners, and its code."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

from kilter.study.paper.block import MM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.study.paper.form import PageCode
    from kilter.study.paper.pdf_file import PdfPage

PAGE_SIZE = (210 * MM, 297 * MM)
MARK_SIZE = 12 * MM
MARGIN = 8 * MM
# The first four marks of the dictionary 4x4_50 of ArUco, for the corners: top left, top right, bottom
# right, bottom left. 1 is white; a black border surrounds them.
_MARKS = (
    ("1011", "0101", "0011", "0010"),
    ("0000", "1111", "1001", "1010"),
    ("0011", "0011", "0010", "1101"),
    ("1001", "1001", "0100", "0110"),
)
# The square of the page's code: beside the mark at the bottom right, and no higher.
CODE_PLACE = (PAGE_SIZE[0] - 2 * MARGIN - 2 * MARK_SIZE, MARGIN, MARK_SIZE)


def mark_places() -> list[tuple[float, float]]:
    """Return the lower left corners of the marks at the top left, top right, bottom right and bottom left."""
    wide, high = PAGE_SIZE
    low, right, top = MARGIN, wide - MARGIN - MARK_SIZE, high - MARGIN - MARK_SIZE
    return [(low, top), (right, top), (right, low), (low, low)]


def draw_marks(page: PdfPage, code: PageCode) -> None:
    """Draw the marks of a page and its code for cameras."""
    cell = MARK_SIZE / 6
    for (x, y), rows in zip(mark_places(), _MARKS, strict=True):
        page.fill([(x, y, MARK_SIZE, MARK_SIZE)])
        white = [
            (x + (across + 1) * cell, y + (4 - down) * cell, cell, cell)
            for down, row in enumerate(rows)
            for across, bit in enumerate(row)
            if bit == "1"
        ]
        page.fill(white, grey=1)
    page.fill(_code_squares(code.for_cameras))


def _code_squares(text: str) -> Iterator[tuple[float, float, float, float]]:
    """Yield the dark stretches of the rows of a code."""
    x, y, size = CODE_PLACE
    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    cell = size / code.getModuleCount()
    for down, row in enumerate(code.modules, start=1):
        across = 0
        for dark, squares in groupby(map(bool, row)):
            width = len([*squares])
            if dark:
                yield x + across * cell, y + size - down * cell, width * cell, cell
            across += width
