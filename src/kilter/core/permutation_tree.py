"""Permutation trees: how a permutation is put together from sub-permutations. [PC] [PEF]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import nan
from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex

import numpy as np

from kilter import _core
from kilter.core.branching import Branching
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.permutation_tree_count import tree_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from kilter.core.permutation import Permutation

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
        from kilter.core.permutation_tree_drawing import draw  # noqa: PLC0415 - only when drawing

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
