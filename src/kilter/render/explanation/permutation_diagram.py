"""Positions of words in the hypothesis against those of their partners in the reference, on a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.chart.drawing import AXIS, FAINT, INK, SIZE, SMALL, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.explanation.link_diagram import (
    MISPLACED,
    UNLINKED,
    WordMark,
    mark_of,
    word_length,
)

if TYPE_CHECKING:
    from kilter.render.explanation.link_diagram import LinkedWords

_CELL = 24.0
_MARGIN = 12.0
_TITLE = "Positions in the hypothesis and in the reference"
_COLOURS = {WordMark.PLAIN: INK, WordMark.MISPLACED: MISPLACED, WordMark.UNLINKED: UNLINKED}
_KEY = {
    WordMark.MISPLACED: "{}: diamonds, bold words",
    WordMark.UNLINKED: "no link: hatched",
}


def permutation_diagram(words: LinkedWords, *, title: str = _TITLE) -> str:
    """Return the picture as SVG: a dot for each link, the hypothesis from left to right.

    The reference goes from the bottom to the top, so that the right order is a line that rises.
    """
    drawing = Drawing()
    columns, rows = len(words.hypothesis), len(words.reference)
    lengths = [
        max(map(word_length, side), default=0.0) for side in (words.hypothesis, words.reference)
    ]
    upward = lengths[0] > _CELL - 4  # short words, such as numbers, need not be turned
    left = _MARGIN + SMALL + 10 + lengths[1] + 8
    top = _MARGIN
    bottom = top + max(rows, 1) * _CELL
    right = left + max(columns, 1) * _CELL
    marks = [mark_of(n, words.linked_hypothesis, words.misplaced) for n in range(columns)]
    sides = [mark_of(n, words.linked_reference, ()) for n in range(rows)]
    _hatch(drawing, marks, sides, (left, top), (right, bottom))
    for step in range(columns + 1):
        x = left + step * _CELL
        drawing.line((x, top), (x, bottom), colour=FAINT)
    for step in range(rows + 1):
        y = top + step * _CELL
        drawing.line((left, y), (right, y), colour=FAINT)
    for place, (word, mark) in enumerate(zip(words.hypothesis, marks, strict=True)):
        x = left + (place + 0.5) * _CELL
        if upward:
            _label(drawing, (x + 5, bottom + 8), word, mark, upward=True)
        else:
            _label(drawing, (x, bottom + 8 + SIZE), word, mark, anchor="middle")
    for place, (word, mark) in enumerate(zip(words.reference, sides, strict=True)):
        _label(drawing, (left - 8, bottom - (place + 0.5) * _CELL + 5), word, mark)
    for first, second in words.links:
        centre = left + (first + 0.5) * _CELL, bottom - (second + 0.5) * _CELL
        if first in words.misplaced:
            drawing.marker("diamond", centre, colour=MISPLACED, radius=6.5)
        else:
            drawing.marker("circle", centre, colour=INK, radius=5)
    below = bottom + 8 + (lengths[0] if upward else SIZE) + 10
    halves = [text_length(name, SMALL) / 2 for name in words.sides]
    middle = max((left + right) / 2, left + halves[0])
    name, beside = words.sides
    drawing.text((middle, below + SMALL), name, size=SMALL, anchor="middle", colour=AXIS)
    side = max((top + bottom) / 2, top + halves[1])
    across = _MARGIN + SMALL
    drawing.text((across, side), beside, size=SMALL, anchor="middle", colour=AXIS, upward=True)
    width = max(right + _MARGIN, middle + halves[0] + _MARGIN, 240.0)
    height = max(below + SMALL + 8, side + halves[1] + 6)
    key = "; ".join(_KEY[mark].format(words.called) for mark in _KEY if mark in {*marks, *sides})
    if key:
        room = width - 2 * _MARGIN
        height += drawing.paragraph((_MARGIN, height), key, room=room, size=SMALL, colour=AXIS)
    return drawing.document(width, height + 4, title=title, description=words.description())


def _hatch(
    drawing: Drawing,
    marks: list[WordMark],
    sides: list[WordMark],
    corner: tuple[float, float],
    end: tuple[float, float],
) -> None:
    (left, top), (right, bottom) = corner, end
    colour = "#dddddd"
    for place, mark in enumerate(marks):
        if mark is WordMark.UNLINKED:
            at = left + place * _CELL, top
            drawing.hatched_box(at, (_CELL, bottom - top), colour=colour, hatch="rising")
    for place, mark in enumerate(sides):
        if mark is WordMark.UNLINKED:
            at = left, bottom - (place + 1) * _CELL
            drawing.hatched_box(at, (right - left, _CELL), colour=colour, hatch="rising")


def _label(
    drawing: Drawing,
    place: tuple[float, float],
    word: str,
    mark: WordMark,
    *,
    anchor: str = "end",
    upward: bool = False,
) -> None:
    bold = mark is WordMark.MISPLACED
    drawing.text(place, word, anchor=anchor, bold=bold, colour=_COLOURS[mark], upward=upward)
