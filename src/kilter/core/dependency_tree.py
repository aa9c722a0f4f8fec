"""Dependency trees: every word but one hangs from another. [TH]"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = -1
"""The head of a root; words are counted from 0."""
NO_NAME = "_"
"""The label or tag of a word that has none, as CoNLL-U writes it."""
ATTACHED = "dep"
"""The label of a further root that was attached to the first."""
FLAT = "DEP"
"""The label of every word of a flattened sentence."""


@dataclass(frozen=True, slots=True, init=False)
class DependencyTree:
    """Words, the head of each (zero-based, -1 for the root), labels of the edges, and tags.

    The label of a word is that of the edge to its head. Heads may cross one another (non-projective
    trees). A sentence without words is a tree, too. Of several roots all but the first become its
    children, labelled `dep`, with a `KilterWarning`; a cycle is an `InputError`.

    >>> tree = DependencyTree(["cats", "sleep"], [1, -1], labels=["nsubj", "root"])
    >>> tree.root, tree.children(1), tree.depths()
    (1, [0], [1, 0])
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def __init__(
        self,
        words: Iterable[str],
        heads: Iterable[int],
        *,
        labels: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
    ) -> None:
        listed = _strings("words", words)
        unnamed = (NO_NAME,) * len(listed)
        names = unnamed if labels is None else _strings("labels", labels)
        given = _integers(heads)
        marks = unnamed if tags is None else _strings("tags", tags)
        for noun, entries in (("heads", given), ("labels", names), ("tags", marks)):
            if len(entries) != len(listed):
                raise InputError(
                    f"the numbers of words and {noun} are {len(listed)} and {len(entries)}; each word needs one"
                )
        _check(given)
        given, names = _attached(given, names)
        for field, value in (
            ("words", listed),
            ("heads", given),
            ("labels", names),
            ("tags", marks),
        ):
            object.__setattr__(self, field, value)

    @classmethod
    def from_one_based(
        cls,
        words: Iterable[str],
        heads: Iterable[int],
        *,
        labels: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
    ) -> DependencyTree:
        """Return the tree of heads counted from 1, with 0 for the root, as CoNLL-U has them."""
        return cls(words, [head - 1 for head in heads], labels=labels, tags=tags)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def root(self) -> int:
        """The word that hangs from no other; -1 if there are no words."""
        return self.heads.index(ROOT) if self.heads else ROOT

    def children(self, word: int) -> list[int]:
        """Return the words that hang from a word, from left to right."""
        self._check_word(word)
        return [child for child, head in enumerate(self.heads) if head == word]

    def _check_word(self, word: int) -> None:
        if not 0 <= word < len(self):
            raise InputError(
                f"there is no word {word} in a tree of {counted(len(self), 'word')}; they are counted from 0"
            )

    def depths(self) -> list[int]:
        """Return how many edges lie between each word and the root."""
        depth = [-1] * len(self)
        for word in range(len(self)):
            climbed = []
            at = word
            while at != ROOT and depth[at] < 0:
                climbed.append(at)
                at = self.heads[at]
            above = -1 if at == ROOT else depth[at]
            for below, passed in enumerate(reversed(climbed), start=1):
                depth[passed] = above + below
        return depth

    def ancestors(self, word: int) -> list[int]:
        """Return the words above a word, its head first and the root last.

        >>> DependencyTree(["a", "b", "c"], [1, 2, -1]).ancestors(0)
        [1, 2]
        """
        self._check_word(word)
        above = []
        while (word := self.heads[word]) != ROOT:
            above.append(word)
        return above

    def path(self, first: int, second: int) -> tuple[list[int], list[int]]:
        """Return the words whose edges lead up from `first`, and those whose edges lead down to `second`.

        Both in the order of the way. The edge of a word is the one to its head, so that the lowest
        common ancestor, where the way turns, is in neither list.

        >>> DependencyTree(["a", "b", "c", "d"], [1, 2, -1, 2]).path(0, 3)
        ([0, 1], [3])
        """
        above = [first, *self.ancestors(first)]
        down = [second, *self.ancestors(second)]
        common = next(word for word in above if word in down)
        return above[: above.index(common)], down[: down.index(common)][::-1]

    def subtree(self, word: int) -> list[int]:
        """Return a word and everything below it, from left to right."""
        inside = [False] * len(self)
        inside[word] = True
        waiting = [word]
        below: list[list[int]] = [[] for _ in self.words]
        for child, head in enumerate(self.heads):
            if head != ROOT:
                below[head].append(child)
        while waiting:
            for child in below[waiting.pop()]:
                inside[child] = True
                waiting.append(child)
        return [place for place, is_inside in enumerate(inside) if is_inside]

    @property
    def is_projective(self) -> bool:
        """Whether every word's subtree is a run of neighbouring words."""
        depths = self.depths()
        low, high = list(range(len(self))), list(range(len(self)))
        size = [1] * len(self)
        for word in sorted(range(len(self)), key=lambda place: -depths[place]):
            head = self.heads[word]
            if high[word] - low[word] + 1 != size[word]:
                return False
            if head != ROOT:
                low[head], high[head] = min(low[head], low[word]), max(high[head], high[word])
                size[head] += size[word]
        return True

    def draw(self) -> str:
        """Return a drawing of the tree for a terminal: a row for each word, joined with its head.

        >>> print(DependencyTree(["cats", "sleep"], [1, -1], labels=["nsubj", "root"]).draw())
         ┌── nsubj  cats
        ─●── root   sleep
        """
        return draw(self)

    def flattened(self) -> DependencyTree:
        """Return the sentence as a chain: each word hangs from the one before it, labelled `DEP`.

        >>> DependencyTree(["a", "b", "c"], [1, -1, 1]).flattened().heads
        (-1, 0, 1)
        """
        chain = range(-1, len(self) - 1)
        return DependencyTree(self.words, chain, labels=[FLAT] * len(self), tags=self.tags)


def cycle_of(heads: Sequence[int]) -> list[int]:
    """Return the words of the first cycle among heads, its leftmost word first; none is []."""
    seen = [0] * len(heads)
    for start in range(len(heads)):
        at = start
        while at != ROOT and not seen[at]:
            seen[at] = start + 1
            at = heads[at]
        if at != ROOT and seen[at] == start + 1:
            cycle = [at]
            while heads[cycle[-1]] != at:
                cycle.append(heads[cycle[-1]])
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
    return []


def _strings(noun: str, values: Iterable[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise InputError(f"{noun} are one string; give a list of strings")
    listed = tuple(values)
    for value in listed:
        if not isinstance(value, str):
            raise InputError(f"{noun} hold {value!r}, which is no string")
    return listed


def _integers(values: Iterable[int]) -> tuple[int, ...]:
    try:
        return tuple(index(value) for value in values)
    except TypeError:
        raise InputError("heads are whole numbers; the head of a root is -1") from None


def _check(heads: tuple[int, ...]) -> None:
    for word, head in enumerate(heads):
        if not ROOT <= head < len(heads):
            raise InputError(
                f"the head of word {word} is {head}; heads of {counted(len(heads), 'word')} lie between 0 and "
                f"{len(heads) - 1}, and -1 is the root"
            )
    cycle = cycle_of(heads)
    if cycle:
        raise InputError(
            f"words {' -> '.join(map(str, [*cycle, cycle[0]]))} hang from one another in a cycle; "
            "every word must lead to a root"
        )


def _attached(
    heads: tuple[int, ...], labels: tuple[str, ...]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return heads and labels with every further root below the first."""
    roots = [word for word, head in enumerate(heads) if head == ROOT]
    if len(roots) < 2:
        return heads, labels
    first, *others = roots
    warnings.warn(
        f"words {', '.join(map(str, roots))} are roots; all but {first} were attached to it with "
        f"label {ATTACHED}",
        KilterWarning,
        stacklevel=3,
    )
    attached, named = list(heads), list(labels)
    for word in others:
        attached[word], named[word] = first, ATTACHED
    return tuple(attached), tuple(named)


_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = {
    0: " ",
    _UP: "│", _DOWN: "│", _UP | _DOWN: "│",
    _LEFT: "─", _RIGHT: "─", _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "┌", _UP | _RIGHT: "└", _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}  # fmt: skip
_HEAD = "●"


def draw(tree: DependencyTree) -> str:
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
        start = 0 if head == ROOT else columns[head]
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


def _columns(tree: DependencyTree) -> dict[int, int]:
    """Return a column for every head: right of its own head's, and no two lines in one place."""
    columns: dict[int, int] = {}
    depths = tree.depths()
    heads = sorted({head for head in tree.heads if head != ROOT}, key=lambda head: depths[head])
    taken: list[tuple[int, int, int]] = []
    for head in heads:
        above = tree.heads[head]
        column = 1 if above == ROOT else columns[above] + 2
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
