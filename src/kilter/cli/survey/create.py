"""`kilter survey create`: questionnaires drawn from a description of a study."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.console import progress_bar
from kilter.cli.fields import (
    quiet_setting,
)
from kilter.cli.survey.drawn_study import all_problems, describe, permutations_setting
from kilter.cli.survey.study import password_in
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.study.design.creation import SmallerStudyError, chosen_password, create, write_example


@settings_command("create")
def command(
    *,
    folder: Path = argument(),
    example: bool = flag(description="Create a working example study in a new folder."),
    password_file: InputFile | None = setting(
        default=None,
        description="File with the researcher's password.  [default: generated]",
    ),
    allow_smaller: bool = flag(
        description="Continue when there are too few texts for the composition."
    ),
    permutations: bool = permutations_setting(),
    quiet: bool = quiet_setting("Print only the password."),
) -> None:
    """Draw the questionnaires of the study that FOLDER/study.toml describes.

    Standard output says what was drawn. Everything that is wrong with the study is listed, with exit code 2.
    Texts that cannot fill the composition end it with exit code 3 and a list of what is missing, unless
    smaller questionnaires are allowed. The same seed draws the same.

    \b
    Examples:
      kilter survey create study/
      kilter survey create --example study/
    """
    password = password_in(password_file)
    if password is not None:
        chosen_password(password)  # before anything is written
    if example:
        write_example(folder)
    try:
        with (
            all_problems(),
            progress_bar("permuting", quiet=quiet or not permutations) as bar,
        ):
            created = create(
                folder,
                password=password,
                allow_smaller=allow_smaller,
                permutations=permutations,
                progress=bar,
            )
    except SmallerStudyError as error:
        describe(error.drawn, err=True)
        raise
    if not quiet:
        describe(created.drawn)
    if password is None:
        click.echo(f"password of the researcher, shown only now: {created.password}")
