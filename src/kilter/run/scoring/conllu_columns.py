"""Given dependency trees, which are read with the texts whose trees they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.io.conllu import segment_trees
from kilter.io.stream import display_name
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.run.scoring.structure_files import StructureFiles


@dataclass(frozen=True, kw_only=True)
class ConlluColumn:
    """A file of the trees of a text."""

    path: str
    text: int
    """The place of the text among systems, references and source, in this order."""

    def trees(self, segments: Sequence[str], *, line: int) -> DependencyTreeColumn:
        """Return the trees of some segments, which begin in this line of the file."""
        return segment_trees(segments, name=display_name(self.path), line=line)


def line_count(segments: Sequence[str]) -> int:
    """Return how many lines of their file segments take."""
    return sum(text.count("\n") for text in segments)


def conllu_columns(
    files: StructureFiles, systems: int, references: int
) -> tuple[ConlluColumn, ...]:
    """Return the files of trees of so many systems and references."""
    source = systems + references
    kinds = (
        (files.trees, range(systems)),
        (files.trees_reference, range(systems, source)),
        ((files.trees_source,) if files.trees_source else (), (source,)),
    )
    return tuple(
        ConlluColumn(path=path, text=text)
        for paths, texts in kinds
        for path, text in zip(paths, texts, strict=False)  # of a kind there may be none
    )


def trees_of_files(files: StructureFiles, columns: Sequence[DependencyTreeColumn]) -> Trees:
    """Return the trees that were read of these files, in the order of `conllu_columns`."""
    outputs, both = len(files.trees), len(files.trees) + len(files.trees_reference)
    return Trees(
        systems=columns[:outputs],
        references=columns[outputs:both],
        source=columns[both] if files.trees_source else None,
    )
