"""`kilter survey print`: questionnaires as booklets on paper."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.execution import quiet_option
from kilter.cli.option.number_range import number_range
from kilter.cli.option.output import output_folder_option
from kilter.cli.option.setting import setting_option
from kilter.cli.option.survey import needs_extra
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.file_status import exists, is_file
from kilter.formats.output import make_folder, write_file
from kilter.formats.stream import ByteSource
from kilter.options.argument import INT32
from kilter.pipeline.scoring.settings import Settings
from kilter.survey.design.creation import read_keys
from kilter.survey.design.item import read_design
from kilter.survey.design.study_file import read_study


@click.command("print")
@click.argument("folder", type=click.Path(path_type=Path))
@output_folder_option("Folder for the booklets; it may exist, booklets may not.")
@click.option("--questionnaire", "numbers", multiple=True, type=click.IntRange(1),
              help="Only this one; may be repeated.")  # fmt: skip
@setting_option(
    Settings, "language", help="Language of the booklets.  [default: the study's first]"
)
@click.option("--copies", default="1", show_default=True, metavar="N[-N]",
              help="Numbers of the copies: one, or a range.")  # fmt: skip
@click.option("--font", type=click.Path(path_type=Path), metavar="FILE",
              help="A TrueType font, for letters that the usual one lacks.")  # fmt: skip
@quiet_option
def command(
    *,
    folder: Path,
    output: Path,
    numbers: tuple[int, ...],
    language: str | None,
    copies: str,
    font: Path | None,
    quiet: bool,
) -> None:
    """Write a PDF booklet for each questionnaire of the study in FOLDER, with a form file beside it.

    The form file says where on the pages the boxes are; 'kilter survey scan' needs it. Every participant
    gets a copy with a number of its own.

    \b
    Examples:
      kilter survey print study/ -o booklets/
      kilter survey print study/ -o booklets/ --questionnaire 3 --copies 1-20
    """
    numbered = number_range(copies, option="--copies", most=INT32, example="1-20")
    with needs_extra("paper"):
        from kilter.survey.paper.booklet import Booklet
    read_keys(folder)
    study = read_study(folder)
    items, questionnaires = read_design(folder)
    chosen = language or study.languages[0]
    if chosen not in study.languages:
        raise OptionError(f"--language is {chosen!r}; the study has {', '.join(study.languages)}")
    known = {entry.number: entry for entry in questionnaires}
    unknown = [number for number in numbers if number not in known]
    if unknown:
        raise OptionError(f"there is no questionnaire {unknown[0]}; there are {len(known)}")
    make_folder(output)
    for number in numbers or known:
        booklet = Booklet(
            study,
            known[number],
            items,
            interface=study.interfaces()[chosen],
            documents=study.documents()[chosen],
            font=font,
        )
        form = booklet.form
        _write_new(output / f"questionnaire-{number}.form.json", form.to_json().encode())
        for copy in numbered:
            path = output / f"questionnaire-{number}-{copy}.pdf"
            _write_new(path, booklet.pdf(copy))
            if not quiet:
                said = f"{counted(form.pages, 'page')}, {counted(len(form.boxes), 'box', plural='boxes')}"
                click.echo(f"{path}: {said}", err=True)


def _write_new(path: Path, data: bytes) -> None:
    """Write a file, or leave one that holds the same; another one is not replaced."""
    if not exists(path):
        write_file(path, data)
    elif not is_file(path) or b"".join(ByteSource(str(path)).chunks()) != data:
        raise InputError("exists; name another folder, or remove it", where=str(path))
