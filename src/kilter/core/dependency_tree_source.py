"""Where the trees of a corpus come from: files, or a parser that runs when a metric asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.core.corpus import TextColumn
    from kilter.core.dependency_tree_column import DependencyTreeColumn


class DependencyTreeSource(ABC):
    """Gives the trees of a text, one entry per segment; every text is asked for once.

    Metrics reach it through an `Evaluation`, so that nothing is parsed that no metric looks at.
    """

    def __init__(self) -> None:
        self._kept: dict[TextColumn, DependencyTreeColumn] = {}

    def trees(self, text: TextColumn) -> DependencyTreeColumn:
        """Return the trees of a text, which has the same words."""
        if text not in self._kept:
            self._kept[text] = self._made(text)
        return self._kept[text]

    def looked_at(self) -> dict[TextColumn, DependencyTreeColumn]:
        """Return the trees that were asked for."""
        return dict(self._kept)

    def can_give(self, text: TextColumn) -> bool:  # noqa: ARG002 - a parser takes any
        """Return whether there are trees of a text, or could be."""
        return True

    @abstractmethod
    def signature(self) -> str:
        """Return what signatures say of the trees."""

    @abstractmethod
    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        """Return the trees of a text that was not asked for before."""


class GivenDependencyTrees(DependencyTreeSource):
    """Trees that are there already, by text."""

    def __init__(self, trees: dict[TextColumn, DependencyTreeColumn]) -> None:
        super().__init__()
        self._given = trees

    def can_give(self, text: TextColumn) -> bool:
        """Return whether the trees of a text are among the given ones."""
        return text in self._given

    def signature(self) -> str:
        """Return `given`."""
        return "given"

    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        return self._given[text]
