"""A permutation tree drawn in characters, over the diagram of its permutation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

# Wider than this, a picture no longer fits a screen and an outline reads better.
_WIDEST_PICTURE = 40


class DrawnValues(Protocol):
    """The values of a permutation."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[int]: ...


class DrawnPermutationTree(Protocol):
    """What a drawing asks of a permutation tree: nodes by index, the root first."""

    @property
    def permutation(self) -> DrawnValues:
        """The zero-based values under the tree."""

    @property
    def start(self) -> NDArray[np.int32]:
        """The first position of each node."""

    @property
    def end(self) -> NDArray[np.int32]:
        """The position after the last of each node."""

    @property
    def low(self) -> NDArray[np.int32]:
        """The least value of each node."""

    @property
    def children(self) -> NDArray[np.int32]:
        """The number of children of each node; 0 for a leaf."""

    def __len__(self) -> int: ...

    def child_indices(self, index: int) -> list[int]:
        """Return the children of a node, from left to right."""

    def operator_label(self, index: int) -> str:
        """Return a node's operator, short."""


def draw(tree: DrawnPermutationTree) -> str:
    """Return the tree above, the permutation diagram below; an outline beyond 40 elements.

    A node shows its operator without commas where digits suffice (2413), a merged linear node how many
    binary ones it stands for (3x12 or 3x21). In the diagram columns are positions and rows are values.
    """
    length = len(tree.permutation)
    if length == 0:
        return "(empty permutation)"
    if length > _WIDEST_PICTURE:
        return outline(tree)
    return "\n".join([*_picture(tree), "", *_diagram(tree)])


def outline(tree: DrawnPermutationTree, words: Sequence[str] = ()) -> str:
    """Return one line per node, indented by depth; runs of leaves share a line.

    With words, one for each value, a leaf is its word and its value.
    """

    def leaf(node: int) -> str:
        value = str(int(tree.low[node]) + 1)
        return f"{words[int(tree.start[node])]} {value}" if words else value

    separator = ", " if words else " "
    lines: list[str] = []
    # A task is (node, the prefix of its line, the prefix of its children's lines).
    tasks: list[tuple[list[int], str, str]] = [([0], "", "")]
    while tasks:
        nodes, prefix, below = tasks.pop()
        if not tree.children[nodes[0]]:
            lines.append(prefix + separator.join(map(leaf, nodes)))
            continue
        node = nodes[0]
        span = f"{int(tree.start[node]) + 1}-{int(tree.end[node])}"
        lines.append(f"{prefix}{tree.operator_label(node)} {span}")
        groups: list[list[int]] = []
        for child in tree.child_indices(node):
            if not tree.children[child] and groups and not tree.children[groups[-1][0]]:
                groups[-1].append(child)
            else:
                groups.append([child])
        for place, group in reversed(list(enumerate(groups))):
            last = place == len(groups) - 1
            tasks.append(
                (
                    group,
                    below + ("└─ " if last else "├─ "),
                    below + ("   " if last else "│  "),
                )
            )
    return "\n".join(lines)


def _column_width(tree: DrawnPermutationTree) -> int:
    """Return the width of a leaf's column: room for its value and for the operators above."""
    digits = len(str(len(tree.permutation)))
    widest = digits + 1
    for index in range(len(tree)):
        if tree.children[index]:
            span = int(tree.end[index] - tree.start[index])
            widest = max(widest, -(-(len(tree.operator_label(index)) + 1) // span))
    return widest


def _picture(tree: DrawnPermutationTree) -> list[str]:
    width = _column_width(tree)
    size = len(tree)
    centre = [0] * size
    level = [0] * size  # leaves are level 0, the root is the highest
    for index in range(size - 1, -1, -1):
        children = tree.child_indices(index)
        if not children:
            centre[index] = int(tree.start[index]) * width + width // 2
            continue
        centre[index] = (centre[children[0]] + centre[children[-1]]) // 2
        level[index] = 1 + max(level[child] for child in children)
    margin = len(str(len(tree.permutation))) + 3
    columns = margin + len(tree.permutation) * width + 1
    rows = [[" "] * columns for _ in range(2 * level[0] + 1)]

    def put(row: int, column: int, text: str) -> None:
        for offset, character in enumerate(text):
            rows[row][margin + column + offset] = character

    for index in range(size):
        row = 2 * (level[0] - level[index])
        text = tree.operator_label(index) if tree.children[index] else str(int(tree.low[index]) + 1)
        children = tree.child_indices(index)
        if children:
            first, last = centre[children[0]], centre[children[-1]]
            for column in range(first, last + 1):
                put(row + 1, column, "─")
            for child in children:
                put(row + 1, centre[child], "┬")
                for between in range(row + 2, 2 * (level[0] - level[child])):
                    put(between, centre[child], "│")
            put(row + 1, first, "┌")
            put(row + 1, last, "┐")
            met = "┼" if centre[index] in [centre[c] for c in children[1:-1]] else "┴"
            put(row + 1, centre[index], met)
        put(row, centre[index] - (len(text) - 1) // 2, text)
    return ["".join(row).rstrip() for row in rows]


def _diagram(tree: DrawnPermutationTree) -> list[str]:
    width = _column_width(tree)
    length = len(tree.permutation)
    digits = len(str(length))
    inverse = {value: place for place, value in enumerate(tree.permutation)}
    lines = []
    for value in range(length - 1, -1, -1):
        cells = ["·"] * length
        cells[inverse[value]] = "●"
        row = "".join(cell.rjust(width // 2 + 1).ljust(width) for cell in cells)
        lines.append(f"{value + 1:>{digits}} │ {row}".rstrip())
    return lines
