"""`kilter preorder ratings`: what people's ratings say of systems, and scores against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.execution import resampling_options
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import format_option
from kilter.cli.option.given_score import lower_is_better_option, score_files, scores_option
from kilter.cli.option.reordering import match_options, read_orders
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.option.text import system_names
from kilter.cli.talk.terminal import print_result
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch

if TYPE_CHECKING:
    from kilter.results.score_result import ScoreResult


@click.command("ratings")
@click.argument("ratings", type=FILE_NAME)
@click.argument("systems", nargs=-1, type=FILE_NAME)
@click.option("-R", "--reference", "references", multiple=True, type=FILE_NAME, metavar="FILE",
              help="Reference reorderings, to score SYSTEMS by; once for each kind of them.")  # fmt: skip
@scores_option
@lower_is_better_option
@match_options
@format_option
@resampling_options
def command(
    *,
    ratings: str,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    scores: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    form: str,
    **options: Any,
) -> None:
    """Tell what ratings of several systems' translations say: RATINGS has system, segment, rater and rating.

    RATINGS may also be the folder that 'kilter survey export --ratings' wrote. SYSTEMS are the sources as each
    system has reordered them, in files that are called as the rated systems.

    \b
    Examples:
      kilter preorder ratings ratings.csv
      kilter preorder ratings export/ -R manual.jsonl -R automatic.jsonl P1R1.txt P1R2.txt P1R3.txt
      kilter preorder ratings ratings.tsv --scores bleu.tsv --scores comet=comet.tsv
    """
    from kilter.run.meta.rated_systems import rated_systems
    from kilter.run.reordering.score import reordering_metrics, score_reorderings

    if bool(systems) != bool(references):
        raise click.UsageError(
            "reordered sources are scored by references; give both SYSTEMS and -R, or neither"
        )
    if len(systems) == 1:
        raise click.UsageError("give the order of every rated system; there are two or more")
    if [ratings, *systems, *references].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    refuse_repeated(systems)
    refuse_repeated(references)
    resampling = chosen_resampling(options)
    orders: dict[str, ScoreResult] = {}
    if systems:
        read = read_orders(system_names(list(systems)), systems, None)
        names = system_names(list(references)) if len(references) > 1 else ["reference"]
        for name, path in zip(names, references, strict=True):
            orders[name.partition(".")[0]] = score_reorderings(
                read_reorderings(ByteSource(path)),
                read,
                metrics=reordering_metrics(
                    match=WordMatch(options["match"]),
                    ties=TiedSpans(options["ties"]),
                    joints=Joints(options["joints"]),
                    pooled=False,
                ),
                resampling=resampling,
                jobs=options["jobs"],
            )
    result = rated_systems(
        ratings,
        orders=orders,
        scores=score_files(scores),
        lower_is_better=lower_is_better,
        resampling=resampling,
    )
    print_result(result, form)
