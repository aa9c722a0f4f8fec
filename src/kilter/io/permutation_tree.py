"""Permutation trees as text: bracketed, Penn, qtree and dot."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.permutation_tree import Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from kilter.core.permutation_forest import PermutationForest
    from kilter.core.permutation_tree import PermutationTree


class PermutationTreeFormat(StrEnum):
    """How a tree is written."""

    BRACKETED = "bracketed"
    PENN = "penn"
    QTREE = "qtree"
    DOT = "dot"


def write_tree(tree: PermutationTree, form: PermutationTreeFormat) -> str:
    """Return a tree on one line (dot: on several); leaves are one-based values.

    >>> from kilter import Permutation
    >>> tree = Permutation.from_one_based([2, 4, 5, 6, 1, 3]).tree()
    >>> write_tree(tree, PermutationTreeFormat.BRACKETED)
    '<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]'
    >>> write_tree(tree, PermutationTreeFormat.PENN)
    '(<2,4,1,3> 2 (2x<1,2> 4 5 6) 1 3)'
    """
    if len(tree) == 0:
        empty = {
            PermutationTreeFormat.BRACKETED: "[]",
            PermutationTreeFormat.DOT: "digraph permutation {\n}",
        }
        return empty.get(form, "()")
    match form:
        case PermutationTreeFormat.BRACKETED:
            return _nested(tree, lambda i: f"{_counted(tree, i)}[", ", ", "]")
        case PermutationTreeFormat.PENN:
            return _nested(tree, lambda i: f"({_counted(tree, i, 'x')} ", " ", ")")
        case PermutationTreeFormat.QTREE:
            return "\\Tree " + _nested(tree, lambda i: f"[.{_latex(tree, i)} ", " ", " ]")
        case PermutationTreeFormat.DOT:
            return _dot(tree)


def _operator(tree: PermutationTree, index: int) -> str:
    if tree.kind[index] == Kind.MONOTONE:
        return "<1,2>"
    if tree.kind[index] == Kind.INVERTED:
        return "<2,1>"
    return f"<{','.join(map(str, tree.operator(index)))}>"


def _merged(tree: PermutationTree, index: int) -> int:
    """Return how many binary nodes a node stands for."""
    return int(tree.children[index]) - 1 if tree.kind[index] != Kind.PRIME else 1


def _counted(tree: PermutationTree, index: int, times: str = " x ") -> str:
    merged = _merged(tree, index)
    return f"{merged}{times}{_operator(tree, index)}" if merged > 1 else _operator(tree, index)


def _latex(tree: PermutationTree, index: int) -> str:
    inside = _operator(tree, index)[1:-1]
    merged = _merged(tree, index)
    times = f"{merged}\\times " if merged > 1 else ""
    return f"{{${times}\\langle {inside}\\rangle$}}"


def _nested(
    tree: PermutationTree, opening: Callable[[int], str], separator: str, closing: str
) -> str:
    pieces: list[str] = []
    ends: list[int] = []  # where the subtrees that are still open end
    following = tree.next.tolist()
    lows = tree.low.tolist()
    for index, kind in enumerate(tree.kind.tolist()):
        if kind == Kind.LEAF:
            pieces.append(str(lows[index] + 1))
            while ends and ends[-1] == index + 1:
                pieces.append(closing)
                ends.pop()
            if ends:
                pieces.append(separator)
        else:
            pieces.append(opening(index))
            ends.append(following[index])
    return "".join(pieces)


def _dot(tree: PermutationTree) -> str:
    lines = ["digraph permutation {", "  node [shape=plaintext];"]
    for index, parent in enumerate(tree.parent.tolist()):
        leaf = tree.kind[index] == Kind.LEAF
        label = str(int(tree.low[index]) + 1) if leaf else _counted(tree, index)
        lines.append(f'  n{index} [label="{label}"];')
        if parent >= 0:
            lines.append(f"  n{parent} -> n{index} [arrowhead=none];")
    return "\n".join([*lines, "}"])


# A monotone stretch of a thousand words has 1.7 * 10^8 inferences: a file nobody could open.
_MOST_INFERENCES = 50_000_000


def write_forest(forest: PermutationForest, out: TextIO) -> None:
    """Write the chart on one line, entry by entry: spans are fenceposts, ordered by start and end.

    A leaf has the operator null and no splits.
    """
    if forest.inference_count > _MOST_INFERENCES:
        raise InputError(
            f"the forest of {len(forest.permutation)} elements has {forest.inference_count} inferences, "
            f"more than the {_MOST_INFERENCES} that can be written; use --tree"
        )
    head = {
        "permutation": list(forest.permutation.one_based()),
        "spans": forest.span_count,
        "inferences": forest.inference_count,
    }
    out.write(json.dumps(head)[:-1] + ', "entries": [')
    for row_number, entry in enumerate(forest):
        row = {
            "span": list(entry.span),
            "operator": list(entry.operator) or None,
            "splits": [list(cut) for cut in entry.inferences],
        }
        out.write((", " if row_number else "") + json.dumps(row))
    out.write("]}\n")
