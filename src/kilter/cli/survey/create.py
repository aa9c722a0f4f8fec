"""`kilter survey create`: questionnaires drawn from a description of a study."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from kilter.cli.option.execution import quiet_flag
from kilter.formats.text import read_text
from kilter.survey.design.creation import NewStudy, create, write_example


@click.command("create")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--example", is_flag=True, help="Make a working example study in a new folder.")
@click.option("--password-file", metavar="FILE",
              help="The researcher's password is the first line of this file.  [default: a new one, "
                   "shown once]")  # fmt: skip
@quiet_flag("Write only the password.")
def command(*, folder: Path, example: bool, password_file: str | None, quiet: bool) -> None:
    """Draw the questionnaires of the study that FOLDER/study.toml describes.

    Standard output says what was drawn and what could not be satisfied. The same seed draws the same.

    \b
    Examples:
      kilter survey create study/
      kilter survey create --example study/
    """
    password = read_text(password_file)[0] if password_file is not None else None
    if example:
        write_example(folder)
    created = create(folder, password=password)
    if not quiet:
        _describe(created)
    if password is None:
        click.echo(f"password of the researcher, shown only now: {created.password}")


def _describe(created: NewStudy) -> None:
    study, design = created.study, created.design
    sizes = {len(entry.items) for entry in design.questionnaires}
    shared = sum(item.shared for item in design.items)
    click.echo(
        f"{len(design.questionnaires)} questionnaires of {'-'.join(map(str, sorted(sizes)))} items, "
        f"{shared} of them shared; {len(design.items)} items in all, seed {study.seed}"
    )
    kinds = Counter(f"{item.kind} {item.type or ''}".strip() for item in design.items)
    for kind, count in sorted(kinds.items()):
        click.echo(f"  {count:4} {kind}")
    if design.notes:
        click.echo(f"{len(design.notes)} wishes could not be satisfied:")
        for note in design.notes:
            click.echo(f"  {note}")
    else:
        click.echo("every row of the composition is satisfied")
