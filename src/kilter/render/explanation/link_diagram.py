"""A hypothesis above its reference, with lines between linked words: what crosses is out of order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.markup import visible
from kilter.render.chart.drawing import AXIS, INK, SIZE, SMALL, Drawing
from kilter.render.chart.text_box import text_length

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from kilter.core.links import Link


@dataclass(frozen=True, slots=True, init=False)
class LinkedWords:
    """Words of hypothesis and reference, links (hypothesis, reference), misplaced hypothesis words.

    All positions are zero-based. `sides` is what pictures call the two sentences, `called` what they call the
    misplaced words.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    links: tuple[Link, ...]
    misplaced: frozenset[int]
    sides: tuple[str, str]
    called: str

    def __init__(
        self,
        hypothesis: Iterable[str],
        reference: Iterable[str],
        links: Iterable[Link],
        *,
        misplaced: Iterable[int] = (),
        sides: tuple[str, str] = ("hypothesis", "reference"),
        called: str = "misplaced",
    ) -> None:
        for field, value in (
            ("hypothesis", tuple(hypothesis)),
            ("reference", tuple(reference)),
            ("links", tuple(sorted(set(links)))),
            ("misplaced", frozenset(misplaced)),
            ("sides", sides),
            ("called", called),
        ):
            object.__setattr__(self, field, value)
        self._check()

    def _check(self) -> None:
        above, below = self.sides
        for side, words, places in (
            (above, self.hypothesis, {first for first, _ in self.links} | self.misplaced),
            (below, self.reference, {second for _, second in self.links}),
        ):
            outside = sorted(place for place in places if not 0 <= place < len(words))
            if outside:
                raise InputError(
                    f"there is no word {outside[0]} in a {side} of {counted(len(words), 'word')}; "
                    "they are counted from 0"
                )

    @property
    def linked_hypothesis(self) -> frozenset[int]:
        """The words of the hypothesis with a link."""
        return frozenset(first for first, _ in self.links)

    @property
    def linked_reference(self) -> frozenset[int]:
        """The words of the reference with a link."""
        return frozenset(second for _, second in self.links)

    @property
    def misplaced_reference(self) -> frozenset[int]:
        """The words of the reference that misplaced words are linked with."""
        return frozenset(second for first, second in self.links if first in self.misplaced)

    def description(self) -> str:
        """Return in words what a picture of the links shows, for people who do not see it.

        >>> words = LinkedWords(["b", "a"], ["a", "b", "c"], [(0, 1), (1, 0)], misplaced=[0])
        >>> words.description()
        'Hypothesis: b a. Reference: a b c. Links: b 1 - b 2, a 2 - a 1. Misplaced: b 1. Without a link: c 3 of the reference.'
        """
        above, below = self.sides
        told = [
            f"{_capital(above)}: {' '.join(self.hypothesis) or 'no words'}.",
            f"{_capital(below)}: {' '.join(self.reference) or 'no words'}.",
        ]
        pairs = [
            f"{_named(self.hypothesis, first)} - {_named(self.reference, second)}"
            for first, second in self.links
        ]
        told.append(f"Links: {', '.join(pairs) or 'none'}.")
        if self.misplaced:
            names = [_named(self.hypothesis, word) for word in sorted(self.misplaced)]
            told.append(f"{_capital(self.called)}: {', '.join(names)}.")
        alone = [
            f"{_named(words, place)} of the {side}"
            for side, words, linked in (
                (above, self.hypothesis, self.linked_hypothesis),
                (below, self.reference, self.linked_reference),
            )
            for place in range(len(words))
            if place not in linked
        ]
        if alone:
            told.append(f"Without a link: {', '.join(alone)}.")
        return " ".join(told)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _named(words: Sequence[str], place: int) -> str:
    return f"{words[place]} {place + 1}"


def reads_leftward(words: Sequence[str]) -> bool:
    """Return whether more words begin with a letter that is read from right to left than not.

    >>> reads_leftward(["שלום", "עולם", "!"]), reads_leftward(["peace", "2"])
    (True, False)
    """
    leftward = rightward = 0
    for word in words:
        strong = next((kind for kind in map(bidirectional, word) if kind in {"L", "R", "AL"}), "")
        leftward += strong in {"R", "AL"}
        rightward += strong == "L"
    return leftward > rightward


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
