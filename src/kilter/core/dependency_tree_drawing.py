"""A dependency tree drawn in characters: words in their order, heads joined with what hangs from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_HEAD = -1
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = {
    0: " ",
    _UP: "│", _DOWN: "│", _UP | _DOWN: "│",
    _LEFT: "─", _RIGHT: "─", _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "┌", _UP | _RIGHT: "└", _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}  # fmt: skip
_HEAD = "●"


class DrawnDependencyTree(Protocol):
    """What a drawing asks of a dependency tree."""

    @property
    def words(self) -> Sequence[str]:
        """The words from left to right."""

    @property
    def heads(self) -> Sequence[int]:
        """The head of each word, -1 for the root."""

    @property
    def labels(self) -> Sequence[str]:
        """The relation of each word to its head."""

    def depths(self) -> list[int]:
        """Return how many edges lie between each word and the root."""


def draw(tree: DrawnDependencyTree) -> str:
    """Return a row for each word: lines to its head, its relation, the word.

    A dot is a head; what hangs from it is joined to its line from the right. Lines that only cross (as in
    trees that are not projective) make a plus sign.
    """
    size = len(tree.words)
    if size == 0:
        return "(no words)"
    columns = _columns(tree)
    width = max(columns.values(), default=0) + 3
    cells = [[0] * width for _ in range(size)]
    for word, head in enumerate(tree.heads):
        start = 0 if head == _NO_HEAD else columns[head]
        for column in range(start, width):
            cells[word][column] |= _RIGHT | (_LEFT if column > start else 0)
    for head, column in columns.items():
        first, last = _reach(tree.heads, head)
        for row in range(first, last + 1):
            cells[row][column] |= (_UP if row > first else 0) | (_DOWN if row < last else 0)
    longest = max(map(len, tree.labels))
    return "\n".join(
        "".join(
            _HEAD if columns.get(row) == column else _LINES[cell]
            for column, cell in enumerate(line)
        )
        + f" {label:<{longest}}  {word}"
        for row, (line, label, word) in enumerate(zip(cells, tree.labels, tree.words, strict=True))
    )


def _columns(tree: DrawnDependencyTree) -> dict[int, int]:
    """Return a column for every head: right of its own head's, and no two lines in one place."""
    columns: dict[int, int] = {}
    depths = tree.depths()
    heads = sorted({head for head in tree.heads if head != _NO_HEAD}, key=lambda head: depths[head])
    taken: list[tuple[int, int, int]] = []
    for head in heads:
        above = tree.heads[head]
        column = 1 if above == _NO_HEAD else columns[above] + 2
        first, last = _reach(tree.heads, head)
        while any(at == column and low <= last and first <= high for at, low, high in taken):
            column += 2
        columns[head] = column
        taken.append((column, first, last))
    return columns


def _reach(heads: Sequence[int], head: int) -> tuple[int, int]:
    """Return the first and last row of a head and what hangs from it."""
    rows = [head, *(word for word, above in enumerate(heads) if above == head)]
    return min(rows), max(rows)
