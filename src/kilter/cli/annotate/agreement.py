"""`kilter annotate agreement`: annotators against one another, and against what was adjudicated."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kilter.cli.annotate.project import database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.fields import (
    format_setting,
)
from kilter.cli.talk.terminal import print_result
from kilter.core.settings import argument, flag
from kilter.render.table.table import TableFormat
from kilter.results.links import LinkComparisons
from kilter.stats.resampling import Resampling
from kilter.study.annotation.annotator_agreement import annotator_agreement


@dataclass(frozen=True, kw_only=True)
class AgreementOptions:
    """Which annotators are compared."""

    folder: Path = argument()
    intervals: bool = flag(description="Add bootstrap intervals over sentences, of 95%.")
    resampling: Resampling = field(default_factory=Resampling)
    database: str | None = database_setting()
    format: TableFormat = format_setting()


@settings_command("agreement")
def command(options: AgreementOptions) -> None:
    """Write how well the links of the annotators in FOLDER agree: first against second, taken as right.

    Sentences count that both are done with; links are compared where both have the same translation, the
    reorderings that they imply (FRS) in all.
    """
    resampling = Resampling(
        resamples=options.resampling.resamples,
        seed=options.resampling.seed,
        jobs=options.resampling.jobs,
    )
    with running_project(options.folder, options.database) as running:
        found = annotator_agreement(
            running.project,
            running.store.annotations.all(),
            resampling=resampling if options.intervals else None,
        )
    print_result(LinkComparisons(found), options.format)
