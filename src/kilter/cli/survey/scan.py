"""`kilter survey scan`: answers read from scanned or photographed booklets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    quiet_setting,
)
from kilter.cli.survey.study import (
    database_setting,
    group_setting,
    needs_extra,
    participants_setting,
    running_study,
)
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.io.stream import ByteSource
from kilter.study.paper.form import read_forms

if TYPE_CHECKING:
    from kilter.study.exchange.scan import ScanOutcome

_NAME = re.compile(r"[\w .-]{1,100}")


@settings_command("scan")
def command(
    *,
    folder: Path = argument(),
    scans: tuple[Path, ...] = argument(),
    forms: Path = setting(
        metavar="DIR", description="Folder of booklets written by 'kilter survey print'."
    ),
    review: Path | None = setting(
        default=None,
        metavar="DIR",
        description="Folder for answers to confirm.  [default: review in FOLDER]",
    ),
    participant: str | None = setting(
        default=None,
        metavar="NAME",
        description="Participant of all pages.  [default: as booklets say]",
    ),
    participants: InputFile | None = participants_setting(),
    group: str | None = group_setting(),
    incomplete: bool = flag(description="Import booklets with missing pages as well."),
    database: str | None = database_setting(),
    quiet: bool = quiet_setting(),
) -> None:
    """Read SCANS of booklets of the study in FOLDER: PNG, JPEG, TIFF and PDF files, and folders of them.

    Booklets whose answers are all clear are imported. Doubtful answers are shown in the review folder:
    fill in its review.csv and run the same command again.

    \b
    Examples:
      kilter survey scan study/ scans/ --forms booklets/
      kilter survey scan study/ anna.pdf --forms booklets/ --participant anna
    """
    if participant is not None and not _NAME.fullmatch(participant):
        raise OptionError(
            f"--participant is {participant!r}; write letters, digits, blanks, dots and dashes"
        )
    with running_study(folder, database) as running:
        with needs_extra("paper"):
            from kilter.study.exchange.scan import scan_booklets
        if group is not None:
            running.study.recruitment.checked_group(group)
        scanned = scan_booklets(
            running,
            scans,
            forms=read_forms(forms),
            review=review or folder / "review",
            participant=participant,
            personal=None if participants is None else (_read(participants), participants),
            incomplete=incomplete,
            group=group,
        )
    _report(scanned, quiet=quiet)


def _read(name: str) -> bytes:
    return b"".join(ByteSource(name).chunks())


def _report(scanned: ScanOutcome, *, quiet: bool) -> None:
    """Name every page and booklet that is not simply imported, and end with an error if any waits."""
    for problem in scanned.problems:
        click.echo(problem.for_command())
    for note in scanned.notes:
        click.echo(note)
    for name, said in scanned.held_back.items():
        click.echo(f"{name}: not imported: {said}")
    if not quiet:
        for name, said in scanned.imported.items():
            click.echo(f"{name}: imported {said}", err=True)
        for said in scanned.consent:
            click.echo(said, err=True)
        pictures = counted(scanned.pictures, "picture")
        click.echo(f"{pictures}; imported {counted(len(scanned.imported), 'booklet')}", err=True)
    if scanned.problems or scanned.held_back:
        raise InputError(
            f"{counted(len(scanned.problems), 'problem')}; "
            f"{counted(len(scanned.held_back), 'booklet')} not imported"
        )
