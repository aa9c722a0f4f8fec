"""`kilter survey check`: everything that is wrong with a study, before anything is created."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.drawn_study import all_problems, describe, permutations_option
from kilter.cli.talk.progress import progress_bar
from kilter.study.design.creation import SmallerStudyError, draw_study


@click.command("check")
@click.argument("folder", type=click.Path(path_type=Path))
@permutations_option
def command(*, folder: Path, permutations: bool) -> None:
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
    if drawn.design.unmet:
        raise SmallerStudyError(drawn)
