"""`kilter survey analyse`: from judgments to the tables and figures of a results chapter."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.console import print_notes, progress_bar
from kilter.cli.fields import (
    metrics_setting,
    output_folder_setting,
    quiet_setting,
)
from kilter.cli.survey.study import database_setting, running_study
from kilter.core.errors import OptionError
from kilter.core.settings import argument, flag, like, setting
from kilter.io.table import number
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from kilter.study.analysis.settings import AnalysisSettings
    from kilter.study.design.hypothesis import Hypotheses
    from kilter.study.judgments.judgment_study import JudgmentStudy


@dataclass(frozen=True, kw_only=True)
class AnalyseStudyOptions:
    """What is analysed, and what is written."""

    export: Path | None = argument(default=None)
    output: Path = output_folder_setting("New folder for the report.")
    folder: Path | None = setting(
        "--study",
        default=None,
        metavar="FOLDER",
        description="Analyse the answers that this study has so far.",
    )
    database: str | None = database_setting(needs="folder")
    scores: tuple[Path, ...] = setting(
        default=(),
        metavar="FILE",
        description="File with scores of other tools; repeatable.",
    )
    metrics: tuple[str, ...] = metrics_setting(
        "Analyse only this metric; repeatable.  [default: all]"
    )
    aligner: tuple[str, ...] = like(
        Settings,
        "aligner",
        default=(),
        description="Aligner to analyse; repeatable.  [default: match and ribes]",
    )
    parser: tuple[str, ...] = like(
        Settings,
        "parser",
        default=(),
        description="Parser to analyse; repeatable.  [default: model, perceptron]",
    )
    adjustment: str = setting(
        default="anova",
        choices=(
            "anova",
            "reml",
            "none",
        ),
        description="How differences between people are estimated.",
    )
    shared_only: bool = flag(description="Estimate them on the sentences of all questionnaires.")
    splits: tuple[str, ...] = setting(
        "--split",
        default=(),
        metavar="FIELD[=THRESHOLD]",
        description="Further field to group participants by; repeatable.",
    )
    smallest_group: int | None = setting(
        "--min-group-size",
        old=("--smallest-group",),
        default=None,
        metavar="N",
        low=1,
        description="Merge or hide groups smaller than this.  [default: 5]",
    )
    by_tool: bool = flag(description="Estimate differences between participants for each tool.")
    published: bool = flag(description="Show published figures beside those of the study.")
    baselines: tuple[str, ...] = setting(
        "--baseline",
        default=(),
        metavar="TOOL",
        description="Further tool that hypotheses compare with; repeatable.",
    )
    hypotheses: Path | None = setting(
        default=None,
        metavar="FILE",
        description="TOML file with hypotheses.  [default: the study's or the thesis']",
    )
    correction: str = setting(
        default="holm",
        choices=(
            "holm",
            "none",
        ),
        description="Correction of p-values for many comparisons.",
    )
    no_png: bool = flag(description="Write figures as SVG only.")
    resampling: Resampling = field(default_factory=Resampling)
    quiet: bool = quiet_setting()


@settings_command("analyse")
def command(options: AnalyseStudyOptions) -> None:
    """Analyse the judgments in EXPORT, a folder that 'export' or 'simulate' wrote.

    The report is a folder: index.html reads like a results chapter, and each analysis has a folder of its own
    with its table as CSV, JSON, Markdown and LaTeX and its figures as SVG and PNG.

    \b
    Examples:
      kilter survey analyse export/ -o report/
      kilter survey analyse --study study/ -o report/ --split gender --scores external.csv
    """
    if (options.export is None) == (options.folder is None):
        raise click.UsageError("name either an export or --study FOLDER")
    from kilter.study.analysis.report_folder import (
        analyse_study,
        check_report_folder,
        scored,
        write_analysis,
    )
    from kilter.study.judgments.score_file import read_scores

    settings = _settings(options)
    check_report_folder(options.output, png=not options.no_png)
    study = _read(options.export, options.folder, options.database)
    settings.check(study)
    for path in options.scores:
        study = study.with_tools(read_scores(path, study))
    with progress_bar("scoring", quiet=options.quiet) as bar:
        study = scored(study, settings, progress=bar)
    print_notes(study.notes, quiet=options.quiet)
    settings.check_tools(study)
    with progress_bar("analysing", quiet=options.quiet) as bar:
        analysis = analyse_study(study, settings, progress=bar)
    with progress_bar("writing", quiet=options.quiet) as bar:
        count = write_analysis(analysis, options.output, png=not options.no_png, progress=bar)
    if not options.quiet:
        click.echo(f"{options.output / 'index.html'}: {count} analyses", err=True)


def _read(export: Path | None, folder: Path | None, database: str | None) -> JudgmentStudy:
    from kilter.study.judgments.collected_study import study_of
    from kilter.study.judgments.study_table import read_export

    if export is not None:
        return read_export(export)
    assert folder is not None  # noqa: S101 - one of the two is given
    with running_study(folder, database) as running:
        return study_of(running.collected(), secret=running.keys.secret)


def _settings(options: AnalyseStudyOptions) -> AnalysisSettings:
    from kilter.study.analysis.adjustment import EffectSource, Estimator
    from kilter.study.analysis.settings import AnalysisSettings
    from kilter.study.analysis.tool_correlation import Correction

    usual = AnalysisSettings()
    adjustment = options.adjustment
    return AnalysisSettings(
        metrics=options.metrics or usual.metrics,
        aligners=options.aligner or usual.aligners,
        parsers=options.parser or usual.parsers,
        adjustment=None if adjustment == "none" else Estimator(adjustment),
        source=EffectSource.SHARED if options.shared_only else EffectSource.ALL,
        splits=tuple(map(_split, options.splits)),
        baselines=options.baselines,
        smallest_group=options.smallest_group or usual.smallest_group,
        by_tool=options.by_tool,
        published=options.published,
        hypotheses=_hypotheses(options),
        correction=Correction(options.correction),
        resampling=options.resampling,
    )


def _hypotheses(options: AnalyseStudyOptions) -> Hypotheses:
    from kilter.study.design.hypothesis import Hypotheses, read_hypotheses
    from kilter.study.design.study import STUDY_FILE

    path = options.hypotheses
    if path is None and options.folder is not None:
        path = options.folder / STUDY_FILE
    return Hypotheses() if path is None else read_hypotheses(path)


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
