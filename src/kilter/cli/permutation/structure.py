"""Trees, forests and drawings of permutations, as `kilter permutation` writes them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.permutation_tree import PermutationTreeFormat
from kilter.run.permutation import OnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kilter.cli.permutation.input_lines import InputLines
    from kilter.core.permutation import Permutation
    from kilter.core.permutation_batch import Branching
    from kilter.core.permutation_tree import PermutationTree


class WhichPermutationTrees(StrEnum):
    """Which trees of a permutation are written."""

    FLATTENED = "flattened"
    ALL = "all"
    WEAK = "weak"


@dataclass(frozen=True, kw_only=True)
class ChosenPermutationTrees:
    """The flattened tree or one binary one, all permutation trees, or all weak factorizations."""

    which: WhichPermutationTrees
    branching: Branching | None
    """Of the one tree, if it is to be binary."""
    most: int

    def of(self, permutation: Permutation, where: str) -> Iterator[PermutationTree]:
        """Yield the trees of a permutation; more than `most` of them are an `InputError`."""
        if self.which is WhichPermutationTrees.FLATTENED:
            flat = permutation.tree()
            yield flat if self.branching is None else flat.binary(self.branching)
            return
        from kilter.core.permutation_factorization import (
            factorization_tree,
            permutation_trees,
            weak_factorization_count,
            weak_factorizations,
        )

        weak = self.which is WhichPermutationTrees.WEAK
        count = weak_factorization_count(permutation) if weak else permutation.tree().tree_count()
        if count > self.most:
            noun = "weak factorizations" if weak else "permutation trees"
            number = str(count) if count < 10**18 else "over 10^18"
            raise InputError(
                f"the permutation has {number} {noun}, more than {self.most}; raise --max-trees",
                where=where,
            )
        if weak:
            listed = sorted(weak_factorizations(permutation), key=lambda s: (len(s), sorted(s)))
            yield from (factorization_tree(permutation, spans) for spans in listed)
        else:
            yield from permutation_trees(permutation)


def write_structures(
    lines: InputLines,
    tree: str | None,
    *,
    forest: bool,
    draw: str | None,
    trees: ChosenPermutationTrees,
) -> None:
    """Write the trees, forests or drawing of each permutation."""
    from kilter.core.permutation import Permutation

    write = _structure_writer(tree, forest=forest, draw=draw, trees=trees)
    picture: Permutation | None = None  # kept back until it proves to be the only one
    for block in lines.watched():
        marks = (
            {bad.line: bad.reason for bad in block.bad} if lines.on_error is OnError.MARK else {}
        )
        places = {line: place for place, line in enumerate(block.lines.tolist())}
        for line in sorted([*places, *marks]):
            if line in marks:
                if forest:
                    sys.stdout.write(json.dumps({"line": line, "error": marks[line]}) + "\n")
                else:
                    sys.stdout.write(f"# {lines.source.name}:{line}: {marks[line]}\n")
                continue
            permutation = Permutation(block.batch[places[line]])
            if draw != "svg":
                write(permutation, f"{lines.source.name}:{line}")
            elif picture is None:
                picture = permutation
            else:
                raise InputError(
                    "an SVG picture holds one permutation; give one line",
                    where=f"{lines.source.name}:{line}",
                )
    if picture is not None:
        write(picture, lines.source.name)


def _structure_writer(
    tree: str | None, *, forest: bool, draw: str | None, trees: ChosenPermutationTrees
) -> Callable[[Permutation, str], None]:
    from kilter.io.permutation_tree import write_forest, write_tree
    from kilter.render.chart.permutation_picture import permutation_svg

    several = trees.which is not WhichPermutationTrees.FLATTENED and draw is None
    written = False

    def write(permutation: Permutation, where: str) -> None:
        nonlocal written
        out = sys.stdout
        if forest:
            write_forest(permutation.forest(), out)
            return
        if several and written:
            out.write("\n")  # between the trees of two permutations
        written = True
        for drawn in trees.of(permutation, where):
            if draw == "svg":
                out.write(permutation_svg(drawn))
            elif draw == "text":
                out.write(drawn.draw() + "\n\n")
            elif tree is not None:
                out.write(write_tree(drawn, PermutationTreeFormat(tree)) + "\n")

    return write
