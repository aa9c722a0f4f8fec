"""What `kilter meta` does with its options: reads an evaluation, compares, writes and draws."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

from kilter.agreement.agreement import DEFAULT_MEASURES, HumanTies, Measure, Resample
from kilter.agreement.language_pairs import scaled
from kilter.agreement.metric_test import MetricTest
from kilter.agreement.pairwise import TieRule
from kilter.cli.option.judgment import (
    judgment_policy,
    study_inputs,
    tell,
    write_result,
)
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.talk.progress import progress_bar
from kilter.errors import OptionError
from kilter.pipeline.agreement.evaluation_file import read_study_file
from kilter.pipeline.agreement.evaluation_pair import StudyInputs
from kilter.pipeline.agreement.meta import META_METRICS, MetaResult, MetaSettings, meta
from kilter.reports.chart.chart import interval_chart, line_chart
from kilter.reports.chart.picture_file import check_picture_path, write_picture
from kilter.reports.table.agreement import agreement_rows, interval_rows, write_agreement

if TYPE_CHECKING:
    import click

# What a study file says itself.
_OF_STUDY = frozenset(field.name for field in fields(StudyInputs))


def measure_agreement(context: click.Context, options: dict[str, Any]) -> None:
    """Write how well metrics agree with people, as the options of the command say."""
    if options["plot"]:
        check_picture_path(options["plot"])
    inputs, asked = _inputs(context, options)
    with progress_bar("scoring systems", quiet=options["quiet"]) as progress:
        result = meta(
            inputs,
            _settings(options, asked),
            baselines=options["baselines"],
            progress=progress,
        )
    document = result.to_dict()
    if options["plot"]:
        write_picture(options["plot"], _chart(result, document))
    write_result(document, options["form"], rows=agreement_rows, pages=write_agreement)
    tell(result.notes(), quiet=options["quiet"])


def _inputs(
    context: click.Context, options: dict[str, Any]
) -> tuple[dict[str, StudyInputs], dict[str, list[str]]]:
    if not options["study"]:
        files = study_inputs(
            options,
            scores=_score_files(options["scores"]),
            lower_is_better=options["lower_is_better"],
            published=options["published"],
        )
        return {options["pair"] or "": files}, {}
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name))
        if option.name in _OF_STUDY and given is ParameterSource.COMMANDLINE:
            raise OptionError(f"the study file says what {option.opts[-1]} is for; leave it out")
    return read_study_file(options["study"])


def _score_files(given: tuple[str, ...]) -> dict[str, str]:
    files: dict[str, str] = {}
    for entry in given:
        name, equals, path = entry.partition("=")
        if not equals:
            name, path = Path(entry).name.partition(".")[0], entry
        if name in files:
            raise OptionError(f"two files of scores are called {name!r}; write --scores NAME=FILE")
        files[name] = path
    return files


def _settings(options: dict[str, Any], asked: dict[str, list[str]]) -> MetaSettings:
    by_file = bool(options["scores"]) or bool(options["study"])
    listed = options["metrics"] or asked.get("metrics")
    measures = options["measures"] or asked.get("measures") or DEFAULT_MEASURES
    return MetaSettings(
        metrics=tuple(listed if listed is not None else () if by_file else META_METRICS),
        measures=tuple(Measure(name) for name in dict.fromkeys(measures)),
        tie_rule=TieRule(options["tie_rule"]),
        human_ties=HumanTies(options["human_ties"]),
        resample=Resample(options["resample"]),
        test=MetricTest(options["test"]),
        controls=options["controls"],
        policy=judgment_policy(options),
        resampling=chosen_resampling(options),
    )


def _chart(result: MetaResult, document: dict[str, Any]) -> str:
    """Return values with intervals, or for several language pairs the scaled plot. [PEF] figure 5"""
    measure = result.settings.measures[0]
    if len(result.pairs) == 1:
        return interval_chart(interval_rows(document, measure), title=str(measure))
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
