"""`kilter meta`: how well metrics agree with people."""

from __future__ import annotations

import click
from click.core import ParameterSource

from kilter.cli.command import FILE_NAME
from kilter.cli.group.once_group import OnceGroup
from kilter.cli.meta.sensitivity import command as sensitivity
from kilter.cli.option.engine import engine_options
from kilter.cli.option.form import choice
from kilter.cli.option.given_score import lower_is_better_option, scores_option
from kilter.cli.option.judgment import (
    judgment_options,
    resample_options,
)
from kilter.cli.option.setting import metric_option
from kilter.results.meta_result import AgreementMeasure, Resample
from kilter.run.meta.agreement import HumanTies
from kilter.run.meta.metric_test import MetricTest
from kilter.run.meta.pair_count import TieRule


@click.group("meta", cls=OnceGroup, invoke_without_command=True)
@judgment_options
@click.option(
    "--ratings",
    type=FILE_NAME,
    metavar="FILE",
    help="Instead of --judgments: ratings by system, segment and rater, which are compared as well.",
)
@click.option(
    "--evaluation",
    type=FILE_NAME,
    metavar="FILE",
    help="A TOML file that describes one language pair or several.",
)
@metric_option(
    "A metric; may be repeated. all: every metric that the inputs allow. Replaces the metrics of an "
    "evaluation file, and leaves its files of scores."
)
@scores_option
@lower_is_better_option
@click.option(
    "--measure",
    "measures",
    multiple=True,
    type=choice(AgreementMeasure),
    help="A measure of agreement; may be repeated.  [default: segment_tau, consistency, "
    "system_spearman, system_pearson]",
)
@click.option(
    "--tau",
    "tie_rule",
    type=choice(TieRule),
    default="wmt13",
    show_default=True,
    help="What a pair counts that only the metric ties.",
)
@click.option(
    "--human-ties",
    type=choice(HumanTies),
    default="leave",
    show_default=True,
    help="Human ties in win ratios: leave out, or count in the denominator.",
)
@click.option(
    "--resample",
    type=choice(Resample),
    default="segments",
    show_default=True,
    help="What intervals draw with replacement.",
)
@click.option(
    "--test",
    type=choice(MetricTest),
    default="percentile",
    show_default=True,
    help="How differences between metrics are tested.",
)
@click.option(
    "--controls/--no-controls",
    default=True,
    show_default=True,
    help="Show each metric beside the same formula with its order part set to 1.",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="NAME",
    help="A metric to set the others against; over several language pairs wins are counted. May be "
    "repeated.",
)
@click.option(
    "--published", metavar="DATA", help="Data set whose printed numbers stand beside ours."
)
@click.option(
    "--plot",
    type=FILE_NAME,
    metavar="FILE",
    help="Draw the first measure into this file (.svg, .png or .pdf).",
)
@engine_options
@resample_options
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Compare metrics, or files of scores, with human judgments.

    \b
    Examples:
      kilter meta --judgments pairs.tsv -r reference.txt --systems outputs -m pef -m bleu
      kilter meta --judgments da.tsv --scores comet=comet.tsv --measure pearson_item
      kilter meta --evaluation evaluation.toml --baseline bleu --format md
    """
    if context.invoked_subcommand is None:
        from kilter.cli.meta.agreement import measure_agreement

        measure_agreement(context, options)
        return
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"{parameter.opts[0]} has no effect before {context.invoked_subcommand}; write it behind, if it "
                "is one of its options"
            )


command.add_command(sensitivity)
