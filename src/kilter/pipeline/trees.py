"""Trees that the user gives with the texts of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.errors import InputError, OptionError
from kilter.structures.dependency_tree import ATTACHED, DependencyTree
from kilter.structures.tree_column import TreeColumn
from kilter.structures.tree_source import GivenTrees

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.structures.corpus import Corpus, TextColumn
    from kilter.structures.tree_source import TreeSource

    Given = TreeColumn | Sequence[DependencyTree | Sequence[DependencyTree]]


@dataclass(frozen=True, kw_only=True)
class Trees:
    """Trees of each system and of each reference, in order, and of the source.

    A text's trees are a `TreeColumn`, or a list with a tree, or a list of parses, per segment.
    """

    systems: Sequence[Given] = ()
    references: Sequence[Given] = ()
    source: Given | None = None

    def __post_init__(self) -> None:
        for name in ("systems", "references"):
            object.__setattr__(self, name, tuple(_column(given) for given in getattr(self, name)))
        if self.source is not None:
            object.__setattr__(self, "source", _column(self.source))

    def __bool__(self) -> bool:
        return bool(self.systems or self.references or self.source is not None)

    def offered(self) -> set[str]:
        """Return what metrics may use, in the words of `Metric.needs`."""
        found = {"trees"} if self.systems and self.references else set()
        return found | ({"reference-trees"} if self.references else set())


def _column(given: Given) -> TreeColumn:
    return given if isinstance(given, TreeColumn) else TreeColumn.of(given)


def given_trees(corpus: Corpus, trees: Trees) -> TreeSource | None:
    """Return the trees by text after checking that they are those of these texts; None without any."""
    if not trees:
        return None
    if trees.source is not None and corpus.source is None:
        raise OptionError("trees of the source need the source text")
    found: dict[TextColumn, TreeColumn] = {}
    for noun, columns, texts in (
        ("systems", trees.systems, corpus.systems),
        ("references", trees.references, corpus.references),
    ):
        if columns and len(columns) != len(texts):
            raise InputError(
                f"there are trees for {len(columns)} of {len(texts)} {noun}; give them for each",
                where="trees",
            )
        found.update(zip(texts, map(_column, columns), strict=False))
    if trees.source is not None and corpus.source is not None:
        found[corpus.source] = _column(trees.source)
    for text, column in found.items():
        column.check(text.tokens.lengths, text=text.name)
    return GivenTrees(found)


def tree_notes(trees: Trees) -> Iterator[str]:
    """Yield what users should know of trees that were put right."""
    columns = [*trees.systems, *trees.references, *([] if trees.source is None else [trees.source])]
    for column in map(_column, columns):
        if column.joined:
            yield (
                f"{column.where(column.joined[0])}: has several roots; all but the first were attached to "
                f"it with label {ATTACHED} ({len(column.joined)} such trees in all)"
            )
