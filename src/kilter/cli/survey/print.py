"""`kilter survey print`: what is handed out on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    number_range,
    output_folder_setting,
    quiet_setting,
)
from kilter.cli.survey.study import needs_extra
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import INT32, argument, like, setting
from kilter.io.output import make_folder, write_file
from kilter.io.stream import ByteSource, exists, is_file
from kilter.run.scoring.settings import Settings
from kilter.study.design.creation import read_keys
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.study.paper.document import Document


@settings_command("print")
def command(
    *,
    folder: Path = argument(),
    output: Path = output_folder_setting("Folder for the documents; no file is overwritten."),
    numbers: tuple[int, ...] = setting(
        "--questionnaire",
        default=(),
        low=1,
        description="Print only this questionnaire; repeatable.",
    ),
    language: str | None = like(
        Settings, "language", description="Language of the documents.  [default: the study's first]"
    ),
    copies: str = setting(
        default="1", metavar="N[-N]", description="Numbers of the copies: N, or a range N-N."
    ),
    fonts: tuple[Path, ...] = setting(
        "--font",
        default=(),
        metavar="FILE",
        description="Preferred TrueType or OpenType font; repeatable.",
    ),
    quiet: bool = quiet_setting(),
) -> None:
    """Write what participants of the study in FOLDER get on paper, as PDF files.

    These are an information sheet, a consent form, a questionnaire for each of them with a code of its own, and a
    debriefing. Form files beside them say where boxes are; 'kilter survey scan' needs them. Fonts are found among
    those installed here, if the texts need more letters than western Europe has.

    \b
    Examples:
      kilter survey print study/ -o paper/
      kilter survey print study/ -o paper/ --questionnaire 3 --copies 1-20
    """
    numbered = number_range(copies, option="--copies", most=INT32, example="1-20")
    with needs_extra("paper"):
        from kilter.study.paper.booklet import Booklet
    read_keys(folder)
    study = read_study(folder)
    if study.instrument.is_together:
        raise InputError(
            "the instrument shows several translations of an item together, which is not for paper; use "
            "the web survey, 'kilter survey serve'",
            where=str(folder),
        )
    items, questionnaires = read_design(folder)
    chosen = language or study.languages[0]
    if chosen not in study.languages:
        raise OptionError(f"--language is {chosen!r}; the study has {', '.join(study.languages)}")
    known = {entry.number: entry for entry in questionnaires}
    unknown = [number for number in numbers if number not in known]
    if unknown:
        raise OptionError(f"there is no questionnaire {unknown[0]}; there are {len(known)}")
    wanted = [*dict.fromkeys(numbers or known)]
    documents = study.documents(for_paper=True)[chosen]
    booklet = Booklet(
        study,
        [known[number] for number in wanted],
        items,
        interface=study.interfaces()[chosen],
        documents=documents,
        fonts=fonts,
    )
    if not documents.has_paper and not quiet:
        click.echo(
            f"documents/{chosen}.toml has no table [paper]: the texts of the web survey are printed",
            err=True,
        )
    make_folder(output)
    for name in ("information", "consent", "debriefing"):
        _write(output, name, getattr(booklet, name), {name: 0}, quiet=quiet)
    for number in wanted:
        name = f"questionnaire-{number}"
        numbers_of = {f"{name}-{copy}": copy for copy in numbered}
        _write(output, name, booklet.questionnaire(number), numbers_of, quiet=quiet)
    if not quiet:
        people = len(wanted) * len(numbered)
        often = "once" if people == 1 else f"{people} times"
        click.echo(
            f"for {counted(people, 'participant')}: print each questionnaire once, everything else {often}",
            err=True,
        )


def _write(
    folder: Path, name: str, document: Document, copies: Mapping[str, int], *, quiet: bool
) -> None:
    """Write a document and its form file, and say how large it is."""
    form = document.form
    said = counted(document.page_count, "page")
    if form is not None:
        _write_new(folder / f"{name}.form.json", form.to_json().encode())
        said += f", {counted(len(form.boxes), 'box', plural='boxes')}"
        said += f", {counted(len(form.fields), 'place')} to write in" if form.fields else ""
    for copy, number in copies.items():
        path = folder / f"{copy}.pdf"
        _write_new(path, document.pdf(number))
        if not quiet:
            click.echo(f"{path}: {said}", err=True)


def _write_new(path: Path, data: bytes) -> None:
    """Write a file, or leave one that holds the same; another one is not replaced."""
    if not exists(path):
        write_file(path, data)
    elif not is_file(path) or b"".join(ByteSource(str(path)).chunks()) != data:
        raise InputError("exists; name another folder, or remove it", where=str(path))
