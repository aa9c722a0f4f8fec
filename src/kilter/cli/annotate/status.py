"""`kilter annotate status`: how far a project is."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.annotation import database_option, running_project
from kilter.cli.option.form import format_option
from kilter.cli.talk.terminal import print_result
from kilter.study.annotation.status import annotation_status


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@format_option
def command(*, folder: Path, database: str | None, form: str) -> None:
    """Write how far everybody in the project in FOLDER is: sentences, seconds, findings of the linter."""
    with running_project(folder, database) as running:
        status = annotation_status(running.project, running.store.annotations.all())
    print_result(status, form)
