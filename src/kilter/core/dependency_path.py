"""Paths between linked words in two trees, compared along a spanning tree. [TH] chapter 5"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.dependency_tree_pairs import DependencyTreePairs
from kilter.core.errors import InputError
from kilter.core.link_batch import LinkBatch
from kilter.core.token_column import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.link import Link


class PathKind(IntEnum):
    """What is compared.

    Labels of paths, their lengths, positions in flattened sentences, or positions along the shortest
    paths of the reference's tree.
    """

    LABELS = 0
    STRUCTURE = 1
    FLAT = 2
    REFERENCE = 3


@dataclass(frozen=True, slots=True, eq=False)
class PathDisparities:
    """One row per comparison: the sums of L and of L_max over the spanning tree."""

    rows: NDArray[np.int64]
    pairs: DependencyTreePairs | None = None
    """Which trees were compared; None for flattened sentences, one comparison per segment."""

    def scores(self) -> NDArray[np.float64]:
        """Return 1 - sum L / sum L_max of each comparison; 1 where nothing is compared."""
        shares = np.ones(len(self.rows))
        cost, most = self.rows[:, 0], self.rows[:, 1]
        np.divide(most - cost, most, out=shares, where=most > 0)
        return shares

    def best(self) -> NDArray[np.float64]:
        """Return the best score of each segment over its parses."""
        return self.scores() if self.pairs is None else self.pairs.best(self.scores())


def path_disparities(
    first: DependencyTreeColumn,
    second: DependencyTreeColumn,
    links: LinkBatch,
    *,
    labels: bool = True,
    jobs: int = 1,
) -> PathDisparities:
    """Return the sums for all parses of every segment; links are (hypothesis, reference)."""
    pairs = DependencyTreePairs.of(first, second)
    rows = _core.path_disparities(
        first.heads,
        first.labels,
        first.offsets,
        second.heads,
        second.labels_in(first.vocabulary),
        second.offsets,
        pairs.firsts,
        pairs.seconds,
        pairs.segments,
        links.links,
        links.offsets,
        labels,
        jobs,
    )
    return _checked(PathDisparities(rows, pairs), links)


def flat_path_disparities(links: LinkBatch, *, jobs: int = 1) -> PathDisparities:
    """Return the sums for flattened sentences, for which the links say it all."""
    rows = _core.flat_path_disparities(links.links, links.offsets, jobs)
    return _checked(PathDisparities(rows), links)


def reference_disparities(
    reference: DependencyTreeColumn, lengths: NDArray[np.int64], links: LinkBatch, *, jobs: int = 1
) -> PathDisparities:
    """Return the sums for positions along the paths of references; `lengths` are those of hypotheses."""
    pairs = DependencyTreePairs.single(reference)
    rows = _core.reference_disparities(
        reference.heads,
        reference.offsets,
        pairs.seconds,
        pairs.segments,
        lengths[pairs.segments],
        links.links,
        links.offsets,
        jobs,
    )
    return _checked(PathDisparities(rows, pairs), links)


def _checked(found: PathDisparities, links: LinkBatch) -> PathDisparities:
    beyond = np.flatnonzero(found.rows[:, 0] < 0)
    if beyond.size:
        place = int(beyond[0])
        segment = place if found.pairs is None else int(found.pairs.segments[place])
        raise InputError(
            f"{links.counts[segment]} links are too many, or their trees too deep, to compare all paths; "
            "split the segment, or leave derp out",
            where=f"segment {segment + 1}",
        )
    return found


@dataclass(frozen=True, slots=True)
class PathEncoding:
    """A path between two words: labels of the edges up, the direction, labels of the edges down."""

    up: tuple[str, ...]
    left_to_right: bool
    """Whether the first word stands left of the second."""
    down: tuple[str, ...]

    @classmethod
    def of(cls, tree: DependencyTree, first: int, second: int) -> PathEncoding:
        """Return the path of a tree between two different words.

        >>> from kilter.core.dependency_tree import DependencyTree
        >>> tree = DependencyTree(["a", "b", "c"], [1, -1, 1], labels=["x", "root", "y"])
        >>> PathEncoding.of(tree, 2, 0)
        PathEncoding(up=('y',), left_to_right=False, down=('x',))
        """
        up, down = tree.path(first, second)
        return cls(
            tuple(tree.labels[word] for word in up),
            first < second,
            tuple(tree.labels[word] for word in down),
        )


@dataclass(frozen=True, slots=True)
class PathPair:
    """Two reference words, their partners in the hypothesis, and how much the paths between them differ.

    Words that share a partner are joined without a path: then `cost` and `most` are 0.
    """

    reference: tuple[int, int]
    hypothesis: tuple[int, int]
    cost: int
    """L: edits of the labels up and down, and 1 if the direction differs."""
    most: int
    """L_max: what L could be at most."""
    reference_path: PathEncoding | None
    hypothesis_path: PathEncoding | None


def path_tree(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Iterable[Link],
    *,
    kind: PathKind = PathKind.LABELS,
) -> list[PathPair]:
    """Return the edges of the spanning tree: shared partners first, then the cheapest pairs.

    Ties go to the smaller L_max, then to the smaller positions: reference words, then partners.
    """
    batch = LinkBatch.of([links])
    batch.check(np.array([len(hypothesis)]), np.array([len(reference)]))
    vocabulary = Vocabulary()
    one, other = (
        DependencyTreeColumn.of([tree], vocabulary=vocabulary) for tree in (hypothesis, reference)
    )
    edges = _core.path_edges(
        one.heads, one.labels, other.heads, other.labels, batch.links, int(kind)
    )
    trees = (hypothesis, reference)
    if kind in (PathKind.FLAT, PathKind.REFERENCE):
        trees = hypothesis.flattened(), reference.flattened()
    return [_pair(edge, *trees) for edge in edges.tolist()]


def _pair(edge: list[int], hypothesis: DependencyTree, reference: DependencyTree) -> PathPair:
    word, second, partner, other, cost, most = edge
    apart = word != second and partner != other
    return PathPair(
        (word, second),
        (partner, other),
        cost,
        most,
        PathEncoding.of(reference, word, second) if apart else None,
        PathEncoding.of(hypothesis, partner, other) if apart else None,
    )
