"""`kilter survey analyse`: from judgments to the tables and figures of a results chapter."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.option.execution import quiet_option, resampling_options
from kilter.cli.option.output import output_folder_option
from kilter.cli.option.setting import chosen_resampling, metric_option, setting_option
from kilter.cli.option.survey import database_option, running_study
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.core.errors import OptionError
from kilter.io.table import number
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Options
    from kilter.study.analysis.judgment_study import JudgmentStudy
    from kilter.study.chapter.analysis_settings import AnalysisSettings


@click.command("analyse")
@click.argument("export", required=False, type=click.Path(path_type=Path))
@output_folder_option("A new folder for the report.")
@click.option("--study", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Analyse what this study has collected so far, in the place of an export.")  # fmt: skip
@database_option
@click.option("--scores", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Scores of external tools: CSV, TSV, JSON lines, or a file of WMT's metrics tasks; may be "
                   "repeated.")  # fmt: skip
@metric_option(
    "Only this metric; may be repeated.  [default: all, and every variant of dted and derp]"
)
@setting_option(
    Settings,
    "aligner",
    help="A configuration's aligner; may be repeated.  [default: match and ribes]",
)
@setting_option(
    Settings,
    "parser",
    help="A configuration's parser; may be repeated.  [default: model and perceptron]",
)
@click.option("--adjustment", type=click.Choice(["anova", "reml", "none"]), default="anova",
              show_default=True, help="How differences between participants are estimated: in closed form, "
                                      "with crossed effects of sentences, or not at all.")  # fmt: skip
@click.option("--shared-only", is_flag=True,
              help="Estimate them on the sentences that all questionnaires share.")  # fmt: skip
@click.option("--split", "splits", multiple=True, metavar="FIELD[=THRESHOLD]",
              help="Compare groups of participants by one more field; may be repeated.")  # fmt: skip
@click.option("--smallest-group", type=click.IntRange(min=1), metavar="NUMBER",
              help="Groups and answers of fewer participants are put together, or hidden.  [default: 5]")  # fmt: skip
@click.option("--by-tool", is_flag=True,
              help="Estimate differences between participants for each tool, with its scores as the predictor.")  # fmt: skip
@click.option("--published", is_flag=True, help="Show published figures beside those of the study.")
@click.option("--baseline", "baselines", multiple=True, metavar="TOOL",
              help="One more tool that the hypotheses' variants must outperform; may be repeated.")  # fmt: skip
@click.option("--correction", type=click.Choice(["holm", "none"]), default="holm", show_default=True,
              help="How p-values of many comparisons are corrected before two stars are given.")  # fmt: skip
@click.option("--no-png", is_flag=True, help="Write figures as SVG only.")
@resampling_options
@quiet_option
def command(
    *,
    export: Path | None,
    output: Path,
    folder: Path | None,
    database: str | None,
    scores: tuple[Path, ...],
    no_png: bool,
    quiet: bool,
    **options: object,
) -> None:
    """Analyse the judgments in EXPORT, a folder that 'export' or 'simulate' wrote.

    The report is a folder: index.html reads like a results chapter, and each analysis has a folder of its own
    with its table as CSV, JSON, Markdown and LaTeX and its figures as SVG and PNG.

    \b
    Examples:
      kilter survey analyse export/ -o report/
      kilter survey analyse --study study/ -o report/ --split gender --scores external.csv
    """
    if (export is None) == (folder is None):
        raise click.UsageError("name either an export or --study FOLDER")
    if folder is None and database is not None:
        raise click.UsageError("--database goes with --study")
    from kilter.study.analysis.score_file import read_scores
    from kilter.study.chapter.analysis import (
        analyse_study,
        scored,
        write_analysis,
    )
    from kilter.study.chapter.report_folder import check_report_folder

    settings = _settings(options)
    check_report_folder(output, png=not no_png)
    study = _read(export, folder, database)
    settings.check(study)
    for path in scores:
        study = study.with_tools(read_scores(path, study))
    with progress_bar("scoring", quiet=quiet) as bar:
        study = scored(study, settings, progress=bar)
    for note in () if quiet else study.notes:
        say(note)
    settings.check_tools(study)
    with progress_bar("analysing", quiet=quiet) as bar:
        analysis = analyse_study(study, settings, progress=bar)
    with progress_bar("writing", quiet=quiet) as bar:
        count = write_analysis(analysis, output, png=not no_png, progress=bar)
    if not quiet:
        click.echo(f"{output / 'index.html'}: {count} analyses", err=True)


def _read(export: Path | None, folder: Path | None, database: str | None) -> JudgmentStudy:
    from kilter.study.analysis.collected_study import study_of
    from kilter.study.analysis.export_reader import read_export

    if export is not None:
        return read_export(export)
    assert folder is not None  # noqa: S101 - one of the two is given
    with running_study(folder, database) as running:
        return study_of(running.collected(), secret=running.keys.secret)


def _settings(options: Options) -> AnalysisSettings:
    from kilter.study.analysis.adjustment import EffectSource, Estimator
    from kilter.study.chapter.analysis_settings import AnalysisSettings
    from kilter.study.chapter.tool_correlation import Correction

    usual = AnalysisSettings()
    adjustment = options["adjustment"]
    return AnalysisSettings(
        metrics=options["metrics"] or usual.metrics,
        aligners=options["aligner"] or usual.aligners,
        parsers=options["parser"] or usual.parsers,
        adjustment=None if adjustment == "none" else Estimator(adjustment),
        source=EffectSource.SHARED if options["shared_only"] else EffectSource.ALL,
        splits=tuple(map(_split, options["splits"])),
        baselines=options["baselines"],
        smallest_group=options["smallest_group"] or usual.smallest_group,
        by_tool=options["by_tool"],
        published=options["published"],
        correction=Correction(options["correction"]),
        resampling=chosen_resampling(options),
    )


def _split(text: str) -> tuple[str, float | None]:
    field, given, threshold = text.partition("=")
    if not given:
        return field, None
    value = number(threshold)
    if not field or value is None or isnan(value):
        raise OptionError(
            f"--split is {text!r}; write a field of participants, or a field, = and a number"
        )
    return field, value
