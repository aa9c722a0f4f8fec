"""What a parser is: a column of words in, a tree for each segment out."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.dependency_tree import NO_NAME, ROOT
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.core.registry import Configured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary

    Progress = Callable[[int, int], None]

ROOT_LABEL = "root"
UNNAMED = "dep"
"""The label of a word that is not the root although the classifier says so."""


@dataclass(frozen=True, slots=True, eq=False)
class Parses:
    """The trees of each segment, and the tags of the language's own tag set where a parser has them.

    `trees.tags` are universal tags. `language_tags` are numbers of the trees' vocabulary, one a word. Of n-best parses,
    the best come first and no two are alike; `scores` has one for each tree, comparable among those of a segment
    only, and is empty where each segment has one tree.
    """

    trees: DependencyTreeColumn
    language_tags: NDArray[np.int32]
    scores: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@dataclass(frozen=True, kw_only=True)
class Parser(Configured, ABC):
    """Finds the tree of every segment. Options are fields and show in the signature."""

    summary: ClassVar[str]
    blocks: ClassVar[bool] = True
    """Whether a text may be parsed block by block."""
    only_language: ClassVar[str | None] = None
    """The language that it knows, if it knows one only."""

    @property
    def known_language(self) -> str | None:
        """The language of its trees with these options; None for a parser that knows of none."""
        return self.only_language

    @abstractmethod
    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return one tree for each segment, over exactly its words; no words have an empty tree.

        The result is the same for every number of jobs. `progress` is called with (done, total).
        """

    def parse_nbest(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        most: int,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return so many trees for each segment, or fewer where fewer were found.

        A parser that finds one tree only is an `OptionError`.
        """
        del words, vocabulary, most, jobs, progress
        raise OptionError(f"{self.name} finds one tree for a sentence; perceptron finds several")

    def identity(self) -> str | None:
        """Return all that decides the tree of a segment beside its words: name, options, versions, checksums.

        What it makes of equal segments is then made once, and may be kept for other runs. None, where
        other segments or anything that cannot be named play a part, or where it is not worth keeping.
        """
        return None

    def signature(self) -> str:
        """Return the name with every option, such as stanza(language:en,version:41fd1a0c).

        Files are not named by their paths, which are others elsewhere, but by their version.
        """
        options = {name: value for name, value in self.options().items() if name not in self.places}
        listed = [f"{name}:{value}" for name, value in options.items()]
        listed += [f"version:{self.version() or 'none'}"] if self.places else []
        return f"{self.name}({','.join(listed)})" if listed else self.name

    def version(self) -> str:
        """Return which model or file it is, such as the first digits of its SHA-256; "" without one."""
        return ""


WHOLE_DIGEST = 64
"""Digits of a SHA-256."""


def digest(paths: Iterable[Path], digits: int = 8) -> str:
    """Return the first digits of the SHA-256 of some files, one after another."""
    found = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    return found.hexdigest()[:digits]


def parses(
    words: TokenColumn,
    vocabulary: Vocabulary,
    heads: NDArray[np.int32],
    *,
    labels: NDArray[np.int32],
    tags: NDArray[np.int32],
    language_tags: NDArray[np.int32] | None = None,
) -> Parses:
    """Return flat arrays, one entry a word, as the parses of a column."""
    trees = DependencyTreeColumn(
        words=words.ids,
        heads=heads,
        labels=labels,
        tags=tags,
        offsets=words.offsets,
        parses=np.arange(len(words) + 1),
        vocabulary=vocabulary,
    )
    if language_tags is None:
        language_tags = np.full(len(heads), vocabulary.number(NO_NAME), dtype=np.int32)
    return Parses(trees, language_tags)


def named_labels(
    names: Sequence[str],
    vocabulary: Vocabulary,
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Return labels, which are places among names, as words; the root has its label for itself."""
    numbers = vocabulary.numbers(names)[labels]
    root, unnamed = vocabulary.number(ROOT_LABEL), vocabulary.number(UNNAMED)
    numbers[numbers == root] = unnamed
    numbers[heads == ROOT] = root
    return numbers
