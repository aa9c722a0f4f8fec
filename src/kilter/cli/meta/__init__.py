"""`kilter meta`: how well metrics agree with people."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from kilter.agreement.agreement import DEFAULT_MEASURES, HumanTies, Measure, Resample
from kilter.agreement.language_pairs import scaled
from kilter.agreement.metric_test import MetricTest
from kilter.agreement.pairwise import TieRule
from kilter.cli.group.once_group import OnceGroup
from kilter.cli.meta.sensitivity import command as sensitivity
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.judgment import (
    judgment_options,
    judgment_policy,
    metric_option,
    resample_options,
    resampling,
    study_inputs,
    tell,
    write_result,
)
from kilter.cli.talk.progress import progress_bar
from kilter.errors import OptionError
from kilter.pipeline.agreement.evaluation_file import read_study_file
from kilter.pipeline.agreement.evaluation_pair import StudyInputs
from kilter.pipeline.agreement.meta import META_METRICS, MetaResult, MetaSettings, meta
from kilter.reports.chart.chart import interval_chart, line_chart
from kilter.reports.chart.picture_file import check_picture_path, write_picture
from kilter.reports.table.agreement import agreement_rows, interval_rows, write_agreement

# What a study file says itself.
_OF_STUDY = frozenset(field.name for field in fields(StudyInputs))


@click.group("meta", cls=OnceGroup, invoke_without_command=True)
@judgment_options
@click.option(
    "--study",
    type=FILE_NAME,
    metavar="FILE",
    help="A TOML file that describes one language pair or several.",
)
@metric_option("A metric; may be repeated. all: every metric that the inputs allow.")
@click.option(
    "--scores",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Segment scores of any metric, SYSTEM SEGMENT SCORE; may be repeated.",
)
@click.option(
    "--lower-is-better",
    multiple=True,
    metavar="NAME",
    help="A metric of --scores where less is better; may be repeated. Those of Kilter are known.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    type=click.Choice([str(m) for m in Measure]),
    help="A measure of agreement; may be repeated.  [default: segment_tau, consistency, "
    "system_spearman, system_pearson]",
)
@click.option(
    "--tau",
    "tie_rule",
    type=click.Choice([str(rule) for rule in TieRule]),
    default="wmt13",
    show_default=True,
    help="What a pair counts that only the metric ties.",
)
@click.option(
    "--human-ties",
    type=click.Choice([str(rule) for rule in HumanTies]),
    default="leave",
    show_default=True,
    help="Human ties in win ratios: leave out, or count in the denominator.",
)
@click.option(
    "--resample",
    type=click.Choice([str(kind) for kind in Resample]),
    default="segments",
    show_default=True,
    help="What intervals draw with replacement.",
)
@click.option(
    "--test",
    type=click.Choice([str(test) for test in MetricTest]),
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
    help="A metric to count wins against over language pairs; may be repeated.",
)
@click.option(
    "--published", metavar="DATA", help="Data set whose printed numbers stand beside ours."
)
@click.option(
    "--plot",
    type=FILE_NAME,
    metavar="FILE",
    help="Draw the first measure into this file (.svg or .png).",
)
@resample_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Compare metrics, or files of scores, with human judgments.

    \b
    Examples:
      kilter meta --judgments pairs.tsv -r reference.txt --systems outputs -m pef -m bleu
      kilter meta --judgments da.tsv --scores comet=comet.tsv --measure pearson_item
      kilter meta --study study.toml --baseline bleu --format md
    """
    if context.invoked_subcommand is not None:
        return
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
    found: dict[str, str] = {}
    for entry in given:
        name, equals, path = entry.partition("=")
        if not equals:
            name, path = Path(entry).name.partition(".")[0], entry
        if name in found:
            raise OptionError(f"two files of scores are called {name!r}; write --scores NAME=FILE")
        found[name] = path
    return found


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
        resampling=resampling(options),
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


command.add_command(sensitivity)
