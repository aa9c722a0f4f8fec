"""`kilter preorder select`: of several parses the one whose reordering scores best."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.cli.command import FILE_NAME, FiniteNumber
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.output import segments_option
from kilter.cli.option.preordering import note_idle, note_joined
from kilter.cli.option.reordering import match_options, rule_options
from kilter.core.reordering import TiedSpans
from kilter.io.conllu import detailed, read_conllu
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.metrics.frs import Frs
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.preordering.rule_file import load_rule_set
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.run.preordering.select import select_parses, write_selection


@click.command("select")
@click.argument("trees", nargs=-1, required=True, type=FILE_NAME)
@rule_options
@click.option("--minimum", default=0.0, show_default=True, type=FiniteNumber(0.0, 1.0),
              help="Leave out sentences whose best parse scores lower.")  # fmt: skip
@click.option("--changed-only", is_flag=True,
              help="Leave out sentences whose first parse is the best.")  # fmt: skip
@match_options
@segments_option("rank and scores of each sentence", "--statistics")
@jobs_option
@quiet_option
def command(
    *,
    trees: tuple[str, ...],
    rules: str,
    reference: str,
    reference_form: str | None,
    minimum: float,
    changed_only: bool,
    statistics: str | None,
    jobs: int,
    quiet: bool,
    **options: Any,
) -> None:
    """Write one parse per sentence as CoNLL-U: the one whose reordering scores best.

    TREES is a file of n-best parses (comments '# parse = 1', '# parse = 2', ...), or a file for each rank.

    \b
    Examples:
      kilter preorder select -r mine.toml -R references.jsonl nbest.conllu > selected.conllu
      kilter preorder select -r mine.toml -R references.jsonl first.conllu second.conllu third.conllu
    """
    refuse_repeated(trees)
    inputs = [*trees, reference]
    if inputs.count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    if statistics:
        check_segments_path(
            statistics,
            [path for path in inputs if path != "-"],
            called=f"--statistics {statistics}",
        )
    rule_set = load_rule_set(rules)
    banks = [read_conllu(ByteSource(path)) for path in trees]
    columns = [detailed(bank.trees, bank.kept) for bank in banks]
    note_joined(columns, quiet=quiet)
    note_idle(columns, [rule_set], quiet=quiet)
    selection = select_parses(
        banks,
        rule_set,
        read_reorderings(ByteSource(reference), form=reference_form),
        metric=Frs(
            match=WordMatch(options["match"]),
            ties=TiedSpans(options["ties"]),
            joints=Joints(options["joints"]),
        ),
        minimum=minimum,
        changed_only=changed_only,
        jobs=jobs,
    )
    pieces = list(write_selection(banks, selection))
    if statistics:
        write_segments(selection.statistics(), statistics)
    sys.stdout.writelines(pieces)
    if not quiet:
        means = ", ".join(f"{name} {mean:.4f}" for name, mean in selection.means().items())
        changed = sum(choice.rank > 1 for choice in selection.choices)
        click.echo(
            f"kilter: frs: {means}; {changed} of {len(selection.choices)} sentences have a better parse "
            f"than the first; {len(selection.written)} written",
            err=True,
        )
