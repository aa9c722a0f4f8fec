"""`kilter survey check`: everything that is wrong with a study, before anything is created."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.console import progress_bar
from kilter.cli.survey.drawn_study import all_problems, describe, permutations_setting
from kilter.core.settings import argument
from kilter.study.design.creation import SmallerStudyError, differs_from_created, draw_study


@settings_command("check")
def command(
    *,
    folder: Path = argument(),
    permutations: bool = permutations_setting(),
) -> None:
    """Check the study that FOLDER/study.toml describes, and say what 'create' would draw; write nothing.

    Every problem of the file, its texts, trees and rankings is listed with its place, with exit code 2; what
    the texts cannot fill of the composition with exit code 3.

    \b
    Examples:
      kilter survey check study/
      kilter survey check study/ --permutations
    """
    with all_problems(), progress_bar("permuting", quiet=not permutations) as bar:
        drawn = draw_study(folder, permutations=permutations, progress=bar)
    describe(drawn)
    if differs_from_created(drawn):
        click.echo(
            f"the questionnaires in {folder} differ from what study.toml and the texts describe now, and 'serve' "
            "uses them as they are; to draw others, copy study.toml and the texts into a new folder and run "
            "'kilter survey create' there"
        )
    if drawn.design.unmet:
        raise SmallerStudyError(drawn)
