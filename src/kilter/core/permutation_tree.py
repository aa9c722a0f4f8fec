"""Permutation trees: how a permutation is put together from sub-permutations. [PC] [PEF]"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import comb, nan, prod
from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.permutation_batch import Branching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.permutation import Permutation

# Up to here Catalan numbers are computed one by one and kept; beyond, from their prime factors.
_LARGEST_KEPT = 2048
# Python refuses to print integers beyond 4300 digits; 4 ** 7000 has 4215.
_PRINTABLE_WIDTH = 7000


def tree_count(widths: Iterable[int]) -> int:
    """Return the product of Catalan(width - 1): the trees of linear nodes of these widths.

    >>> tree_count([4, 3])
    10
    """
    listed = list(widths)
    if max(listed, default=0) <= _LARGEST_KEPT:
        return prod(map(_catalan, listed))
    return prod(int(p) ** int(e) for p, e in _prime_powers(listed))


def tree_count_digits(widths: Iterable[int]) -> str:
    """Return the same number in decimal digits, however long it is.

    Python's own conversion to digits takes quadratic time and stops at 4300 digits; the product in
    decimal arithmetic does neither.
    """
    listed = list(widths)
    if sum(listed) <= _PRINTABLE_WIDTH:
        return str(tree_count(listed))
    with decimal.localcontext() as context:
        context.prec = decimal.MAX_PREC
        context.Emax = decimal.MAX_EMAX
        context.Emin = decimal.MIN_EMIN
        factors = [decimal.Decimal(int(p)) ** int(e) for p, e in _prime_powers(listed)]
        while len(factors) > 1:  # pairwise, so that the factors stay of equal size
            odd = factors[-1:] if len(factors) % 2 else []
            pairs = zip(factors[::2], factors[1::2], strict=False)
            factors = [a * b for a, b in pairs] + odd
        return f"{factors[0]:f}" if factors else "1"


@cache
def _catalan(width: int) -> int:
    return comb(2 * width - 2, width - 1) // width


def _prime_powers(widths: list[int]) -> list[tuple[int, int]]:
    """Return the prime factors of the product with their exponents, by Legendre's formula."""
    counts = np.unique(np.asarray(widths, dtype=np.int64), return_counts=True)
    primes = _primes_below(2 * max(widths))
    exponents = np.zeros(len(primes), dtype=np.int64)
    for width, times in zip(*(column.tolist() for column in counts), strict=True):
        # Catalan(width - 1) = (2 width - 2)! / ((width - 1)! width!)
        top = _factorial_exponents(2 * width - 2, primes)
        below = _factorial_exponents(width - 1, primes) + _factorial_exponents(width, primes)
        exponents += times * (top - below)
    used = np.flatnonzero(exponents)
    return list(zip(primes[used].tolist(), exponents[used].tolist(), strict=True))


def _primes_below(limit: int) -> NDArray[np.int64]:
    sieve = np.ones(limit, dtype=np.bool_)
    sieve[:2] = False
    for number in range(2, int(limit**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve).astype(np.int64)


def _factorial_exponents(number: int, primes: NDArray[np.int64]) -> NDArray[np.int64]:
    exponents = np.zeros(len(primes), dtype=np.int64)
    quotient = np.full(len(primes), number, dtype=np.int64)
    while (quotient := quotient // primes).any():
        exponents += quotient
    return exponents


Operator = tuple[int, ...]


class Kind(IntEnum):
    """What a node does with its children."""

    LEAF = 0
    MONOTONE = 1
    INVERTED = 2
    PRIME = 3


@dataclass(frozen=True, slots=True)
class PermutationTreeNode:
    """One node: the elements `start` to `end` (half-open), whose least value is `low` (zero-based)."""

    kind: Kind
    start: int
    end: int
    low: int
    operator: Operator
    """The order of the children by value, one-based; empty for a leaf."""
    children: int
    index: int
    """Its place in preorder."""
    depth: int

    @property
    def merged(self) -> int:
        """How many binary nodes a linear node of a flattened tree stands for."""
        return self.children - 1 if self.kind in (Kind.MONOTONE, Kind.INVERTED) else 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PermutationTree:
    """A tree in preorder; flattened unless it came from `binary`.

    In the flattened tree, chains of binary nodes with the same operator are one node; it is unique.
    Arrays have one entry per node: `next` is the entry after a node's subtree.

    >>> from kilter import Permutation
    >>> tree = Permutation.from_one_based([2, 4, 5, 6, 1, 3]).tree()
    >>> tree.node_count, tree.longest_operator, tree.tree_count()
    (3, 4, 2)
    """

    permutation: Permutation
    kind: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    low: NDArray[np.int32]
    children: NDArray[np.int32]
    parent: NDArray[np.int32]
    next: NDArray[np.int32]

    @classmethod
    def of(cls, permutation: Permutation) -> PermutationTree:
        """Return the flattened tree, in linear time."""
        return cls(permutation, *_core.tree(permutation.values))

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"PermutationTree({counted(len(self.permutation), 'element')}, {counted(len(self), 'node')} with leaves)"

    @property
    def node_count(self) -> int:
        """The number of inner nodes of any (binary) permutation tree."""
        return int(self._merged().sum())

    @property
    def longest_operator(self) -> int:
        """The length of the longest operator; 0 for fewer than two elements."""
        longest = int(self.children[self.kind == Kind.PRIME].max(initial=0))
        return max(longest, 2) if len(self.permutation) > 1 else 0

    @property
    def average_operator_length(self) -> float:
        """The mean length of the operators, a complexity: higher is worse; 0 for a single element."""
        nodes = self.node_count
        return (len(self.permutation) - 1 + nodes) / nodes if nodes else 0.0

    @property
    def arity(self) -> int:
        """The length of the root's operator; 1 for a single element, 0 for none."""
        if len(self) <= 1:
            return len(self)
        return int(self.children[0]) if self.kind[0] == Kind.PRIME else 2

    def tree_count(self) -> int:
        """Return the exact number of permutation trees, the product of Catalan(children - 1)."""
        if len(self.permutation) == 0:
            return 0
        return tree_count(_core.linear_widths(self.permutation.values).tolist())

    def log_tree_count(self) -> float:
        """Return the natural logarithm of the number of permutation trees."""
        return _core.log_tree_count(self.permutation.values)

    def operators(self) -> list[Operator]:
        """Return the operators of any permutation tree, sorted: all trees share them."""
        listed: list[Operator] = []
        for node in self.nodes():
            if node.kind is Kind.PRIME:
                listed.append(node.operator)
            elif node.kind is not Kind.LEAF:
                listed.extend([(1, 2) if node.kind is Kind.MONOTONE else (2, 1)] * node.merged)
        return sorted(listed)

    def nodes(self) -> Iterator[PermutationTreeNode]:
        """Yield the nodes in preorder, leaves included."""
        depths = self.depths()
        columns = (self.kind, self.start, self.end, self.low, self.children)
        for index, (kind, start, end, low, children) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            operator = self.operator(index) if children else ()
            depth = int(depths[index])
            yield PermutationTreeNode(Kind(kind), start, end, low, operator, children, index, depth)

    def depths(self) -> NDArray[np.int32]:
        """Return the number of ancestors of each node."""
        depths = np.zeros(len(self), dtype=np.int32)
        for index, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                depths[index] = depths[parent] + 1
        return depths

    def child_indices(self, index: int) -> list[int]:
        """Return where the children of a node stand in preorder."""
        listed: list[int] = []
        child = index + 1
        for _ in range(int(self.children[index])):
            listed.append(child)
            child = int(self.next[child])
        return listed

    def operator(self, index: int) -> Operator:
        """Return the one-based order of a node's children by value."""
        lows = self.low[self.child_indices(index)]
        ranks = np.empty(len(lows), dtype=np.int64)
        ranks[np.argsort(lows)] = np.arange(1, len(lows) + 1)
        return tuple(ranks.tolist())

    def operator_label(self, index: int) -> str:
        """Return a node's operator, short: 12, 21, 2413; with commas from ten children on.

        A linear node of a flattened tree that stands for several binary ones says for how many: 3x21.
        """
        if self.kind[index] in (Kind.MONOTONE, Kind.INVERTED):
            merged = int(self.children[index]) - 1
            linear = "12" if self.kind[index] == Kind.MONOTONE else "21"
            return f"{merged}x{linear}" if merged > 1 else linear
        operator = self.operator(index)
        return ("" if len(operator) < 10 else ",").join(map(str, operator))

    def binary(self, branching: Branching | str = Branching.LEFT) -> PermutationTree:
        """Return the permutation tree whose linear nodes are split into binary ones.

        Left-branching is what a shift-reduce parser from left to right builds, and the canonical
        tree of PETscore.
        """
        builder = _PermutationTreeWriter(self)
        builder.write(Branching(branching))
        return builder.tree()

    def draw(self) -> str:
        """Return a drawing of the tree over the permutation diagram, for a terminal."""
        return draw(self)

    def score(
        self,
        operator_score: Callable[[Operator], float],
        *,
        beta: float = 0.6,
        branching: Branching | str = Branching.LEFT,
    ) -> tuple[float, float]:
        """Return (PEFscore, PETscore) with any score of operators, a function to 0..1.

        >>> from kilter import Permutation
        >>> tree = Permutation.from_one_based([2, 4, 1, 3]).tree()
        >>> tree.score(lambda operator: 0.5 if len(operator) > 2 else 1.0)
        (0.5, 0.5)
        """
        if not 0.0 <= beta <= 1.0:
            raise OptionError(f"beta is {beta!r}; it must be a number between 0 and 1")
        if len(self) == 0:
            return 0.0, 0.0
        scores = np.zeros(len(self))
        linear = {Kind.MONOTONE: (1, 2), Kind.INVERTED: (2, 1)}
        for node in self.nodes():
            if node.kind is Kind.LEAF:
                continue
            operator = linear.get(node.kind, node.operator)
            scores[node.index] = _checked_score(operator_score(operator), operator)
        right = Branching(branching) is Branching.RIGHT
        return _core.score_with_operators(self.permutation.values, scores, beta, right)

    def _merged(self) -> NDArray[np.int64]:
        linear = (self.kind == Kind.MONOTONE) | (self.kind == Kind.INVERTED)
        merged = np.where(linear, self.children - 1, self.kind == Kind.PRIME)
        return merged.astype(np.int64)


def _checked_score(score: object, operator: Operator) -> float:
    try:
        found = float(score) if isinstance(score, SupportsFloat | SupportsIndex) else nan
    except (
        TypeError,
        OverflowError,
    ):  # an array of several numbers; one beyond all of the machine's
        found = nan
    if not 0.0 <= found <= 1.0:
        raise OptionError(
            f"operator_score gives {score!r:.80} for the operator {operator}; it must give a number from 0 to 1"
        )
    return found


class _PermutationTreeWriter:
    """Copies a flattened tree in preorder, splitting linear nodes; no recursion at any depth."""

    def __init__(self, source: PermutationTree) -> None:
        self.source = source
        self.rows: list[tuple[int, int, int, int, int, int]] = []

    def write(self, branching: Branching) -> None:
        source = self.source
        # A task is a range of siblings to join with the kind of their parent, and the row above.
        tasks: list[tuple[list[int], int, int, int, int]] = []
        if len(source):
            tasks.append(([0], 0, 1, int(Kind.LEAF), -1))
        while tasks:
            siblings, first, end, kind, parent = tasks.pop()
            if end - first > 1:
                row = self._add(kind, siblings[first], siblings[end - 1], 2, parent)
                cut = end - 1 if branching is Branching.LEFT else first + 1
                tasks.append((siblings, cut, end, kind, row))
                tasks.append((siblings, first, cut, kind, row))
                continue
            index = siblings[first]
            own_kind = int(source.kind[index])
            children = source.child_indices(index)
            if own_kind in (Kind.MONOTONE, Kind.INVERTED):
                tasks.append((children, 0, len(children), own_kind, parent))
                continue
            row = self._add(own_kind, index, index, len(children), parent)
            tasks.extend(
                (children, place, place + 1, int(Kind.LEAF), row)
                for place in reversed(range(len(children)))
            )

    def _add(self, kind: int, first: int, last: int, children: int, parent: int) -> int:
        source = self.source
        low = min(int(source.low[first]), int(source.low[last]))
        self.rows.append(
            (kind, int(source.start[first]), int(source.end[last]), low, children, parent)
        )
        return len(self.rows) - 1

    def tree(self) -> PermutationTree:
        columns = np.array(self.rows, dtype=np.int32).reshape(-1, 6).T
        kind, start, end, low, children, parent = (np.ascontiguousarray(c) for c in columns)
        following = np.arange(1, len(kind) + 1, dtype=np.int32)
        for index in range(len(kind) - 1, 0, -1):
            above = parent[index]
            following[above] = max(following[above], following[index])
        return PermutationTree(
            self.source.permutation, kind, start, end, low, children, parent, following
        )


# Wider than this, a picture no longer fits a screen and an outline reads better.
_WIDEST_PICTURE = 40


def draw(tree: PermutationTree) -> str:
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


def outline(tree: PermutationTree, words: Sequence[str] = ()) -> str:
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


def _column_width(tree: PermutationTree) -> int:
    """Return the width of a leaf's column: room for its value and for the operators above."""
    digits = len(str(len(tree.permutation)))
    widest = digits + 1
    for index in range(len(tree)):
        if tree.children[index]:
            span = int(tree.end[index] - tree.start[index])
            widest = max(widest, -(-(len(tree.operator_label(index)) + 1) // span))
    return widest


def _picture(tree: PermutationTree) -> list[str]:
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


def _diagram(tree: PermutationTree) -> list[str]:
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
