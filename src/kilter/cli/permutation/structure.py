"""Trees, forests and drawings of permutations, as `kilter permutation` writes them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from kilter.errors import InputError
from kilter.formats.permutation_tree import PermutationTreeFormat
from kilter.pipeline.permutation import OnError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.cli.permutation.input_lines import InputLines
    from kilter.structures.permutation.branching import Branching
    from kilter.structures.permutation.permutation import Permutation


def write_structures(
    lines: InputLines,
    tree: str | None,
    *,
    forest: bool,
    draw: str | None,
    binary: bool,
    branching: Branching,
) -> None:
    """Write the trees, forests or drawing of each permutation."""
    from kilter.structures.permutation.permutation import Permutation

    write = _structure_writer(tree, forest=forest, draw=draw, binary=binary, branching=branching)
    picture: Permutation | None = None  # kept back until it proves to be the only one
    for block in lines.blocks():
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
                write(permutation)
            elif picture is None:
                picture = permutation
            else:
                raise InputError(
                    "an SVG picture holds one permutation; give one line",
                    where=f"{lines.source.name}:{line}",
                )
    if picture is not None:
        write(picture)


def _structure_writer(
    tree: str | None, *, forest: bool, draw: str | None, binary: bool, branching: Branching
) -> Callable[[Permutation], None]:
    from kilter.formats.permutation_forest import write_forest
    from kilter.formats.permutation_tree import write_tree
    from kilter.reports.chart.permutation_picture import permutation_svg

    def write(permutation: Permutation) -> None:
        out = sys.stdout
        if forest:
            write_forest(permutation.forest(), out)
            return
        drawn = permutation.tree().binary(branching) if binary else permutation.tree()
        if draw == "svg":
            out.write(permutation_svg(drawn))
        elif draw == "text":
            out.write(drawn.draw() + "\n\n")
        elif tree is not None:
            out.write(write_tree(drawn, PermutationTreeFormat(tree)) + "\n")

    return write
