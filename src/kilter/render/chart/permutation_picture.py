"""A permutation tree over its permutation diagram, as SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from kilter.core.permutation_tree import Kind

if TYPE_CHECKING:
    from kilter.core.permutation_tree import PermutationTree

_CELL = 28
_LEVEL = 44
_MARGIN = 24
# Okabe-Ito: distinguishable for colour-blind readers; kinds also differ in their labels.
_COLOURS = {Kind.MONOTONE: "#0072b2", Kind.INVERTED: "#d55e00", Kind.PRIME: "#6a3d9a"}
_STYLE = (
    "text{font-family:sans-serif;font-size:13px;text-anchor:middle;fill:#222}"
    ".edge{stroke:#888;stroke-width:1.2}.grid{stroke:#ddd;stroke-width:1}"
    ".block{fill-opacity:.08;stroke-width:1.2;stroke-opacity:.6}"
)


def permutation_svg(tree: PermutationTree) -> str:
    """Return one picture: the tree above, every node's block and the words as dots below.

    Blue nodes keep the order of their parts, orange ones invert it, violet ones are prime.
    """
    length = len(tree.permutation)
    centre, level = _layout(tree)
    top = _MARGIN
    leaves_y = top + (max(level, default=0)) * _LEVEL
    grid_y = leaves_y + _LEVEL
    width = 2 * _MARGIN + max(length, 1) * _CELL
    height = grid_y + max(length, 1) * _CELL + _MARGIN
    values = " ".join(map(str, tree.permutation.one_based()))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">'
        ),
        f'<title id="title">Permutation tree of {escape(values) or "no words"}</title>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_grid(length, grid_y),
    ]

    def y(index: int) -> int:
        return leaves_y - level[index] * _LEVEL

    for index in range(len(tree)):
        kind = Kind(int(tree.kind[index]))
        if kind is not Kind.LEAF:
            parts.append(_block(tree, index, grid_y, _COLOURS[kind]))
        parent = int(tree.parent[index])
        if parent >= 0:
            parts.append(
                f'<line class="edge" x1="{centre[parent]:g}" y1="{y(parent) + 6}" '
                f'x2="{centre[index]:g}" y2="{y(index) - 12}"/>'
            )
    for index in range(len(tree)):
        kind = Kind(int(tree.kind[index]))
        colour = "#222" if kind is Kind.LEAF else _COLOURS[kind]
        text = str(int(tree.low[index]) + 1) if kind is Kind.LEAF else tree.operator_label(index)
        parts.append(
            f'<text x="{centre[index]:g}" y="{y(index) + 4}" style="fill:{colour}">{text}</text>'
        )
        if kind is Kind.LEAF:
            row = length - 1 - int(tree.low[index])
            cy = grid_y + row * _CELL + _CELL / 2
            parts.append(f'<circle cx="{centre[index]:g}" cy="{cy:g}" r="5" fill="#222"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _layout(tree: PermutationTree) -> tuple[list[float], list[int]]:
    centre = [0.0] * len(tree)
    level = [0] * len(tree)
    for index in range(len(tree) - 1, -1, -1):
        children = tree.child_indices(index)
        if children:
            centre[index] = (centre[children[0]] + centre[children[-1]]) / 2
            level[index] = 1 + max(level[child] for child in children)
        else:
            centre[index] = _MARGIN + int(tree.start[index]) * _CELL + _CELL / 2
    return centre, level


def _grid(length: int, top: int) -> list[str]:
    left, right = _MARGIN, _MARGIN + length * _CELL
    bottom = top + length * _CELL
    lines = []
    for step in range(length + 1):
        at_y, at_x = top + step * _CELL, left + step * _CELL
        lines.append(f'<line class="grid" x1="{left}" y1="{at_y}" x2="{right}" y2="{at_y}"/>')
        lines.append(f'<line class="grid" x1="{at_x}" y1="{top}" x2="{at_x}" y2="{bottom}"/>')
    return lines


def _block(tree: PermutationTree, index: int, top: int, colour: str) -> str:
    start, end, low = (int(c[index]) for c in (tree.start, tree.end, tree.low))
    size = (end - start) * _CELL
    x = _MARGIN + start * _CELL
    y = top + (len(tree.permutation) - (low + end - start)) * _CELL
    return (
        f'<rect class="block" x="{x}" y="{y}" width="{size}" height="{size}" '
        f'fill="{colour}" stroke="{colour}"/>'
    )
