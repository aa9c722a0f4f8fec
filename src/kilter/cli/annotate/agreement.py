"""`kilter annotate agreement`: annotators against one another, and against what was adjudicated."""

from __future__ import annotations

from pathlib import Path

from kilter.cli.annotate.project import database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.core.settings import argument, flag, mixed
from kilter.render.table.table import TableFormat
from kilter.results.links import LinkComparisons
from kilter.stats.resampling import Resampling
from kilter.study.annotation.annotator_agreement import annotator_agreement


@settings_command("agreement")
def command(
    *,
    folder: Path = argument(),
    intervals: bool = flag(description="Add 95% bootstrap intervals (over sentences)."),
    resampling: Resampling = mixed(Resampling),
    database: str | None = database_setting(),
    format: TableFormat = format_setting(),
) -> None:
    """Write how well the links of the annotators in FOLDER agree: first against second, taken as right.

    Sentences count that both are done with; links are compared where both have the same translation, the
    reorderings that they imply (FRS) in all.
    """
    resampling = Resampling(
        resamples=resampling.resamples,
        seed=resampling.seed,
        jobs=resampling.jobs,
    )
    with running_project(folder, database) as running:
        found = annotator_agreement(
            running.project,
            running.store.annotations.all(),
            resampling=resampling if intervals else None,
        )
    print_result(LinkComparisons(found), format)
