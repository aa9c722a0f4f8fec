"""Edits that make one dependency tree of another. [TH] chapter 4"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.dependency_tree_column import DependencyTreePairs
from kilter.core.errors import InputError, SegmentPlace
from kilter.core.links import LinkBatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.links import Link


class EditModel(IntEnum):
    """What operations cost.

    Basic: 1 each. Linked: 1, but nothing between linked words. The others count operations on aligned
    and on other words apart, the former first; a mismatch of two linked words is one operation, or counts
    both words.
    """

    BASIC = 0
    LINKED = 1
    OPERATION = 2
    NODE = 3


@dataclass(frozen=True, slots=True, eq=False)
class EditDistances:
    """One row per comparison, with the numbers of words and of linked words on both sides.

    Columns: distances under BASIC and LINKED, then aligned and unaligned operations under OPERATION and
    under NODE.
    """

    rows: NDArray[np.int64]
    words: NDArray[np.int64]
    linked: NDArray[np.int64]
    pairs: DependencyTreePairs | None = None
    """Which trees were compared; None for flattened sentences, one comparison per segment."""

    def best(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the best score of each segment over its parses."""
        return scores if self.pairs is None else self.pairs.best(scores)


def tree_edit_distances(
    first: DependencyTreeColumn, second: DependencyTreeColumn, links: LinkBatch, *, jobs: int = 1
) -> EditDistances:
    """Return the distances of all parses of every segment; links are (first, second)."""
    pairs = DependencyTreePairs.of(first, second)
    rows = _core.edit_distances(
        first.heads,
        first.offsets,
        second.heads,
        second.offsets,
        pairs.firsts,
        pairs.seconds,
        pairs.segments,
        links.links,
        links.offsets,
        jobs,
    )
    words = np.column_stack([first.lengths, second.lengths])
    _check(rows, words[pairs.segments], pairs.segments)
    linked = links.linked_words(jobs=jobs)
    return EditDistances(rows, words[pairs.segments], linked[pairs.segments], pairs)


def flat_edit_distances(
    first: NDArray[np.int64], second: NDArray[np.int64], links: LinkBatch, *, jobs: int = 1
) -> EditDistances:
    """Return the distances of flattened sentences, which have these numbers of words."""
    rows = _core.flat_edit_distances(first, second, links.links, links.offsets, jobs)
    words = np.column_stack([first, second])
    _check(rows, words, np.arange(len(rows)))
    return EditDistances(rows, words, links.linked_words(jobs=jobs))


def _check(rows: NDArray[np.int64], words: NDArray[np.int64], segments: NDArray[np.int64]) -> None:
    beyond = np.flatnonzero(rows[:, 0] < 0)
    if beyond.size:
        one, other = words[beyond[0]].tolist()
        raise InputError(
            f"trees of {one} and {other} words are too large or too deep to compare by dted; split the segment, "
            "or compare flattened sentences (flat=true)",
            where=SegmentPlace(int(segments[beyond[0]])),
        )


class EditKind(StrEnum):
    """What happens to a word: linked words are matched, others are renamed, deleted or inserted."""

    MATCH = "match"
    RENAME = "rename"
    DELETE = "delete"
    INSERT = "insert"


@dataclass(frozen=True, slots=True)
class EditedWord:
    """A word of one of the trees, as an edit finds it."""

    position: int
    """Zero-based."""
    text: str
    relation: str
    """The label of the edge to its head."""
    head: str | None
    """The word it hangs from; None for the root."""

    @classmethod
    def of(cls, tree: DependencyTree, position: int) -> EditedWord:
        """Return a word of a tree.

        >>> from kilter.core.dependency_tree import DependencyTree
        >>> EditedWord.of(DependencyTree(["cats", "sleep"], [1, -1], labels=["nsubj", "root"]), 0)
        EditedWord(position=0, text='cats', relation='nsubj', head='sleep')
        """
        head = tree.heads[position]
        above = tree.words[head] if head >= 0 else None
        return cls(position, tree.words[position], tree.labels[position], above)


@dataclass(frozen=True, slots=True)
class EditRow:
    """One edit and what it costs: on a word of the hypothesis, of the reference, or on both."""

    kind: EditKind
    hypothesis: EditedWord | None
    reference: EditedWord | None
    cost: int
    aligned: bool
    """Whether a word with a link is touched."""


@dataclass(frozen=True, slots=True)
class EditTable:
    """The edits of one optimal mapping, by hypothesis word; insertions come last."""

    model: EditModel
    rows: tuple[EditRow, ...]
    words: tuple[int, int]
    """The numbers of words of the hypothesis and of the reference."""
    linked: tuple[int, int]
    """How many of them have a link."""

    @property
    def distance(self) -> int:
        """What all edits cost."""
        return sum(row.cost for row in self.rows)

    @property
    def aligned_distance(self) -> int:
        """What edits on words with a link cost: dist_a."""
        return sum(row.cost for row in self.rows if row.aligned)

    @property
    def unaligned_distance(self) -> int:
        """What the other edits cost: dist_na."""
        return self.distance - self.aligned_distance

    @property
    def linked_share(self) -> float:
        """The share of linked words among all: prop; 0 without words."""
        return sum(self.linked) / sum(self.words) if sum(self.words) else 0.0


def can_list_edits(hypothesis: DependencyTree, reference: DependencyTree) -> bool:
    """Return whether trees are small and shallow enough for a list of edits; their distance alone takes less."""
    return _core.mapping_fits(_heads(hypothesis), _heads(reference))


def _heads(tree: DependencyTree) -> NDArray[np.int32]:
    return np.array(tree.heads, dtype=np.int32)


def tree_edits(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Iterable[Link],
    *,
    model: EditModel = EditModel.LINKED,
) -> list[EditRow]:
    """Return the operations of one optimal mapping, by hypothesis word; insertions come last.

    Of several optimal mappings this one is taken: from the end of both postorders, two words are
    joined if some optimal mapping of what is left joins them, else the hypothesis word is deleted if
    some deletes it, else the reference word is inserted.
    """
    batch = LinkBatch.of([links])
    batch.check(np.array([len(hypothesis)]), np.array([len(reference)]))
    if not can_list_edits(hypothesis, reference):
        raise InputError(
            f"trees of {len(hypothesis)} and {len(reference)} words are too large for a list of edits"
        )
    mapping = _core.edit_mapping(
        _heads(hypothesis), _heads(reference), batch.links, _core.EditModel[model.name]
    )
    partners = dict(mapping.tolist())
    given = set(batch.segment(0))
    linked = {first for first, _ in given}, {second for _, second in given}
    left = set(range(len(reference))) - set(partners.values())
    operations: list[tuple[int | None, int | None]] = [
        (word, partners.get(word)) for word in range(len(hypothesis))
    ]
    operations += [(None, word) for word in sorted(left)]
    return [
        _edit(
            *words,
            touched=sum(word in side for word, side in zip(words, linked, strict=True)),
            match=words in given,
            trees=(hypothesis, reference),
            model=model,
        )
        for words in operations
    ]


def _edit(
    first: int | None,
    second: int | None,
    *,
    touched: int,
    match: bool,
    trees: tuple[DependencyTree, DependencyTree],
    model: EditModel,
) -> EditRow:
    """Return the operation on two words, of which so many have a link."""
    cost = 2 if model is EditModel.NODE and touched == 2 else 1
    if match:
        kind, cost = EditKind.MATCH, 1 if model is EditModel.BASIC else 0
    elif second is None:
        kind = EditKind.DELETE
    else:
        kind = EditKind.INSERT if first is None else EditKind.RENAME
    one, other = (
        None if word is None else EditedWord.of(tree, word)
        for tree, word in zip(trees, (first, second), strict=True)
    )
    return EditRow(kind, one, other, cost, touched > 0)


def edit_table(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    links: Iterable[Link],
    *,
    model: EditModel = EditModel.LINKED,
) -> EditTable:
    """Return the edits of one optimal mapping with the words that they touch.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1])
    >>> informed = DependencyTree(["Jane", "was", "informed"], [2, 2, -1])
    >>> table = edit_table(told, informed, [(2, 0)], model=EditModel.OPERATION)
    >>> table.distance, table.aligned_distance, table.linked
    (3, 0, (1, 1))
    """
    given = list(links)
    rows = tuple(tree_edits(hypothesis, reference, given, model=model))
    linked = len({first for first, _ in given}), len({second for _, second in given})
    return EditTable(model, rows, (len(hypothesis), len(reference)), linked)
