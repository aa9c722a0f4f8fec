"""A hypothesis above its reference, with lines between linked words: what crosses is out of order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.chart.drawing import AXIS, SMALL, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.explanation.linked_words import reads_leftward
from kilter.render.explanation.word_mark import (
    LINK,
    MISPLACED,
    ROW,
    WIDEST,
    WordMark,
    draw_key,
    draw_word,
    mark_of,
    word_length,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.render.explanation.linked_words import LinkedWords

_MARGIN = 12.0
_GAP = 16.0
_RISE = 84.0
_REACH = 180.0
_TITLE = "Links between hypothesis and reference"


def link_diagram(words: LinkedWords, *, title: str = _TITLE) -> str:
    """Return the picture as SVG.

    The sentences stand above one another; words of scripts that are read from right to left, from right to
    left. Sentences that are too wide for a page stand beside one another, a row for each word, so that
    nothing is cut or shrunk.
    """
    lengths = [[word_length(word) for word in side] for side in _sides(words)]
    room = max(sum(side) + _GAP * max(len(side) - 1, 0) for side in lengths)
    label = max(text_length(side, SMALL) for side in words.sides) + _GAP
    if label + room + 2 * _MARGIN > WIDEST:
        return _downward(words, lengths, title)
    drawing = Drawing()
    centres = [
        line_centres(side, left=_MARGIN + label, room=room, leftward=reads_leftward(texts))
        for side, texts in zip(lengths, _sides(words), strict=True)
    ]
    bases = _MARGIN + 16, _MARGIN + 16 + _RISE
    for side, base in zip(words.sides, bases, strict=True):
        drawing.text((_MARGIN, base), side, size=SMALL, colour=AXIS)
    ends = [[(x, base) for x in row] for row, base in zip(centres, bases, strict=True)]
    draw_links(
        drawing,
        words,
        [(x, base + 9) for x, base in ends[0]],
        [(x, base - 18) for x, base in ends[1]],
    )
    marks = _draw_words(drawing, words, ends, anchors=("middle", "middle"))
    width = _MARGIN + label + room + _MARGIN
    height = bases[1] + 16
    height += draw_key(
        drawing, (_MARGIN, height), marks, room=width - 2 * _MARGIN, called=words.called
    )
    return drawing.document(width, height + 4, title=title, description=words.description())


def line_centres(
    lengths: Sequence[float], *, left: float, room: float, leftward: bool, gap: float = _GAP
) -> list[float]:
    """Return the middles of words of these lengths, together in the middle of the room."""
    used = sum(lengths) + gap * max(len(lengths) - 1, 0)
    at = (room - used) / 2
    centres = []
    for length in lengths:
        centres.append(at + length / 2)
        at += length + gap
    return [left + (room - centre if leftward else centre) for centre in centres]


def draw_links(
    drawing: Drawing,
    words: LinkedWords,
    starts: Sequence[tuple[float, float]],
    ends: Sequence[tuple[float, float]],
) -> None:
    """Draw a line for each link; those of misplaced words, thick and in colour, lie above the others."""
    for first, second in sorted(words.links, key=lambda link: link[0] in words.misplaced):
        if first in words.misplaced:
            drawing.line(starts[first], ends[second], colour=MISPLACED, width=2.5)
        else:
            drawing.line(starts[first], ends[second], colour=LINK, width=1.2)


def _sides(words: LinkedWords) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return words.hypothesis, words.reference


def _draw_words(
    drawing: Drawing,
    words: LinkedWords,
    places: Sequence[Sequence[tuple[float, float]]],
    *,
    anchors: tuple[str, str],
) -> set[WordMark]:
    """Write the words of both sides; return what marks they have."""
    linked = words.linked_hypothesis, words.linked_reference
    misplaced: tuple[frozenset[int], frozenset[int]] = words.misplaced, frozenset()
    marks = set()
    for side, texts in enumerate(_sides(words)):
        for place, text in enumerate(texts):
            mark = mark_of(place, linked[side], misplaced[side])
            draw_word(drawing, places[side][place], text, mark, anchor=anchors[side])
            marks.add(mark)
    return marks


def _downward(words: LinkedWords, lengths: Sequence[Sequence[float]], title: str) -> str:
    drawing = Drawing()
    top = _MARGIN + SMALL + 6
    columns = [
        max([*side, text_length(name, SMALL)])
        for side, name in zip(lengths, words.sides, strict=True)
    ]
    left = _MARGIN + 4 + columns[0]
    right = left + _REACH
    for x, side, anchor in ((left, words.sides[0], "end"), (right, words.sides[1], "start")):
        drawing.text((x, _MARGIN + SMALL), side, size=SMALL, anchor=anchor, colour=AXIS)
    rows = max(map(len, lengths))
    places = [
        [(x, top + ROW * place + ROW * 0.7) for place in range(len(side))]
        for x, side in zip((left, right), lengths, strict=True)
    ]
    draw_links(
        drawing,
        words,
        [(x + 7, base - 4) for x, base in places[0]],
        [(x - 7, base - 4) for x, base in places[1]],
    )
    marks = _draw_words(drawing, words, places, anchors=("end", "start"))
    width = right + columns[1] + 4 + _MARGIN
    height = top + ROW * rows + 6
    height += draw_key(
        drawing, (_MARGIN, height), marks, room=width - 2 * _MARGIN, called=words.called
    )
    return drawing.document(width, height + 4, title=title, description=words.description())
