"""The graph of all paths between linked words, with the tree that is scored. [TH] table 5.1"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.chart.drawing import AXIS, INK, SMALL, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.explanation.error_table import draw_table
from kilter.render.explanation.link_diagram import draw_word, mark_of, word_length

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.core.path_graph import PathEdge, PathEncoding, PathGraph
    from kilter.render.explanation.link_diagram import WordMark

HEADINGS = ("words", "path in the reference", "path in the hypothesis", "L", "L_max", "taken")
_MARGIN = 14.0
_LEAST_RADIUS = 120.0
_MOST_LABELLED = 8
"""Words of a graph whose edges all have their numbers beside them; the table has them of any."""
_TAKEN = "#0060a0"
_KEY = (
    "numbers: L / L_max; thick lines: the spanning tree; "
    "double lines: words that share a partner, at no cost"
)
_Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _EdgeLabel:
    place: _Place
    text: str
    edge: PathEdge

    @property
    def half(self) -> _Place:
        return text_length(self.text, SMALL, bold=True) / 2 + 2, SMALL / 2 + 2

    def touches(self, other: _EdgeLabel) -> bool:
        (x, y), (at, below) = self.place, other.place
        return (
            abs(x - at) < self.half[0] + other.half[0]
            and abs(y - below) < self.half[1] + other.half[1]
        )


def path_graph_picture(
    graph: PathGraph,
    reference: Sequence[str],
    *,
    misplaced: Collection[int] = (),
    title: str = "Paths between linked words",
) -> str:
    """Return graph and table as SVG; `reference` are all words of the reference.

    `misplaced` are those whose partners stand in the wrong place.

    Every two linked words are joined; what the spanning tree takes is thick. Beyond eight words only its edges have
    their numbers in the graph. The table has a row for each edge, and the sums over the tree.
    """
    drawing = Drawing()
    room = max((word_length(reference[word]) for word in graph.nodes), default=40.0)
    radius = _LEAST_RADIUS + 16.0 * max(len(graph.nodes) - 6, 0)
    labels = _labels(graph, radius)
    while _crowded(labels) and radius < 1000:
        radius *= 1.15
        labels = _labels(graph, radius)
    centre = _MARGIN + room + radius, _MARGIN + radius + 24
    places = _circle(graph.nodes, radius)

    def at(place: _Place) -> _Place:
        return centre[0] + place[0], centre[1] + place[1]

    for edge in sorted(_drawn(graph), key=lambda edge: edge.chosen):
        _draw_edge(drawing, edge, at(places[edge.reference[0]]), at(places[edge.reference[1]]))
    for label in labels:
        (x, y), (half, high) = at(label.place), label.half
        drawing.box((x - half, y - high), (2 * half, 2 * high), fill="#fff")
        taken = label.edge.chosen
        colour = _TAKEN if taken else INK
        middle = x, y + SMALL * 0.36
        drawing.text(middle, label.text, size=SMALL, anchor="middle", bold=taken, colour=colour)
    for word in graph.nodes:
        mark = mark_of(word, graph.nodes, misplaced)
        _draw_node(drawing, at(places[word]), places[word], reference[word], mark)
    bottom = centre[1] + radius + 34
    moved = [word for word in graph.nodes if word in misplaced]
    rows_top = bottom + (60 if moved else 40)  # below a key of three lines, or of two
    width = 2 * (_MARGIN + room + radius)
    table_width = _draw_rows(drawing, (_MARGIN, rows_top), graph, reference)
    width = max(width, table_width[0] + 2 * _MARGIN)
    key = f"{_KEY}; bold, underlined words: misplaced in the hypothesis" if moved else _KEY
    drawing.paragraph((_MARGIN, bottom), key, room=width - 2 * _MARGIN, size=SMALL, colour=AXIS)
    return drawing.document(
        width,
        rows_top + table_width[1] + _MARGIN,
        title=title,
        description=_description(graph, reference, moved),
    )


def _circle(nodes: Sequence[int], radius: float) -> dict[int, _Place]:
    """Return the words on a circle, the first at the left, in the order of the reference."""
    turn = 2 * pi / max(len(nodes), 1)
    # A small offset keeps opposite edges from meeting in one point.
    return {
        word: (-radius * cos(turn * place + 0.12), -radius * sin(turn * place + 0.12))
        for place, word in enumerate(nodes)
    }


def _drawn(graph: PathGraph) -> list[PathEdge]:
    """Return the edges between two words of the reference: joins of hypothesis words are in the table."""
    return [edge for edge in graph.edges if edge.reference[0] != edge.reference[1]]


def _labels(graph: PathGraph, radius: float) -> list[_EdgeLabel]:
    """Return the numbers of edges, each moved along its edge to where it touches no other."""
    places = _circle(graph.nodes, radius)
    few = len(graph.nodes) <= _MOST_LABELLED
    labels: list[_EdgeLabel] = []
    for edge in sorted(_drawn(graph), key=lambda edge: not edge.chosen):
        if not few and not edge.chosen:
            continue
        text = f"{edge.cost}/{edge.most}" if not edge.shared else "0"
        (x, y), (to_x, to_y) = (places[word] for word in edge.reference)
        tried = [
            _EdgeLabel((x + (to_x - x) * part, y + (to_y - y) * part), text, edge)
            for part in (0.5, 0.42, 0.58, 0.35, 0.65, 0.29, 0.71, 0.24, 0.76)
        ]
        free = [label for label in tried if not any(map(label.touches, labels))]
        labels.append((free or tried)[0])
    return labels


def _crowded(labels: Sequence[_EdgeLabel]) -> bool:
    return any(
        label.touches(other) for place, label in enumerate(labels) for other in labels[place + 1 :]
    )


def _draw_edge(drawing: Drawing, edge: PathEdge, start: _Place, end: _Place) -> None:
    if edge.shared:
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        aside = -(end[1] - start[1]) / length * 2.5, (end[0] - start[0]) / length * 2.5
        for sign in (-1, 1):
            drawing.line(
                (start[0] + sign * aside[0], start[1] + sign * aside[1]),
                (end[0] + sign * aside[0], end[1] + sign * aside[1]),
                colour=_TAKEN if edge.chosen else "#aaa",
                width=1.6,
            )
    elif edge.chosen:
        drawing.line(start, end, colour=_TAKEN, width=3.5)
    else:
        drawing.line(start, end, colour="#aaa")


def _draw_node(drawing: Drawing, point: _Place, off: _Place, word: str, mark: WordMark) -> None:
    drawing.marker("circle", point, colour=INK, radius=5)
    length = hypot(*off) or 1.0
    x, y = off[0] / length, off[1] / length
    anchor = "middle" if abs(x) < 0.3 else "start" if x > 0 else "end"
    place = point[0] + x * 10, point[1] + y * 14 + 5
    draw_word(drawing, place, word, mark, anchor=anchor)


def path_text(path: PathEncoding | None) -> str:
    """Return a path as [TH] writes it: labels up, the direction, labels down.

    >>> from kilter.core.path_graph import PathEncoding
    >>> path_text(PathEncoding(("DET", "DOBJ"), False, ("NSUBJ",)))
    '(DET DOBJ, left, NSUBJ)'
    """
    if path is None:
        return "-"
    direction = "right" if path.left_to_right else "left"
    return f"({' '.join(path.up) or '-'}, {direction}, {' '.join(path.down) or '-'})"


def edge_cells(edge: PathEdge, reference: Sequence[str]) -> tuple[str, ...]:
    """Return an edge as the texts of its row."""
    first, second = edge.reference
    return (
        f"{reference[first]} - {reference[second]}",
        path_text(edge.reference_path) if not edge.shared else "shared partner",
        path_text(edge.hypothesis_path),
        str(edge.cost),
        str(edge.most),
        "yes" if edge.chosen else "no",
    )


def _draw_rows(
    drawing: Drawing, corner: _Place, graph: PathGraph, reference: Sequence[str]
) -> tuple[float, float]:
    return draw_table(
        drawing,
        corner,
        HEADINGS,
        [edge_cells(edge, reference) for edge in graph.edges],
        [("sum of L over the spanning tree", str(graph.cost)), ("sum of L_max", str(graph.most))],
        heavy=[edge.chosen for edge in graph.edges],
        numbers=frozenset({3, 4}),
        heavy_colour=_TAKEN,
    )


def _description(graph: PathGraph, reference: Sequence[str], moved: Sequence[int]) -> str:
    words = " ".join(reference[word] for word in graph.nodes)
    told = [f"{counted(len(graph.edges), 'edge')} between the words: {words or 'none'}."]
    for edge in graph.edges:
        first, second = (reference[word] for word in edge.reference)
        taken = ", taken" if edge.chosen else ""
        told.append(f"{first} - {second}: {edge.cost} of {edge.most}{taken}.")
    told.append(f"Sums over the spanning tree: {graph.cost} of {graph.most}.")
    if moved:
        told.append(f"Misplaced in the hypothesis: {', '.join(reference[word] for word in moved)}.")
    return " ".join(told)
