"""`kilter annotate import`: links and translations of files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.annotate.project import database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.fields import (
    quiet_setting,
)
from kilter.core.counted import counted
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.io.link_format import LinkFormat
from kilter.study.annotation.annotation import SentenceState
from kilter.study.annotation.intake import read_annotations
from kilter.study.annotation.project import ADJUDICATED


@settings_command("import")
def command(
    *,
    folder: Path = argument(),
    annotator: str | None = setting(
        default=None, metavar="NAME", description="Annotator to import for."
    ),
    adjudicated: bool = flag(description="Import as decisions of the adjudicators."),
    links: InputFile | None = setting(default=None, description="Links, one line per sentence."),
    link_format: LinkFormat | None = setting(
        default=None, description="Format of the links.  [default: detected]"
    ),
    translations: InputFile | None = setting(
        default=None, description="Translations, one per line."
    ),
    replace: bool = flag(description="Replace existing annotations."),
    done: bool = flag(description="Mark these sentences as done."),
    database: str | None = database_setting(),
    quiet: bool = quiet_setting(),
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
