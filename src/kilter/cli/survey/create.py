"""`kilter survey create`: questionnaires drawn from a description of a study."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.option.execution import quiet_flag
from kilter.counted import counted
from kilter.formats.text import read_text
from kilter.survey.design.creation import SmallerStudyError, create, write_example

if TYPE_CHECKING:
    from kilter.survey.design.sampling import Design
    from kilter.survey.design.study import Study


@click.command("create")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--example", is_flag=True, help="Make a working example study in a new folder.")
@click.option("--password-file", metavar="FILE",
              help="The researcher's password is the first line of this file.  [default: a new one, "
                   "shown once]")  # fmt: skip
@click.option("--allow-smaller", is_flag=True,
              help="Go on where the texts cannot fill the composition.")  # fmt: skip
@quiet_flag("Write only the password.")
def command(
    *, folder: Path, example: bool, password_file: str | None, allow_smaller: bool, quiet: bool
) -> None:
    """Draw the questionnaires of the study that FOLDER/study.toml describes.

    Standard output says what was drawn. Texts that cannot fill the composition end it with exit code 3 and a
    list of what is missing, unless smaller questionnaires are allowed. The same seed draws the same.

    \b
    Examples:
      kilter survey create study/
      kilter survey create --example study/
    """
    password = read_text(password_file)[0] if password_file is not None else None
    if example:
        write_example(folder)
    try:
        created = create(folder, password=password, allow_smaller=allow_smaller)
    except SmallerStudyError as error:
        _describe(error.study, error.design, err=True)
        raise
    if not quiet:
        _describe(created.study, created.design)
    if password is None:
        click.echo(f"password of the researcher, shown only now: {created.password}")


def _describe(study: Study, design: Design, *, err: bool = False) -> None:
    sizes = {len(entry.items) for entry in design.questionnaires}
    shared = sum(item.shared for item in design.items)
    click.echo(
        f"{len(design.questionnaires)} questionnaires of {'-'.join(map(str, sorted(sizes)))} items, "
        f"{shared} of them shared; {len(design.items)} items in all, seed {study.seed}",
        err=err,
    )
    kinds = Counter(f"{item.kind} {item.type or ''}".strip() for item in design.items)
    for kind, count in sorted(kinds.items()):
        click.echo(f"  {count:4} {kind}", err=err)
    for note in design.notes:
        click.echo(f"note: {note}", err=err)
    if design.unmet:
        wishes = counted(len(design.unmet), "wish", plural="wishes")
        click.echo(f"{wishes} could not be satisfied:", err=err)
        for lack in design.unmet:
            click.echo(f"  {lack}", err=err)
    else:
        click.echo(
            "checked: every row of the composition is filled, and every permutation is beside the translation "
            "of its sentence"
        )
