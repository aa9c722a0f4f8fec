"""Dependency trees as arcs over words: one tree, or two against one another with their links. [TH] figure 4.7"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from kilter.core.dependency_tree import ROOT
from kilter.core.errors import InputError
from kilter.render.chart.drawing import AXIS, INK, SMALL, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.explanation.link_diagram import (
    ROW,
    WIDEST,
    LinkedWords,
    WordMark,
    draw_key,
    draw_links,
    draw_word,
    mark_of,
    reads_leftward,
    word_length,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.core.dependency_tree import DependencyTree

_MARGIN = 12.0
_GAP = 16.0
_LEVEL = 22.0
_SLOT = 7.0
_RISE = 84.0
_REACH = 180.0
_LABEL = 11.0
_ARC = "#4a5a6a"
_TITLE = "Dependency trees of hypothesis and reference"


@dataclass(frozen=True, slots=True)
class _ArcSide:
    """One tree with the places of its words: along the sentence, and where its arcs meet each word."""

    tree: DependencyTree
    centres: list[float]
    lengths: list[float]
    levels: dict[int, int]
    """How high the arc to each word's head is, from 1."""

    @property
    def highest(self) -> int:
        return 1 + max(self.levels.values(), default=0)

    def ends(self, word: int) -> tuple[float, float]:
        """Return where the arc between a word and its head meets the head and the word."""
        return self._slot(self.tree.heads[word], word), self.slot(word)

    def slot(self, word: int) -> float:
        """Return where the arrow at a word points."""
        return self._slot(word, word)

    def _slot(self, at: int, arc: int) -> float:
        """Return the place of an arc at a word: the longer, the nearer to the word's middle."""
        others = {
            child: child if head == at else head
            for child, head in enumerate(self.tree.heads)
            if at in (child, head)
        }
        ways = sorted(others, key=lambda child: self._key(at, others[child]))
        here = ways.index(arc) - (len(ways) - 1) / 2
        return self.centres[at] + here * _SLOT

    def _key(self, at: int, other: int) -> tuple[bool, float]:
        """Return how arcs stand beside one another at a word, from left to right on the page."""
        if other == ROOT:
            return False, inf
        reach = self.centres[other] - self.centres[at]
        return reach > 0, -reach


def dependency_picture(
    hypothesis: DependencyTree,
    reference: DependencyTree | None = None,
    words: LinkedWords | None = None,
    *,
    title: str = _TITLE,
) -> str:
    """Return the picture as SVG.

    The first tree's arcs are above its words, the second's below, the links between them; `words` are those of the
    trees. One tree alone has no links. An arc leads from a head to the word that its arrow points at, with its
    relation; the root has an arrow of its own. Long sentences go down the page.
    """
    shown = words or LinkedWords(hypothesis.words, reference.words if reference else (), ())
    if (shown.hypothesis, shown.reference) != (
        hypothesis.words,
        reference.words if reference else (),
    ):
        raise InputError("the linked words are not those of the trees; give both of one segment")
    trees = [hypothesis, *([reference] if reference else [])]
    sides = [_side(tree) for tree in trees]
    width = max(_room(side) for side in sides)
    captions = max(text_length(side, SMALL) for side in shown.sides) + _GAP if reference else 0.0
    draw = _downward if captions + width + 2 * _MARGIN > WIDEST else _across
    return draw(sides, shown, captions, title)


def _description(sides: Sequence[_ArcSide], words: LinkedWords) -> str:
    told = []
    for name, side in zip(words.sides, sides, strict=False):
        tree = side.tree
        arcs = [
            f"{word} ({label} of {tree.words[head]})"
            if head != ROOT
            else f"{word} ({label}, the root)"
            for word, head, label in zip(tree.words, tree.heads, tree.labels, strict=True)
        ]
        of = f" of the {name}" if len(sides) == 2 else ""
        told.append(f"Tree{of}: {', '.join(arcs) or 'no words'}.")
    return " ".join([*told, words.description()] if len(sides) == 2 else told)


def _side(tree: DependencyTree) -> _ArcSide:
    """Return a tree with its words so far apart that every relation fits between the ends of its arc."""
    degrees = [1 + len(tree.children(word)) for word in range(len(tree))]
    lengths = [
        max(word_length(word), degree * _SLOT)
        for word, degree in zip(tree.words, degrees, strict=True)
    ]
    centres: list[float] = []
    for word, length in enumerate(lengths):
        at = length / 2
        if word:
            at = centres[-1] + lengths[word - 1] / 2 + _GAP + length / 2
        for child, head in enumerate(tree.heads):
            if head != ROOT and max(child, head) == word:
                # At most half of the arcs at either end stand between the middles of the words.
                slots = (degrees[child] + degrees[head]) / 2 * _SLOT
                room = text_length(tree.labels[child], _LABEL) + slots + 10
                at = max(at, centres[min(child, head)] + room)
        centres.append(at)
    if reads_leftward(tree.words) and centres:
        room = centres[-1] + lengths[-1] / 2
        centres = [room - centre for centre in centres]
    return _ArcSide(tree, centres, lengths, _levels(tree))


def _room(side: _ArcSide) -> float:
    edges = [c + length / 2 for c, length in zip(side.centres, side.lengths, strict=True)]
    return max(edges, default=0.0)


def _levels(tree: DependencyTree) -> dict[int, int]:
    """Return how high each arc is: beside none that it overlaps, short ones first, so above all it spans."""
    spans = {
        child: (min(child, head), max(child, head))
        for child, head in enumerate(tree.heads)
        if head != ROOT
    }
    levels: dict[int, int] = {}
    for arc in sorted(spans, key=lambda arc: (spans[arc][1] - spans[arc][0], arc)):
        low, high = spans[arc]
        beside = {
            levels[other]
            for other, (first, last) in spans.items()
            if other in levels and first < high and low < last
        }
        level = 1
        while level in beside:
            level += 1
        levels[arc] = level
    return levels


def _across(sides: Sequence[_ArcSide], words: LinkedWords, captions: float, title: str) -> str:
    drawing = Drawing()
    room = max(map(_room, sides))
    left = _MARGIN + captions
    bases = [_MARGIN + (sides[0].highest + 0.5) * _LEVEL + 16]
    if len(sides) == 2:
        bases.append(bases[0] + _RISE)
        for name, base in zip(words.sides, bases, strict=True):
            drawing.text((_MARGIN, base), name, size=SMALL, colour=AXIS)
    shifts = [left + (room - _room(side)) / 2 for side in sides]
    places = [
        [(shift + centre, base) for centre in side.centres]
        for side, shift, base in zip(sides, shifts, bases, strict=True)
    ]
    if len(sides) == 2:
        starts = [(x, base + 9) for x, base in places[0]]
        draw_links(drawing, words, starts, [(x, base - 18) for x, base in places[1]])
    marks = _draw_words(drawing, sides, words, places, anchors=("middle", "middle"))
    _draw_arcs(drawing, sides[0], shifts[0], bases[0] - 17, up=True)
    bottom = bases[-1] + 14
    if len(sides) == 2:
        _draw_arcs(drawing, sides[1], shifts[1], bases[1] + 10, up=False)
        bottom = bases[1] + 16 + (sides[1].highest + 0.5) * _LEVEL
    width = left + room + _MARGIN
    bottom += draw_key(
        drawing, (_MARGIN, bottom), marks, room=width - 2 * _MARGIN, called=words.called
    )
    return drawing.document(width, bottom + 6, title=title, description=_description(sides, words))


def _draw_words(
    drawing: Drawing,
    sides: Sequence[_ArcSide],
    words: LinkedWords,
    places: Sequence[Sequence[tuple[float, float]]],
    *,
    anchors: tuple[str, str],
) -> set[WordMark]:
    linked: list[Collection[int]] = [words.linked_hypothesis, words.linked_reference]
    if len(sides) == 1:
        linked = [range(len(sides[0].tree))]
    misplaced: tuple[frozenset[int], frozenset[int]] = words.misplaced, frozenset()
    marks = set()
    for number, side in enumerate(sides):
        for place, text in enumerate(side.tree.words):
            mark = mark_of(place, linked[number], misplaced[number])
            draw_word(drawing, places[number][place], text, mark, anchor=anchors[number])
            marks.add(mark)
    return marks


def _draw_arcs(drawing: Drawing, side: _ArcSide, shift: float, base: float, *, up: bool) -> None:
    """Draw the arcs, then the relations on white, so that no line runs through a name."""
    sign = -1.0 if up else 1.0
    names: list[tuple[float, float, str]] = []
    for word, head in enumerate(side.tree.heads):
        if head == ROOT:
            x, end = shift + side.slot(word), base + sign * side.highest * _LEVEL
            drawing.line((x, end), (x, base), colour=_ARC, width=1.2)
            _arrow(drawing, (x, base), down=up)
            names.append((x, end + sign * 3 if up else end + _LABEL, side.tree.labels[word]))
            continue
        start, end = (shift + x for x in side.ends(word))
        top = base + sign * side.levels[word] * _LEVEL
        turn = 5.0 if end > start else -5.0
        way = [(start, base), (start, top - sign * 5), (start + turn, top)]
        way += [(end - turn, top), (end, top - sign * 5), (end, base)]
        drawing.polyline(way, colour=_ARC, width=1.2)
        _arrow(drawing, (end, base), down=up)
        under = -3.0 if up else _LABEL
        names.append(((start + end) / 2, top + under, side.tree.labels[word]))
    for x, line, name in names:
        _name(drawing, (x, line), name)


def _name(
    drawing: Drawing, place: tuple[float, float], name: str, *, anchor: str = "middle"
) -> None:
    x, base = place
    length = text_length(name, _LABEL)
    left = x - {"start": 0.0, "middle": 0.5}[anchor] * length
    drawing.box((left, base - _LABEL + 1.5), (length, _LABEL), fill="#fff")
    drawing.text(place, name, size=_LABEL, anchor=anchor, colour=INK)


def _arrow(drawing: Drawing, point: tuple[float, float], *, down: bool) -> None:
    x, y = point
    back = y - 6 if down else y + 6
    drawing.polygon([(x, y), (x - 3, back), (x + 3, back)], fill=_ARC)


def _downward(sides: Sequence[_ArcSide], words: LinkedWords, _captions: float, title: str) -> str:
    """Return the picture with a row for each word and the relation of each beside it."""
    drawing = Drawing()
    top = _MARGIN + SMALL + 8
    columns = [
        max([*map(word_length, side.tree.words), text_length(name, SMALL)])
        for side, name in zip(sides, words.sides, strict=False)
    ]
    names = [
        max((text_length(name, _LABEL) for name in side.tree.labels), default=0.0) + 10
        for side in sides
    ]
    arcs = [(side.highest + 0.5) * 12.0 + 8 for side in sides]
    edge = _MARGIN + arcs[0] + names[0] + columns[0]
    edges = [edge, edge + _REACH]
    places = [
        [(x, top + ROW * (word + 0.7)) for word in range(len(side.tree))]
        for x, side in zip(edges, sides, strict=False)
    ]
    width = edge + 8 + _MARGIN
    if len(sides) == 2:
        width = edges[1] + columns[1] + names[1] + arcs[1] + _MARGIN
        for x, name, anchor in zip(edges, words.sides, ("end", "start"), strict=True):
            drawing.text((x, _MARGIN + SMALL), name, size=SMALL, anchor=anchor, colour=AXIS)
        starts = [(x + 7, base - 4) for x, base in places[0]]
        draw_links(drawing, words, starts, [(x - 7, base - 4) for x, base in places[1]])
    marks = _draw_words(drawing, sides, words, places, anchors=("end", "start"))
    _draw_rows(drawing, sides[0], (edge - columns[0] - names[0], top), names[0], leftward=True)
    if len(sides) == 2:
        corner = edges[1] + columns[1] + names[1], top
        _draw_rows(drawing, sides[1], corner, names[1], leftward=False)
    height = top + ROW * max(len(side.tree) for side in sides) + 6
    height += draw_key(
        drawing, (_MARGIN, height), marks, room=width - 2 * _MARGIN, called=words.called
    )
    return drawing.document(width, height + 6, title=title, description=_description(sides, words))


def _draw_rows(
    drawing: Drawing, side: _ArcSide, corner: tuple[float, float], names: float, *, leftward: bool
) -> None:
    """Draw arcs beside a column of words, and the relation of each word between it and its arcs."""
    x, top = corner
    sign = -1.0 if leftward else 1.0
    tree = side.tree
    rows = _ArcSide(
        tree, [ROW * (word + 0.5) for word in range(len(tree))], side.lengths, side.levels
    )
    for word, head in enumerate(tree.heads):
        middle = top + ROW * (word + 0.5)
        at = x + 8 if leftward else x - names + 2
        drawing.text((at, middle + 4), tree.labels[word], size=_LABEL, colour=INK)
        if head == ROOT:
            out = x + sign * side.highest * 12.0
            line = top + _near(rows.centres[word], rows.slot(word))
            drawing.line((out, line), (x, line), colour=_ARC, width=1.2)
            _side_arrow(drawing, (x, line), rightward=leftward)
            continue
        start, end = rows.ends(word)
        # Arcs at one word stand closer than rows are high.
        start = top + _near(rows.centres[head], start)
        end = top + _near(rows.centres[word], end)
        out = x + sign * side.levels[word] * 12.0
        turn = 4.0 if end > start else -4.0
        way = [(x, start), (out - sign * 4, start), (out, start + turn)]
        way += [(out, end - turn), (out - sign * 4, end), (x, end)]
        drawing.polyline(way, colour=_ARC, width=1.2)
        _side_arrow(drawing, (x, end), rightward=leftward)


def _near(middle: float, place: float) -> float:
    """Return a place of an arc at a row, moved into it however many arcs there are."""
    off = place - middle
    return middle + max(-ROW * 0.45, min(ROW * 0.45, off * 0.5))


def _side_arrow(drawing: Drawing, point: tuple[float, float], *, rightward: bool) -> None:
    x, y = point
    back = x - 6 if rightward else x + 6
    drawing.polygon([(x, y), (back, y - 3), (back, y + 3)], fill=_ARC)
