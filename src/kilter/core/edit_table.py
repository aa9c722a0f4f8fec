"""The edits between two dependency trees as a table that adds up to their distance. [TH] table 4.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.dependency_tree_edit import EditModel, tree_edits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.dependency_tree_edit import EditKind
    from kilter.core.link import Link


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
    edits = tree_edits(hypothesis, reference, given, model=model)
    rows = tuple(
        EditRow(
            edit.kind,
            None if edit.hypothesis is None else EditedWord.of(hypothesis, edit.hypothesis),
            None if edit.reference is None else EditedWord.of(reference, edit.reference),
            edit.cost,
            edit.aligned,
        )
        for edit in edits
    )
    linked = len({first for first, _ in given}), len({second for _, second in given})
    return EditTable(model, rows, (len(hypothesis), len(reference)), linked)
