"""`kilter annotate agreement`: annotators against one another, and against what was adjudicated."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.annotation import database_option, running_project
from kilter.cli.option.execution import resampling_options
from kilter.cli.option.form import format_option
from kilter.cli.talk.terminal import print_result
from kilter.results.links import LinkComparisons
from kilter.stats.resampling import Resampling
from kilter.study.annotation.annotator_agreement import annotator_agreement


@click.command("agreement")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--intervals", is_flag=True, help="Add bootstrap intervals over sentences, of 95%.")
@resampling_options
@database_option
@format_option
def command(
    *,
    folder: Path,
    intervals: bool,
    resamples: int | None,
    seed: int,
    jobs: int,
    database: str | None,
    form: str,
) -> None:
    """Write how well the links of the annotators in FOLDER agree: first against second, taken as right.

    Sentences count that both are done with; links are compared where both have the same translation, the
    reorderings that they imply (FRS) in all.
    """
    resampling = Resampling(resamples=resamples, seed=seed, jobs=jobs)
    with running_project(folder, database) as running:
        found = annotator_agreement(
            running.project,
            running.store.annotations.all(),
            resampling=resampling if intervals else None,
        )
    print_result(LinkComparisons(found), form)
