"""What `kilter meta` does with its options: reads an evaluation, compares, writes and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.core import ParameterSource

from kilter.cli.option.given_score import score_files
from kilter.cli.option.judgment import (
    evaluation_inputs,
    judged_files,
    judgment_policy,
    listed_files,
    tell,
    word_settings,
)
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result
from kilter.core.errors import OptionError
from kilter.io.output import check_output
from kilter.render.chart.chart import interval_chart, line_chart
from kilter.render.chart.picture_file import check_picture_path, write_picture
from kilter.results.meta_result import (
    DEFAULT_MEASURES,
    RATING_MEASURES,
    AgreementMeasure,
    Resample,
    interval_rows,
)
from kilter.run.engine.choice import chosen_engine
from kilter.run.meta.agreement import HumanTies
from kilter.run.meta.evaluation_file import PAIR_KEYS, read_evaluation_file
from kilter.run.meta.evaluation_inputs import META_METRICS
from kilter.run.meta.language_pairs import scaled
from kilter.run.meta.meta import MetaSettings, meta
from kilter.run.meta.metric_test import MetricTest
from kilter.run.meta.pair_count import TieRule
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import click

    from kilter.cli.option.option_list import Options
    from kilter.results.meta_result import MetaResult
    from kilter.run.meta.evaluation_inputs import EvaluationInputs


def measure_agreement(context: click.Context, options: Options) -> None:
    """Write how well metrics agree with people, as the options of the command say."""
    plot = options["plot"]
    if plot:
        check_picture_path(plot, judged_files(options), called=f"--plot {plot}")
    pairs, asked = _asked(context, options)
    measures = _measures(options, asked)
    _refuse_idle(context, measures)
    if plot:
        inputs = [file for each in pairs.values() for file in _files(each)]
        check_output(plot, inputs, called=f"--plot {plot}")
    choice = options["engine"]
    with (
        progress_bar("scoring systems", quiet=options["quiet"]) as progress,
        chosen_engine(choice) as engine,
    ):
        result = meta(
            pairs,
            _settings(options, measures),
            baselines=options["baselines"],
            engine=None if choice.in_process else engine,
            progress=progress,
        )
    if plot:
        write_picture(plot, _chart(result))
    print_result(result, options["form"])
    tell(result.notes, quiet=options["quiet"])


def _files(inputs: EvaluationInputs) -> list[str]:
    """Return what an evaluation file names beside files of links and trees."""
    named = (inputs.judgments, inputs.ratings, inputs.source, *inputs.references, *inputs.systems)
    return [*filter(None, named), *inputs.scores.values(), *listed_files(inputs.systems)]


def _asked(
    context: click.Context, options: Options
) -> tuple[Mapping[str, EvaluationInputs], Sequence[AgreementMeasure]]:
    """Return inputs by language pair, and the measures of the evaluation file if there is one."""
    drawn = chosen_resampling(options)
    if options["evaluation"]:
        for option in context.command.params:
            given = context.get_parameter_source(str(option.name))
            if option.name in PAIR_KEYS and given is ParameterSource.COMMANDLINE:
                raise OptionError(
                    f"the evaluation file says what {option.opts[-1]} is for; leave it out"
                )
        base = Settings(metrics=(), resampling=drawn, cache=options["cache"], jobs=options["jobs"])
        evaluation = read_evaluation_file(options["evaluation"], base)
        if options["metrics"]:
            evaluation = evaluation.with_metrics(options["metrics"])
        rated = all(inputs.ratings for inputs in evaluation.pairs.values())
        return evaluation.pairs, evaluation.measures or (RATING_MEASURES if rated else ())
    metrics = options["metrics"] or (() if options["scores"] else META_METRICS)
    inputs = evaluation_inputs(
        options,
        word_settings(options, metrics=metrics, resampling=drawn),
        scores=score_files(options["scores"]),
        lower_is_better=options["lower_is_better"],
        published=options["published"],
        ratings=options["ratings"],
    )
    return {options["pair"] or "": inputs}, RATING_MEASURES if options["ratings"] else ()


def _measures(options: Options, asked: Sequence[AgreementMeasure]) -> tuple[AgreementMeasure, ...]:
    measures = options["measures"] or asked or DEFAULT_MEASURES
    return tuple(AgreementMeasure(name) for name in dict.fromkeys(measures))


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


def _refuse_idle(context: click.Context, measures: Sequence[AgreementMeasure]) -> None:
    """Raise an `OptionError` for an option that no measure looks at."""
    for option in context.command.params:
        said, by = _LOOKED_AT.get(str(option.name), ("", ()))
        given = context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
        if by and given and not {*by} & {*measures}:
            raise OptionError(
                f"{option.opts[-1]} {said}, and no measure asked for ({', '.join(measures)}) looks at them; leave it out, or "
                f"add --measure {' or '.join(by)}"
            )


def _settings(options: Options, measures: tuple[AgreementMeasure, ...]) -> MetaSettings:
    return MetaSettings(
        measures=measures,
        tie_rule=TieRule(options["tie_rule"]),
        human_ties=HumanTies(options["human_ties"]),
        resample=Resample(options["resample"]),
        test=MetricTest(options["test"]),
        controls=options["controls"],
        policy=judgment_policy(options),
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
