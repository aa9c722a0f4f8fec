"""A sentence to be perturbed, with what is known about its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.preordering.perturbations.word import split_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.word import Word


@dataclass(frozen=True, slots=True)
class Sentence:
    """The reference as blanks split it; its tree over the same words; tagged words of a hypothesis.

    `tree.tags` are the tags. Algorithms that need what is missing say so.
    """

    text: str
    tree: DependencyTree | None = None
    hypothesis: Sequence[tuple[str, str]] | None = None

    def __post_init__(self) -> None:
        size = len(self.text.split())
        if self.tree is not None and len(self.tree) != size:
            raise InputError(
                f"the sentence has {counted(size, 'word')}, but its tree has {len(self.tree)}"
            )

    def words(self) -> tuple[Word, ...]:
        """Return the words of the sentence."""
        return split_sentence(self.text)

    def known_tree(self, purpose: str) -> DependencyTree:
        """Return the tree, or say that it is missing."""
        if self.tree is None:
            raise InputError(f"{purpose} needs the tags or the tree of the sentence; give its tree")
        return self.tree

    def known_hypothesis(self) -> Sequence[tuple[str, str]]:
        """Return cores and tags of the hypothesis, or say that they are missing."""
        if self.hypothesis is None:
            raise InputError("choice takes words from a hypothesis; give one with its tree")
        return self.hypothesis


def tagged_words(text: str, tree: DependencyTree) -> tuple[tuple[str, str], ...]:
    """Return the core and the tag of each word of a hypothesis."""
    words = split_sentence(text)
    if len(words) != len(tree):
        raise InputError(
            f"the hypothesis has {counted(len(words), 'word')}, but its tree has {len(tree)}"
        )
    return tuple((word.core, tag) for word, tag in zip(words, tree.tags, strict=True))
