"""`kilter permutation`: scores, trees, forests and drawings of permutations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME, OptionalChoice
from kilter.cli.option.engine import engine_options
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.setting import metric_option
from kilter.cli.permutation.combination import check_combination
from kilter.cli.permutation.input_lines import InputLines, is_typed
from kilter.cli.permutation.score_table import write_all, write_chosen, write_pairs
from kilter.cli.permutation.structure import (
    ChosenPermutationTrees,
    WhichPermutationTrees,
    write_structures,
)
from kilter.cli.permutation.target import table_target
from kilter.cli.talk.progress import progress_bar
from kilter.core.permutation_batch import Branching
from kilter.io.permutation_tree import PermutationTreeFormat
from kilter.io.stream import ByteSource
from kilter.io.text_table import column_format
from kilter.metrics.pef import Pef
from kilter.run.permutation import OnError

if TYPE_CHECKING:
    from kilter.run.engine.choice import EngineChoice


@click.command("permutation")
@click.argument("file", default="-", type=FILE_NAME)
@format_option
@click.option("-o", "--output", type=FILE_NAME, metavar="FILE",
              help="Write the table to this file, complete or not at all, in the format that its name says: "
              ".tsv, .csv or .jsonl, also .gz, or .parquet.")  # fmt: skip
@click.option("--resume", is_flag=True,
              help="With -o FILE.parquet: keep what is done in FILE.parquet.parts until the file is complete, and go "
              "on after what a killed run left there.")  # fmt: skip
@click.option("--column", metavar="NAME",
              help="Column of a .parquet or .arrow FILE, or field of a .jsonl FILE, that holds the permutations as lists; "
              "by default permutation, or the only one with lists. With it, standard input is JSON lines.")  # fmt: skip
@metric_option("Score with this metric; may be repeated. all: every one.")
@click.option(
    "--beta", default=0.6, show_default=True, help="Weight of a node's own operator in pef and pet."
)
@click.option(
    "--gamma", default=0.0, show_default=True, help="Score of the operator <2,1> in pef and pet."
)
@click.option("--branching", type=choice(Branching), default="left", show_default=True,
              help="The canonical tree of pet, and of --tree --binary.")  # fmt: skip
@click.option("--tree", "tree", type=OptionalChoice([str(form) for form in PermutationTreeFormat]), is_flag=False,
              flag_value="bracketed", help="Write trees instead of scores.")  # fmt: skip
@click.option(
    "--binary", is_flag=True, help="With --tree or --draw: the binary tree, not the flattened one."
)
@click.option("--trees", "which", type=choice(WhichPermutationTrees), default="flattened", show_default=True,
              help="With --tree or --draw: the flattened tree, all permutation trees, or all weak factorizations.")  # fmt: skip
@click.option("--most", default=1000, show_default=True, type=click.IntRange(min=1),
              help="With --trees all or weak: a permutation with more of them is an error.")  # fmt: skip
@click.option("--complexity", is_flag=True,
              help="Add arity, average operator length and number of weak factorizations to the scores.")  # fmt: skip
@click.option("--forest", is_flag=True, help="Write the chart of all trees as JSON, one a line.")
@click.option("--draw", type=OptionalChoice(["text", "svg"]), is_flag=False, flag_value="text",
              help="Draw the tree over the permutation diagram; svg takes one permutation.")  # fmt: skip
@click.option(
    "--pairs",
    is_flag=True,
    help="Compare two permutations a line, separated by |||, a tab or brackets.",
)
@click.option("--zero-based", is_flag=True, help="The input counts from 0.")
@click.option("--on-error", type=choice(OnError), default="stop", show_default=True,
              help="A bad line stops everything, is skipped, or is marked in its row.")  # fmt: skip
@engine_options
@jobs_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    *,
    file: str,
    form: str,
    output: str | None,
    resume: bool,
    column: str | None,
    metrics: tuple[str, ...],
    beta: float,
    gamma: float,
    branching: str,
    tree: str | None,
    binary: bool,
    which: str,
    most: int,
    complexity: bool,
    forest: bool,
    draw: str | None,
    pairs: bool,
    zero_based: bool,
    on_error: str,
    engine: EngineChoice,
    jobs: int,
    quiet: bool,
) -> None:
    """Score permutations, one a line: integers from 1, blanks or commas, optional brackets.

    FILE may be - for standard input, and .gz or .xz. Of a .parquet or .arrow FILE, each row of a column of
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
    Pef(beta=beta, gamma=gamma)  # checks the bounds before anything is read
    check_combination(context, draw, metrics=metrics, on_error=on_error)
    listed = WhichPermutationTrees(which)
    if listed is not WhichPermutationTrees.FLATTENED and tree is None and draw is None:
        tree = PermutationTreeFormat.BRACKETED
    target = table_target(context, form, output, file, resume=resume)
    unseen = quiet or (output is None and sys.stdout.isatty()) or is_typed(file)
    unit = "lines" if column_format(file) is None else "rows"
    with progress_bar("scoring", quiet=unseen, unit=unit) as progress:
        lines = InputLines(
            source=ByteSource(file),
            pairs=pairs,
            zero_based=zero_based,
            on_error=OnError(on_error),
            jobs=jobs,
            quiet=quiet,
            column=column,
            once=target.whole,
            progress=progress,
            engine=engine,
        )
        if tree is not None or forest or draw is not None:
            shape = Branching(branching) if binary else None
            trees = ChosenPermutationTrees(which=listed, branching=shape, most=most)
            write_structures(lines, tree, forest=forest, draw=draw, trees=trees)
        elif metrics:
            write_chosen(lines, target, metrics)
        elif pairs:
            write_pairs(lines, target)
        else:
            write_all(
                lines,
                target,
                beta=beta,
                gamma=gamma,
                branching=Branching(branching),
                complexity=complexity,
            )
    lines.report()
