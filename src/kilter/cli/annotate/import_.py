"""`kilter annotate import`: links and translations of files."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class AnnotationImportOptions:
    """What is imported, and for whom."""

    folder: Path = argument()
    annotator: str | None = setting(default=None, metavar="NAME", description="Whose they become.")
    adjudicated: bool = flag(description="They become what adjudicators have decided on.")
    links: InputFile | None = setting(default=None, description="Links, one line a sentence.")
    link_format: LinkFormat | None = setting(
        default=None, description="How the links are written.  [default: found out]"
    )
    translations: InputFile | None = setting(
        default=None, description="Translations, one line a sentence."
    )
    replace: bool = flag(description="Replace what is there already.")
    done: bool = flag(description="These sentences are done, not only begun.")
    database: str | None = database_setting()
    quiet: bool = quiet_setting()


@settings_command("import")
def command(options: AnnotationImportOptions) -> None:
    """Add links and translations to the project in FOLDER: all of them, or nothing if anything is wrong.

    Files have a line for each sentence of the project, empty where there is nothing to import.

    \b
    Example:
      kilter annotate import project/ --annotator Ada --links ada.links --done
    """
    if (options.annotator is not None) == options.adjudicated:
        raise click.UsageError("give one of --annotator NAME and --adjudicated")
    account = options.annotator if options.annotator is not None else ADJUDICATED
    with running_project(options.folder, options.database) as running:
        annotations = running.store.annotations
        found = read_annotations(
            running.project,
            account,
            annotations.of_account(account),
            links=options.links,
            translations=options.translations,
            link_format=options.link_format,
            replace=options.replace,
            done=options.done,
        )
        annotations.enter(found)
        running.note("import", f"{len(found)} of {account}")
    if not options.quiet:
        state = SentenceState.DONE if options.done else SentenceState.BEGUN
        click.echo(f"imported {counted(len(found), 'sentence')} of {account}, {state}", err=True)
