"""What `kilter meta` does with its options: reads an evaluation, compares, writes and draws."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.cli.command import given_names
from kilter.cli.console import print_notes, print_result, progress_bar
from kilter.cli.judgments import judged_files, listed_files
from kilter.core.errors import OptionError
from kilter.core.settings import declared
from kilter.io.output import check_output
from kilter.render.chart.chart import interval_chart, line_chart
from kilter.render.chart.picture_file import check_picture_path, write_picture
from kilter.results.meta_result import (
    DEFAULT_MEASURES,
    RATING_MEASURES,
    AgreementMeasure,
    interval_rows,
)
from kilter.run.engine.choice import chosen_engine
from kilter.run.meta.evaluation_file import read_evaluation_file
from kilter.run.meta.evaluation_inputs import META_METRICS
from kilter.run.meta.language_pairs import scaled
from kilter.run.meta.meta import MetaSettings, meta
from kilter.run.meta.preset import meta_preset
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.cli.meta import MetaOptions
    from kilter.results.meta_result import MetaResult
    from kilter.results.preset_result import MetaPreset
    from kilter.run.meta.evaluation_inputs import EvaluationInputs


def measure_agreement(options: MetaOptions) -> None:
    """Write how well metrics agree with people, as the options of the command say."""
    plot = options.plot
    if plot:
        named = [*judged_files(options, options.files), *options.scores.values()]
        check_picture_path(plot, named, called=f"--plot {plot}")
    pairs, asked = _asked(options)
    measures = tuple(dict.fromkeys(options.measures or asked or DEFAULT_MEASURES))
    _refuse_idle(measures)
    if plot:
        inputs = [file for each in pairs.values() for file in _files(each)]
        check_output(plot, inputs, called=f"--plot {plot}")
    choice = options.engine
    if options.preset:
        _write_preset(options, pairs, options.preset)
        return
    with (
        progress_bar("scoring systems", quiet=options.quiet) as progress,
        chosen_engine(choice) as engine,
    ):
        result = meta(
            pairs,
            replace(options.comparison, measures=measures),
            baselines=options.baselines,
            engine=None if choice.in_process else engine,
            progress=progress,
        )
    if plot:
        write_picture(plot, _chart(result))
    print_result(result, options.format, details=options.details)
    print_notes(result.notes, quiet=options.quiet)


def _write_preset(
    options: MetaOptions, pairs: Mapping[str, EvaluationInputs], preset: MetaPreset
) -> None:
    """Write the tasks of a campaign."""
    choice = options.engine
    with (
        progress_bar("scoring systems", quiet=options.quiet) as progress,
        chosen_engine(choice) as engine,
    ):
        result = meta_preset(
            pairs,
            preset,
            options.comparison,
            ranks=options.ranks,
            engine=None if choice.in_process else engine,
            progress=progress,
        )
    print_result(result, options.format)
    print_notes(result.notes, quiet=options.quiet)


def _files(inputs: EvaluationInputs) -> list[str]:
    """Return what an evaluation file names beside files of links and trees."""
    named = (inputs.judgments, inputs.ratings, inputs.source, *inputs.references, *inputs.systems)
    return [*filter(None, named), *inputs.scores.values(), *listed_files(inputs.systems)]


def _asked(
    options: MetaOptions,
) -> tuple[Mapping[str, EvaluationInputs], Sequence[AgreementMeasure]]:
    """Return inputs by language pair, and the measures of the evaluation file if there is one."""
    settings = options.settings
    if options.evaluation:
        base = Settings(
            metrics=(),
            resampling=settings.resampling,
            cache=settings.cache,
            jobs=settings.jobs,
        )
        evaluation = read_evaluation_file(options.evaluation, base)
        if settings.metrics:
            evaluation = evaluation.with_metrics(settings.specifications)
        rated = all(inputs.ratings for inputs in evaluation.pairs.values())
        return evaluation.pairs, evaluation.measures or (RATING_MEASURES if rated else ())
    metrics = settings.metrics or (() if options.scores else META_METRICS)
    inputs = options.files.inputs(
        replace(settings, metrics=metrics),
        scores=options.scores,
        lower_is_better=options.lower_is_better,
        published=options.published,
        ratings=options.ratings,
    )
    return {options.files.pair or "": inputs}, RATING_MEASURES if options.ratings else ()


_LOOKED_AT = {
    "tie_rule": ("says what pairs count that a metric ties", (AgreementMeasure.SEGMENT_TAU,)),
    "human_ties": (
        "is about win ratios of systems",
        (AgreementMeasure.SYSTEM_SPEARMAN, AgreementMeasure.SYSTEM_PEARSON),
    ),
    "threshold": (
        "makes ties of human scores in pairs",
        (AgreementMeasure.SEGMENT_TAU, AgreementMeasure.CONSISTENCY, AgreementMeasure.ACCURACY),
    ),
}
"""What options say, and which measures look at it."""


def _refuse_idle(measures: Sequence[AgreementMeasure]) -> None:
    """Raise an `OptionError` for an option that no measure looks at."""
    given = given_names()
    for name, (said, by) in _LOOKED_AT.items():
        if name in given and not {*by} & {*measures}:
            called = "--threshold" if name == "threshold" else declared(MetaSettings)[name].called
            raise OptionError(
                f"{called} {said}, and no measure asked for ({', '.join(measures)}) looks at them; leave it out, or "
                f"add --measure {' or '.join(by)}"
            )


def _chart(result: MetaResult) -> str:
    """Return values with intervals, or for several language pairs the scaled plot. [PEF] figure 5"""
    measure = result.measures[0]
    if len(result.pairs) == 1:
        return interval_chart(interval_rows(result.pairs[0], measure), title=str(measure))
    lines = {
        name: [(float(place), value) for place, value in enumerate(row)]
        for name, row in scaled(result.table(measure)).items()
    }
    return line_chart(
        lines,
        title=f"{measure}, scaled to worst 0 and best 1",
        x="language pair",
        y=f"scaled {measure}",
        labels=[pair.name for pair in result.pairs],
    )
