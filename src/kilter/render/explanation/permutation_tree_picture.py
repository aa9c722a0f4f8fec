"""A permutation tree over the words of a sentence: how its parts are turned round. [PC]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.permutation_tree import Kind
from kilter.render.chart.drawing import AXIS, SIZE, SMALL, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.explanation.link_diagram import (
    ROW,
    WIDEST,
    WordMark,
    draw_word,
    reads_leftward,
    word_length,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.core.permutation_tree import PermutationTree

_MARGIN = 12.0
_LEVEL = 50.0
_GAP = 18.0
_COLOURS = {Kind.MONOTONE: "#0060a0", Kind.INVERTED: "#b34700", Kind.PRIME: "#6a3d9a"}
_KEY = (
    (Kind.MONOTONE, "keeps the order: plain frame"),
    (Kind.INVERTED, "inverts it: double frame"),
    (Kind.PRIME, "mixes it: frame in dashes"),
)
_KINDS = {
    Kind.MONOTONE: "keeps the order",
    Kind.INVERTED: "inverts the order",
    Kind.PRIME: "mixes the order",
}


@dataclass(frozen=True, slots=True)
class _PermutationTreeLayout:
    """Where nodes stand: along the sentence, and how high above the leaves."""

    along: list[float]
    level: list[int]
    downward: bool
    """Whether the sentence goes down the page and the tree grows to the left of it."""
    step: float
    extent: float
    """The room that the sentence takes."""
    depth: float

    def place(self, node: int) -> tuple[float, float]:
        height = self.depth - self.level[node] * self.step
        return (height, self.along[node]) if self.downward else (self.along[node], height)


def permutation_tree_picture(
    tree: PermutationTree,
    words: Sequence[str] = (),
    *,
    misplaced: Iterable[int] = (),
    title: str = "Permutation tree",
) -> str:
    """Return the picture as SVG: words below with their places in the reference, operators above.

    `words` are the linked words in the order of the hypothesis, one for each value; without them the values
    are the leaves. `misplaced` are positions among them. Nodes that keep the order of their parts, invert or mix
    it, differ in their frames. Long sentences go down the page, with the tree to their left.
    """
    values = tree.permutation.one_based()
    if words and len(words) != len(values):
        raise InputError(
            f"a permutation of {len(values)} values has as many words, but {len(words)} are given"
        )
    leaves = list(words) or [str(value) for value in values]
    moved = frozenset(misplaced)
    drawing = Drawing()
    layout = _layout(tree, leaves)
    longest = max(map(word_length, leaves), default=0.0)
    for node in range(len(tree)):
        _draw_edge(drawing, tree, layout, node)
    for node in range(len(tree)):
        if tree.kind[node] != Kind.LEAF:
            _draw_node(drawing, tree, layout, node)
            continue
        place = int(tree.start[node])
        mark = WordMark.MISPLACED if place in moved else WordMark.PLAIN
        x, y = layout.place(node)
        anchor = "start" if layout.downward else "middle"
        draw_word(drawing, (x, y + 5), leaves[place], mark, anchor=anchor)
        if words:
            number = str(values[place])
            at = (x + longest + 10, y + 5) if layout.downward else (x, y + 24)
            drawing.text(at, number, size=SMALL, anchor=anchor, colour=AXIS)
    width, height = _extent(layout, leaves, numbered=bool(words))
    kinds = {Kind(int(kind)) for kind in tree.kind}
    width = max(width, 300.0) if kinds - {Kind.LEAF} else width
    key = "; ".join(text for kind, text in _KEY if kind in kinds)
    if key:
        room = width - 2 * _MARGIN
        height += drawing.paragraph((_MARGIN, height), key, room=room, size=SMALL, colour=AXIS)
    return drawing.document(
        width, height + 6, title=title, description=_description(tree, leaves, moved)
    )


def _layout(tree: PermutationTree, leaves: Sequence[str]) -> _PermutationTreeLayout:
    # So far apart, leaves leave room for every operator above them: it has fewer letters than a node's words.
    lengths = [max(word_length(leaf), 16.0) for leaf in leaves]
    extent = sum(lengths) + _GAP * max(len(lengths) - 1, 0)
    labels = [
        text_length(tree.operator_label(node), SIZE) + 12
        for node in range(len(tree))
        if tree.kind[node] != Kind.LEAF
    ]
    downward = extent + 2 * _MARGIN > WIDEST
    if downward:
        centres = [_MARGIN + ROW * (place + 0.5) for place in range(len(leaves))]
        extent = ROW * len(leaves)
    else:
        centres, at = [], _MARGIN
        for length in lengths:
            centres.append(at + length / 2)
            at += length + _GAP
        extent = max(centres, default=0.0) + (lengths[-1] / 2 if lengths else 0.0) - _MARGIN
        if reads_leftward(leaves):
            centres = [2 * _MARGIN + extent - centre for centre in centres]
    along, level = [0.0] * len(tree), [0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        children = tree.child_indices(node)
        if children:
            along[node] = (along[children[0]] + along[children[-1]]) / 2
            level[node] = 1 + max(level[child] for child in children)
        else:
            along[node] = centres[int(tree.start[node])]
    step = max([*labels, 30.0]) + 26 if downward else _LEVEL
    highest = max(level, default=0)
    first = _MARGIN + (max(labels, default=0.0) / 2 if downward else 14.0)
    return _PermutationTreeLayout(along, level, downward, step, extent, first + highest * step)


def _draw_edge(
    drawing: Drawing, tree: PermutationTree, layout: _PermutationTreeLayout, node: int
) -> None:
    """Draw the way from a node's parent: across half-way to the next level, so that no node is in it."""
    parent = int(tree.parent[node])
    if parent < 0:
        return
    (x, y), (at, below) = layout.place(parent), layout.place(node)
    leaf = tree.kind[node] == Kind.LEAF
    if layout.downward:
        turn = x + layout.step / 2
        way = [(x, y), (turn, y), (turn, below), (at - (6.0 if leaf else 0.0), below)]
    else:
        turn = y + layout.step / 2
        way = [(x, y), (x, turn), (at, turn), (at, below - (14.0 if leaf else 0.0))]
    drawing.polyline(way, colour="#777", width=1.2)


def _draw_node(
    drawing: Drawing, tree: PermutationTree, layout: _PermutationTreeLayout, node: int
) -> None:
    kind = Kind(int(tree.kind[node]))
    text = tree.operator_label(node)
    colour = _COLOURS[kind]
    x, y = layout.place(node)
    width, height = text_length(text, SIZE) + 10, 22.0
    corner = x - width / 2, y - height / 2
    drawing.box(
        corner, (width, height), fill="#fff", stroke="none" if kind is Kind.PRIME else colour
    )
    if kind is Kind.INVERTED:
        drawing.box((corner[0] - 3, corner[1] - 3), (width + 6, height + 6), stroke=colour)
    elif kind is Kind.PRIME:
        (left, top), (right, bottom) = corner, (x + width / 2, y + height / 2)
        outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        drawing.polyline(outline, colour=colour, width=1.5, dash="4 2")
    drawing.text((x, y + 5), text, anchor="middle", colour=colour)


def _extent(
    layout: _PermutationTreeLayout, leaves: Sequence[str], *, numbered: bool
) -> tuple[float, float]:
    if layout.downward:
        longest = max(map(word_length, leaves), default=0.0)
        return layout.depth + longest + 40 + _MARGIN, _MARGIN + layout.extent + 6
    return layout.extent + 2 * _MARGIN, layout.depth + (34 if numbered else 16)


def _description(tree: PermutationTree, leaves: Sequence[str], moved: frozenset[int]) -> str:
    told = [f"Words: {' '.join(leaves) or 'none'}."]
    told.append(
        f"Their order in the reference: {' '.join(map(str, tree.permutation.one_based()))}."
    )
    for node in range(len(tree)):
        kind = Kind(int(tree.kind[node]))
        if kind is not Kind.LEAF:
            inside = " ".join(leaves[int(tree.start[node]) : int(tree.end[node])])
            told.append(f"{tree.operator_label(node)} {_KINDS[kind]} of: {inside}.")
    if moved:
        told.append(f"Misplaced: {', '.join(leaves[place] for place in sorted(moved))}.")
    return " ".join(told)
