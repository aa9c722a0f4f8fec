"""`kilter tune`: options of a metric that agree best with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice
from kilter.cli.option.judgment import (
    evaluation_inputs,
    judged_files,
    judgment_options,
    judgment_policy,
    run_options,
    tell,
    word_settings,
)
from kilter.cli.option.setting import metric_option
from kilter.cli.talk.terminal import print_result
from kilter.core.errors import OptionError
from kilter.io.output import check_output
from kilter.run.meta.option_search import SearchMethod, TuneSettings
from kilter.run.meta.tuning import RESTARTS, Objective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.results.tune_result import CurvePoint, TunedMetrics


@click.command("tune")
@judgment_options
@metric_option("A metric to tune; may be repeated.")
@click.option(
    "-o",
    "--option",
    "tuned",
    multiple=True,
    required=True,
    metavar="NAME[=LOW..HIGH]",
    help="A numeric option to tune, such as alpha; order.beta is beta of the order part. May be "
    "repeated; of several metrics each is tuned along those that it has.",
)
@click.option(
    "--method",
    type=choice(SearchMethod),
    default="exact",
    show_default=True,
    help="How the best options are found.",
)
@click.option(
    "--objective",
    type=choice(Objective),
    default="consistency",
    show_default=True,
    help="What is to be highest.",
)
@click.option(
    "--restarts",
    default=RESTARTS,
    show_default=True,
    type=click.IntRange(1),
    help="Random starts of hill climbing.",
)
@click.option(
    "--steps",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help="Steps of the grid and of curves along an option's range.",
)
@click.option(
    "--folds",
    default=5,
    show_default=True,
    type=click.IntRange(0),
    help="Folds of segments for the held-out figure; 0 for none.",
)
@click.option(
    "--plot",
    type=FILE_NAME,
    metavar="FILE",
    help="Draw agreement along each option into this file (.svg, .png or .pdf).",
)
@click.option(
    "--weights",
    type=FILE_NAME,
    metavar="FILE",
    help="Write what was found of kilter and order into this file, for -m kilter:weights=FILE.",
)
@run_options
def command(*, form: str, plot: str | None, weights: str | None, **options: Any) -> None:
    """Find the options of a metric with which it agrees best with human judgments.

    \b
    Examples:
      kilter tune --judgments pairs.tsv -r reference.txt --systems outputs -m full -o alpha
      kilter tune ... -m full -m sen -m lr -o alpha --plot curves.svg
      kilter tune ... -m pef -o beta -o gamma --method hill-climbing
      kilter tune ... -m full -o alpha -o order.beta --method grid --steps 10 --plot curves.svg
      kilter tune ... -m kilter -m order -o order -o near --method grid --weights own.json
    """
    from kilter.render.chart.picture_file import check_picture_path, write_picture
    from kilter.run.meta.option_search import check_fitted, write_weights
    from kilter.run.meta.tune import tune_metrics

    if plot:
        check_picture_path(plot, judged_files(options), called=f"--plot {plot}")
    if not options["metrics"]:
        raise OptionError("name the metric to tune with -m")
    if weights:
        check_fitted(options["metrics"])
        check_output(weights, judged_files(options), called=f"--weights {weights}")
        if weights == plot:
            raise OptionError(f"--plot and --weights both name {plot}; choose another for one")
    result = tune_metrics(
        evaluation_inputs(options, word_settings(options, metrics=options["metrics"])),
        TuneSettings(
            options=options["tuned"],
            method=SearchMethod(options["method"]),
            objective=Objective(options["objective"]),
            restarts=options["restarts"],
            steps=options["steps"],
            folds=options["folds"],
            seed=options["seed"],
            policy=judgment_policy(options),
        ),
    )
    if plot:
        write_picture(plot, _chart(result))
    if weights:
        write_weights(result, weights)
    print_result(result, form)
    tell(result.notes, quiet=options["quiet"])


def _chart(tuned: TunedMetrics) -> str:
    """Return agreement along each option of each metric in one picture.

    Options of one name and range share their axis; others are brought to shares of their ranges.
    """
    from kilter.render.chart.chart import line_chart

    objective = tuned.metrics[0].objective
    curves = [(result, option) for result in tuned.metrics for option in result.options]
    ((name, low, high), *others) = {(option.name, option.low, option.high) for _, option in curves}
    lines = {}
    for result, option in curves:
        points = _defined(result.curves[option.name])
        if others:
            label = f"{option.name}, {option.low:g} to {option.high:g}"
            label = label if len(tuned.metrics) == 1 else f"{result.start}: {label}"
            spread = option.high - option.low
            lines[label] = [((at - option.low) / spread, value) for at, value in points]
        else:
            lines[result.start] = points
    listed = ", ".join(result.start for result in tuned.metrics)
    along = "share of the range" if others else f"{name}, {low:g} to {high:g}"
    return line_chart(lines, title=f"{listed}: {objective}", x=along, y=objective)


def _defined(curve: Sequence[CurvePoint]) -> list[tuple[float, float]]:
    """Return the points of a curve that have a value."""
    return [(at, agreement) for at, agreement in curve if agreement is not None]
