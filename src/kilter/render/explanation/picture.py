"""The pictures of an explanation by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.render.explanation.dependency_picture import dependency_picture
from kilter.render.explanation.error_table import edit_table_picture
from kilter.render.explanation.link_diagram import LinkedWords, link_diagram
from kilter.render.explanation.path_graph import path_graph_picture
from kilter.render.explanation.permutation_diagram import permutation_diagram
from kilter.render.explanation.permutation_tree_picture import permutation_tree_picture

if TYPE_CHECKING:
    from kilter.results.explanation import Explanation
    from kilter.results.measure import Working


class PictureName(StrEnum):
    """What a picture shows."""

    LINKS = "links"
    PERMUTATION = "permutation"
    PERMUTATION_TREE = "permutation-tree"
    TREES = "trees"
    EDITS = "edits"
    PATHS = "paths"


_TITLES = {
    PictureName.LINKS: "Links",
    PictureName.PERMUTATION: "Permutation",
    PictureName.PERMUTATION_TREE: "Permutation tree",
    PictureName.TREES: "Dependency trees",
    PictureName.EDITS: "Edits between the trees",
    PictureName.PATHS: "Paths between linked words",
}
_NEEDED = {
    PictureName.PERMUTATION_TREE: "words that are linked one to one, or another rule of links",
    PictureName.TREES: "dependency trees of both sentences; give them, or name a parser",
    PictureName.EDITS: "the metric dted; ask for it",
    PictureName.PATHS: "the metric derp; ask for it",
}


def picture(explanation: Explanation, name: PictureName) -> str:
    """Return one picture as SVG; one for which something is missing is an `InputError`."""
    found = _drawn(explanation, name)
    if found is None:
        raise InputError(f"the picture {name} needs {_NEEDED[name]}")
    return found


def pictures(explanation: Explanation) -> dict[PictureName, str]:
    """Return all pictures that there are."""
    drawn = {name: _drawn(explanation, name) for name in PictureName}
    return {name: svg for name, svg in drawn.items() if svg is not None}


def _drawn(explanation: Explanation, name: PictureName) -> str | None:
    title = _TITLES[name]
    if explanation.system is not None:
        title += f", {explanation.system}, segment {explanation.segment}"
    words = LinkedWords(
        explanation.hypothesis,
        explanation.reference,
        explanation.links,
        misplaced=explanation.misplaced,
    )
    order, trees = explanation.permutation, explanation.trees
    drawn: str | None = None
    if name is PictureName.LINKS:
        drawn = link_diagram(words, title=title)
    elif name is PictureName.PERMUTATION:
        drawn = permutation_diagram(words, title=title)
    elif name is PictureName.PERMUTATION_TREE and order:
        misplaced = [
            rank for rank, place in enumerate(explanation.ordered) if place in words.misplaced
        ]
        leaves = explanation.ordered_words
        drawn = permutation_tree_picture(order.tree(), leaves, misplaced=misplaced, title=title)
    elif name is PictureName.TREES and trees is not None:
        drawn = dependency_picture(*trees, words, title=title)
    else:
        workings = [score.working for score in explanation.metrics.values() if score.working]
        drawn = _of_working(workings, name, words, title)
    return drawn


def _of_working(
    workings: list[Working], name: PictureName, words: LinkedWords, title: str
) -> str | None:
    """Return the edits or the paths of the first metric that has some."""
    for working in workings:
        if name is PictureName.EDITS and working.edits is not None:
            return edit_table_picture(working.edits, title=title)
        if name is PictureName.PATHS and working.paths is not None:
            return path_graph_picture(
                working.paths, words.reference, misplaced=words.misplaced_reference, title=title
            )
    return None
