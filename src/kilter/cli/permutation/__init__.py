"""`kilter permutation`: scores, trees, forests and drawings of permutations."""

from __future__ import annotations

import sys

from kilter.cli.command import settings_command
from kilter.cli.console import progress_bar
from kilter.cli.permutation.input_lines import InputLines, is_typed
from kilter.cli.permutation.options import PermutationOptions
from kilter.cli.permutation.score_table import write_all, write_chosen, write_pairs
from kilter.cli.permutation.structure import (
    ChosenPermutationTrees,
    WhichPermutationTrees,
    write_structures,
)
from kilter.cli.permutation.target import table_target
from kilter.core.settings import Group
from kilter.io.column_file import column_format
from kilter.io.permutation_tree import PermutationTreeFormat
from kilter.io.stream import ByteSource
from kilter.metrics.pef import Pef


@settings_command("permutation", heading=Group.SCORING)
def command(options: PermutationOptions) -> None:
    """Score permutations, one a line: integers from 1, blanks or commas, optional brackets.

    FILE may be - for standard input, or compressed. Of a .parquet or .arrow FILE, each row of a column of
    lists is a line; a line of a .jsonl FILE is a list, or an object with one. With --on-error=stop nothing is
    written unless every line is good.

    \b
    Examples:
      echo "2 4 5 6 1 3" | kilter permutation
      echo "2 4 5 6 1 3" | kilter permutation --draw
      kilter permutation orders.txt --format jsonl -m pef:variant=beer
      kilter permutation orders.parquet -o scores.parquet
      kilter permutation orders.jsonl.gz --column order
    """
    Pef(beta=options.beta, gamma=options.gamma)  # checks the bounds before anything is read
    file, tree, draw, output = options.file, options.tree, options.draw, options.output
    flattened = options.which is WhichPermutationTrees.FLATTENED
    if not flattened and tree is None and draw is None:
        tree = PermutationTreeFormat.BRACKETED
    target = table_target(options.format, output, file, resume=options.resume)
    unseen = options.quiet or (output is None and sys.stdout.isatty()) or is_typed(file)
    unit = "lines" if column_format(file) is None else "rows"
    with progress_bar("scoring", quiet=unseen, unit=unit) as progress:
        lines = InputLines(
            source=ByteSource(file),
            pairs=options.pairs,
            zero_based=options.zero_based,
            on_error=options.on_error,
            jobs=options.jobs,
            quiet=options.quiet,
            column=options.column,
            once=target.whole,
            progress=progress,
            engine=options.engine,
        )
        if tree is not None or options.forest or draw is not None:
            shape = options.branching if options.binary else None
            trees = ChosenPermutationTrees(which=options.which, branching=shape, most=options.most)
            write_structures(lines, tree, forest=options.forest, draw=draw, trees=trees)
        elif options.metrics:
            write_chosen(lines, target, options.metrics)
        elif options.pairs:
            write_pairs(lines, target)
        else:
            write_all(
                lines,
                target,
                beta=options.beta,
                gamma=options.gamma,
                branching=options.branching,
                complexity=options.complexity,
            )
    lines.report()
