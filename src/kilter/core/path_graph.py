"""All paths between linked words of two trees, and those that a spanning tree takes. [TH] table 5.1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.dependency_tree_column import DependencyTreeColumn, DependencyTreePairs
from kilter.core.errors import InputError, SegmentPlace
from kilter.core.links import LinkBatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.links import Link


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
            where=SegmentPlace(segment),
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


_Places = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PathParts:
    """What L is the sum of: edits of the labels up, 1 for another direction, edits of the labels down."""

    up: int
    turned: bool
    down: int


@dataclass(frozen=True, slots=True)
class PathEdge:
    """Two linked words of the reference, their partners, and how much the paths between them differ.

    Words that share a partner are joined without a path: then `cost` and `most` are 0 and there are no
    parts.
    """

    reference: tuple[int, int]
    hypothesis: tuple[int, int]
    reference_path: PathEncoding | None
    hypothesis_path: PathEncoding | None
    parts: PathParts | None
    cost: int
    """L, the sum of its parts."""
    most: int
    """L_max: what L could be at most."""
    chosen: bool
    """Whether the spanning tree takes it."""

    @property
    def places(self) -> _Places:
        """The words and their partners."""
        return self.reference, self.hypothesis

    @property
    def shared(self) -> bool:
        """Whether the words share a partner."""
        return self.parts is None


@dataclass(frozen=True, slots=True)
class PathGraph:
    """An edge for every two linked words of the reference, the cheapest: for n words n (n - 1) / 2.

    In groups of links where words of both sides have several partners, sharing one joins no words; two that
    have no more in common have no edge. Where words of the hypothesis share a partner, a spanning tree
    may also join these, or take other paths than the cheapest; such edges come last, so that the chosen
    ones always are the whole tree.
    """

    kind: PathKind
    edges: tuple[PathEdge, ...]
    nodes: tuple[int, ...]
    """The linked words of the reference, from left to right."""

    @property
    def chosen(self) -> tuple[PathEdge, ...]:
        """The edges of the spanning tree."""
        return tuple(edge for edge in self.edges if edge.chosen)

    @property
    def cost(self) -> int:
        """The sum of L over the spanning tree."""
        return sum(edge.cost for edge in self.chosen)

    @property
    def most(self) -> int:
        """The sum of L_max over the spanning tree."""
        return sum(edge.most for edge in self.chosen)


def path_tree(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Iterable[Link],
    *,
    kind: PathKind = PathKind.LABELS,
) -> list[PathEdge]:
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
        one.heads, one.labels, other.heads, other.labels, batch.links, _core.PathKind[kind.name]
    )
    trees = _followed(hypothesis, reference, kind)
    return [
        _edge(((word, second), (partner, other)), (cost, most), trees, kind=kind, chosen=True)
        for word, second, partner, other, cost, most in edges.tolist()
    ]


def _followed(
    hypothesis: DependencyTree, reference: DependencyTree, kind: PathKind
) -> tuple[DependencyTree, DependencyTree]:
    """Return the trees whose paths are compared."""
    if kind in (PathKind.FLAT, PathKind.REFERENCE):
        return hypothesis.flattened(), reference.flattened()
    return hypothesis, reference


def path_graph(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Iterable[Link],
    *,
    kind: PathKind = PathKind.LABELS,
) -> PathGraph:
    """Return all paths between linked words with their costs; links are (hypothesis, reference).

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> graph = path_graph(told, told, [(0, 0), (1, 1), (2, 2)])
    >>> [(edge.reference, edge.cost, edge.most, edge.chosen) for edge in graph.edges]
    [((0, 1), 0, 2, True), ((0, 2), 0, 3, False), ((1, 2), 0, 2, True)]
    """
    given = LinkBatch.of([links]).segment(0)
    chosen = {edge.places: edge for edge in path_tree(hypothesis, reference, given, kind=kind)}
    trees = _followed(hypothesis, reference, kind)
    found = _cheapest(hypothesis, reference, given, kind)
    edges = []
    for words in sorted(found):
        places, numbers = found[words]
        taken = chosen.pop(places, None)
        edges.append(taken or _edge(places, numbers, trees, kind=kind, chosen=False))
    edges += chosen.values()
    return PathGraph(kind, tuple(edges), tuple(sorted({word for _, word in given})))


def _cheapest(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Sequence[Link],
    kind: PathKind,
) -> dict[tuple[int, int], tuple[_Places, tuple[int, int]]]:
    """Return for every two linked words of the reference the cheapest path and its L and L_max."""
    by_reference = sorted((word, partner) for partner, word in links)
    tangled = set() if kind is PathKind.REFERENCE else _tangled(links)
    pairs = [
        ((n, m), (partner, other))
        for (n, partner), (m, other) in combinations(by_reference, 2)
        if n != m and (partner != other or partner not in tangled)
    ]
    batch = LinkBatch.of(
        [[(partners[0], words[0]), (partners[1], words[1])] for words, partners in pairs]
    )
    best: dict[tuple[int, int], tuple[_Places, tuple[int, int]]] = {}
    for places, numbers in zip(pairs, _numbers(hypothesis, reference, batch, kind), strict=True):
        row = places, (numbers[0], numbers[1])
        words = places[0]
        if words not in best or (row[1], places) < (best[words][1], best[words][0]):
            best[words] = row
    return best


def _tangled(links: Sequence[Link]) -> set[int]:
    """Return the hypothesis words with a partner that has other partners, too.

    Where such a word has several partners, its group of links has several words on both sides.
    """
    partners = Counter(second for _, second in links)
    return {first for first, second in links if partners[second] > 1}


def _numbers(
    hypothesis: DependencyTree, reference: DependencyTree, batch: LinkBatch, kind: PathKind
) -> list[list[int]]:
    """Return L and L_max of segments of two links each, all of the same two trees."""
    vocabulary = Vocabulary()
    one, other = (
        DependencyTreeColumn.of([tree], vocabulary=vocabulary) for tree in (hypothesis, reference)
    )
    same, each = np.zeros(len(batch), dtype=np.int64), np.arange(len(batch))
    links = batch.links, batch.offsets
    if kind is PathKind.FLAT:
        rows = _core.flat_path_disparities(*links, 1)
    elif kind is PathKind.REFERENCE:
        lengths = np.full(len(batch), len(hypothesis))
        rows = _core.reference_disparities(
            other.heads, other.offsets, same, each, lengths, *links, 1
        )
    else:
        trees = one.heads, one.labels, one.offsets, other.heads, other.labels, other.offsets
        labelled = kind is PathKind.LABELS
        rows = _core.path_disparities(*trees, same, same, each, *links, labelled, 1)
    listed: list[list[int]] = rows.tolist()
    return listed


def _edge(
    places: _Places,
    numbers: tuple[int, int],
    trees: tuple[DependencyTree, DependencyTree],
    *,
    kind: PathKind,
    chosen: bool,
) -> PathEdge:
    words, partners = places
    paths = None
    if words[0] != words[1] and partners[0] != partners[1]:
        paths = PathEncoding.of(trees[1], *words), PathEncoding.of(trees[0], *partners)
    return PathEdge(
        words,
        partners,
        paths[0] if paths else None,
        paths[1] if paths else None,
        _parts(*paths, labels=kind is not PathKind.STRUCTURE) if paths else None,
        *numbers,
        chosen,
    )


def _parts(one: PathEncoding, other: PathEncoding, *, labels: bool) -> PathParts:
    turned = one.left_to_right is not other.left_to_right
    if labels:
        return PathParts(_edits(one.up, other.up), turned, _edits(one.down, other.down))
    return PathParts(abs(len(one.up) - len(other.up)), turned, abs(len(one.down) - len(other.down)))


def _edits(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many labels are inserted, deleted or replaced between two sequences."""
    row = list(range(len(other) + 1))
    for place, label in enumerate(one, start=1):
        corner, row[0] = row[0], place
        for column, against in enumerate(other, start=1):
            replaced = corner + (label != against)
            corner = row[column]
            row[column] = min(replaced, corner + 1, row[column - 1] + 1)
    return row[-1]
