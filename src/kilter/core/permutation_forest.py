"""The permutation forest: all permutation trees of a permutation in one chart. [PC] [PEF]"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.permutation_tree import Kind, Operator, PermutationTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.core.permutation import Permutation

Span = tuple[int, int]
NestedTree = int | tuple[Operator, tuple["NestedTree", ...]]


@dataclass(frozen=True, slots=True)
class ForestEntry:
    """One span of the chart, with the operator that all its inferences share.

    An inference is the tuple of inner fenceposts at which the span is cut. A leaf has no operator and
    no inference.
    """

    span: Span
    operator: Operator
    inferences: tuple[tuple[int, ...], ...]


class PermutationForest:
    """The chart over fenceposts (i, j), read off the flattened tree.

    A linear node with k children has an entry for every run of two or more of them, cut at every inner
    border; a prime node has one entry with one inference. Entries are made when asked for: the
    chart of a long monotone stretch is cubic in size.

    >>> from kilter import Permutation
    >>> forest = Permutation.from_one_based([4, 3, 2, 1]).forest()
    >>> forest[0, 4].inferences
    ((1,), (2,), (3,))
    """

    def __init__(self, permutation: Permutation) -> None:
        self.permutation = permutation
        self.flat = PermutationTree.of(permutation)
        # For every start, the nodes that have a child starting there, innermost first.
        self._owners: list[list[tuple[int, int]]] = [[] for _ in range(len(permutation))]
        self._borders: dict[int, list[int]] = {}
        for index in range(len(self.flat) - 1, -1, -1):
            if self.flat.kind[index] == Kind.LEAF:
                continue
            children = self.flat.child_indices(index)
            borders = [int(self.flat.start[c]) for c in children] + [int(self.flat.end[index])]
            self._borders[index] = borders
            for place, start in enumerate(borders[:-1]):
                self._owners[start].append((index, place))

    def __repr__(self) -> str:
        return f"PermutationForest({counted(len(self.permutation), 'element')}, {counted(self.span_count, 'span')})"

    @property
    def span_count(self) -> int:
        """The number of entries, leaves included."""
        spans = len(self.permutation)
        for index, borders in self._borders.items():
            width = len(borders) - 1
            linear = self.flat.kind[index] != Kind.PRIME
            spans += width * (width - 1) // 2 if linear else 1
        return spans

    @property
    def inference_count(self) -> int:
        """The number of inferences of all entries."""
        inferences = 0
        for index, borders in self._borders.items():
            width = len(borders) - 1
            linear = self.flat.kind[index] != Kind.PRIME
            # sum over runs of m children of m - 1 cuts
            inferences += (width - 1) * width * (width + 1) // 6 if linear else 1
        return inferences

    def __iter__(self) -> Iterator[ForestEntry]:
        """Yield the entries ordered by start, then end."""
        for start in range(len(self.permutation)):
            yield ForestEntry((start, start + 1), (), ())
            for index, place in self._owners[start]:
                yield from self._entries_of(index, place)

    def _entries_of(self, index: int, place: int) -> Iterator[ForestEntry]:
        borders = self._borders[index]
        if self.flat.kind[index] == Kind.PRIME:
            if place == 0:
                operator = self.flat.operator(index)
                yield ForestEntry((borders[0], borders[-1]), operator, (tuple(borders[1:-1]),))
            return
        operator = (1, 2) if self.flat.kind[index] == Kind.MONOTONE else (2, 1)
        for end in range(place + 2, len(borders)):
            cuts = tuple((border,) for border in borders[place + 1 : end])
            yield ForestEntry((borders[place], borders[end]), operator, cuts)

    def __getitem__(self, span: Span) -> ForestEntry:
        start, end = span
        if 0 <= start < len(self.permutation):
            if end == start + 1:
                return ForestEntry((start, end), (), ())
            for index, place in self._owners[start]:
                for entry in self._entries_of(index, place):
                    if entry.span == (start, end):
                        return entry
        raise KeyError(f"no permutation tree has a node over {span}")

    def __contains__(self, span: object) -> bool:
        try:
            self[span]  # type: ignore[index]
        except (KeyError, TypeError, ValueError):
            return False
        return True

    def trees(self, *, limit: int = 100_000) -> Iterator[NestedTree]:
        """Yield every permutation tree: a leaf is its one-based value, a node (operator, children).

        There are as many as `flat.tree_count()`; more than `limit` is an error.
        """
        if len(self.permutation) == 0:
            return
        count = self.flat.tree_count()
        if count > limit:
            raise InputError(
                f"there are {count if count < 10**18 else 'over 10^18'} permutation trees, more "
                f"than the limit of {limit}; raise the limit or use the chart"
            )
        chart: dict[Span, list[NestedTree]] = {}
        for entry in sorted(self, key=lambda e: e.span[1] - e.span[0]):
            start, end = entry.span
            if not entry.operator:
                chart[entry.span] = [self.permutation[start] + 1]
                continue
            chart[entry.span] = [
                (entry.operator, children)
                for cut in entry.inferences
                for children in product(
                    *(chart[part] for part in zip((start, *cut), (*cut, end), strict=True))
                )
            ]
        yield from chart[0, len(self.permutation)]
