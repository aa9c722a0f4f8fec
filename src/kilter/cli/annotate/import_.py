"""`kilter annotate import`: links and translations of files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.annotation import database_option, running_project
from kilter.cli.option.execution import quiet_option
from kilter.cli.option.form import choice
from kilter.core.counted import counted
from kilter.io.link_format import LinkFormat
from kilter.study.annotation.annotation import SentenceState
from kilter.study.annotation.intake import read_annotations
from kilter.study.annotation.project import ADJUDICATED


@click.command("import")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--annotator", metavar="NAME", help="Whose they become.")
@click.option("--adjudicated", is_flag=True, help="They become what adjudicators have decided on.")
@click.option("--links", type=FILE_NAME, metavar="FILE", help="Links, one line a sentence.")
@click.option("--link-format", type=choice(LinkFormat),
              help="How the links are written.  [default: found out]")  # fmt: skip
@click.option("--translations", type=FILE_NAME, metavar="FILE",
              help="Translations, one line a sentence.")  # fmt: skip
@click.option("--replace", is_flag=True, help="Replace what is there already.")
@click.option("--done", is_flag=True, help="These sentences are done, not only begun.")
@database_option
@quiet_option
def command(
    *,
    folder: Path,
    annotator: str | None,
    adjudicated: bool,
    links: str | None,
    link_format: str | None,
    translations: str | None,
    replace: bool,
    done: bool,
    database: str | None,
    quiet: bool,
) -> None:
    """Add links and translations to the project in FOLDER: all of them, or nothing if anything is wrong.

    Files have a line for each sentence of the project, empty where there is nothing to import.

    \b
    Example:
      kilter annotate import project/ --annotator Ada --links ada.links --done
    """
    if (annotator is not None) == adjudicated:
        raise click.UsageError("give one of --annotator NAME and --adjudicated")
    account = annotator if annotator is not None else ADJUDICATED
    with running_project(folder, database) as running:
        annotations = running.store.annotations
        found = read_annotations(
            running.project,
            account,
            annotations.of_account(account),
            links=links,
            translations=translations,
            link_format=link_format,
            replace=replace,
            done=done,
        )
        annotations.enter(found)
        running.note("import", f"{len(found)} of {account}")
    if not quiet:
        state = SentenceState.DONE if done else SentenceState.BEGUN
        click.echo(f"imported {counted(len(found), 'sentence')} of {account}, {state}", err=True)
