"""`kilter tune`: options of a metric that agree best with people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_notes, print_result
from kilter.cli.fields import details_setting, format_setting, quiet_setting
from kilter.cli.judgments import JudgedFiles, judged_files
from kilter.core.settings import Group, OutputFile, mixed, setting
from kilter.io.output import check_output
from kilter.render.table.table import TableFormat
from kilter.run.meta.option_search import TuneSettings
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from kilter.results.tune_result import CurvePoint, TunedMetrics


@dataclass(frozen=True, kw_only=True)
class TuneOptions:
    """What is tuned, on which judgments, and what is written."""

    files: JudgedFiles = field(default_factory=JudgedFiles)
    settings: Settings = mixed(
        lambda: Settings(metrics=()),
        without=("resampling",),
        metrics="Metric to tune; repeatable.",
    )
    tuning: TuneSettings
    plot: OutputFile | None = setting(
        default=None,
        description="Draw agreement along each option (.svg, .png or .pdf).",
    )
    weights: OutputFile | None = setting(
        default=None,
        description="Write the weights to FILE, for -m kilter:weights=FILE.",
    )
    format: TableFormat = format_setting()
    details: bool = details_setting("Add folds, curves and full signatures.")
    quiet: bool = quiet_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if not self.settings.metrics:
            yield "name the metric to tune with -m"
        if self.weights and self.weights == self.plot:
            yield f"--plot and --weights both name {self.plot}; choose another for one"


@settings_command("tune", heading=Group.SCORING)
def command(options: TuneOptions) -> None:
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

    plot, weights, settings = options.plot, options.weights, options.settings
    inputs = judged_files(options, options.files)
    if plot:
        check_picture_path(plot, inputs, called=f"--plot {plot}")
    if weights:
        check_fitted(settings.specifications)
        check_output(weights, inputs, called=f"--weights {weights}")
    result = tune_metrics(options.files.inputs(settings), options.tuning)
    if plot:
        write_picture(plot, _chart(result))
    if weights:
        write_weights(result, weights)
    print_result(result, options.format, details=options.details)
    print_notes(result.notes, quiet=options.quiet)


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
