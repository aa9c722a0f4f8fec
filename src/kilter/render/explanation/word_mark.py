"""How words stand in pictures: plain, misplaced or without a link, told apart without colour, too."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.render.chart.drawing import AXIS, INK, SIZE, SMALL
from kilter.render.chart.text_box import text_length
from kilter.render.markup import visible

if TYPE_CHECKING:
    from collections.abc import Collection

    from kilter.render.chart.drawing import Drawing

MISPLACED = "#b34700"
"""Vermilion, dark enough for letters on white."""
UNLINKED = "#666"
LINK = "#555"
WIDEST = 960.0
"""Sentences that are wider are drawn downwards, a row for each word."""
ROW = 26.0
"""Height of a word's row where words stand below one another."""
PAD = 5.0


class WordMark(StrEnum):
    """What a picture says about a word."""

    PLAIN = "plain"
    MISPLACED = "misplaced"
    UNLINKED = "no link"


def mark_of(place: int, linked: Collection[int], misplaced: Collection[int]) -> WordMark:
    """Return the mark of a word by its place."""
    if place in misplaced:
        return WordMark.MISPLACED
    return WordMark.PLAIN if place in linked else WordMark.UNLINKED


def word_length(word: str) -> float:
    """Return the room that a word takes at most, whatever its mark."""
    return text_length(visible(word), SIZE, bold=True)


def draw_word(
    drawing: Drawing,
    place: tuple[float, float],
    word: str,
    mark: WordMark,
    *,
    anchor: str = "middle",
) -> None:
    """Write a word; `place` is at its base, at its start, middle or end."""
    bold = mark is WordMark.MISPLACED
    colour = {WordMark.PLAIN: INK, WordMark.MISPLACED: MISPLACED, WordMark.UNLINKED: UNLINKED}[mark]
    x, base = place
    length = text_length(visible(word), SIZE, bold=bold)
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * length
    if mark is WordMark.MISPLACED:
        drawing.line((left, base + 4), (left + length, base + 4), colour=colour, width=2.5)
    elif mark is WordMark.UNLINKED:
        top, bottom = base - SIZE - 1, base + 5
        corners = [(left - 3, top), (left + length + 3, top)]
        corners += [(x, bottom) for x, _ in reversed(corners)]
        drawing.polyline([*corners, corners[0]], colour=colour, width=1, dash="3 2")
    drawing.text(place, word, anchor=anchor, bold=bold, colour=colour)


def draw_key(
    drawing: Drawing,
    place: tuple[float, float],
    marks: Collection[WordMark],
    *,
    room: float,
    called: str = str(WordMark.MISPLACED),
) -> float:
    """Write below a picture what its marks mean; return the height, 0 if no mark needs it."""
    texts = []
    if WordMark.MISPLACED in marks:
        texts.append(f"{called}: bold, underlined")
    if WordMark.UNLINKED in marks:
        texts.append(f"{WordMark.UNLINKED}: framed in dashes")
    if not texts:
        return 0.0
    return drawing.paragraph(place, "; ".join(texts), room=room, size=SMALL, colour=AXIS)
