"""`kilter align`: word links between two texts, one line a segment."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.aligners.registry import ALIGNERS, BILINGUAL, MONOLINGUAL
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import form_option
from kilter.cli.option.input_text import Columns, column_option, with_columns
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.counted import counted
from kilter.formats.link_format import LinkFormat
from kilter.formats.link_writer import write_links
from kilter.formats.stream import display_name
from kilter.formats.text_file import read_text_file
from kilter.pipeline.align import align_texts
from kilter.pipeline.scoring.settings import Settings


@click.command("align")
@click.argument("system", required=False, type=FILE_NAME)
@click.option(
    "-r", "--reference", type=FILE_NAME, metavar="FILE", help="Align SYSTEM with this reference."
)
@click.option("--source", type=FILE_NAME, metavar="FILE", help="Align this text ...")
@click.option("--target", type=FILE_NAME, metavar="FILE", help="... with this translation of it.")
@column_option("hypothesis", "reference", "source", "target")
@setting_option(
    Settings,
    "aligner",
    multiple=False,
    help=f"One of {', '.join(ALIGNERS.names())}.  [default: {MONOLINGUAL} for a reference, "
    f"{BILINGUAL} for a target]",
)
@setting_option(
    Settings,
    "tokenize",
    default="none",
    show_default=True,
    help="Links count words: those of the text as it stands, or of a tokeniser.",
)
@setting_option(Settings, "language", help="Language of the system: chooses the stemmer.")
@setting_option(Settings, "lowercase")
@form_option(LinkFormat, "pharaoh", "How to write the links.")
@click.option(
    "--certainty",
    is_flag=True,
    help="Write how certain each link is, in the formats naacl and meteor; match says it.",
)
@setting_option(Settings, "cache")
@jobs_option
@quiet_option
def command(
    *,
    system: str | None,
    reference: str | None,
    source: str | None,
    target: str | None,
    columns: Columns,
    aligner: str | None,
    form: str,
    certainty: bool,
    quiet: bool,
    **settings: Any,
) -> None:
    """Write word links: of SYSTEM and a reference, or of a source and a target text.

    \b
    Examples:
      kilter align -r reference.txt system.txt
      kilter align --source text.de --target text.en --aligner hmm
    """
    monolingual = system is not None and reference is not None
    bilingual = source is not None and target is not None
    given = [name for name in (system, reference, source, target) if name is not None]
    if monolingual == bilingual or len(given) != 2:
        raise click.UsageError("give either SYSTEM with -r FILE, or --source with --target")
    first, second = (system, reference) if monolingual else (source, target)
    if first is None or second is None or first == second == "-":
        raise click.UsageError("name two texts; only one can come from standard input")
    roles = ("hypothesis", "reference") if monolingual else ("source", "target")
    (first,), (second,) = (
        with_columns([path], columns, role)
        for path, role in zip((first, second), roles, strict=True)
    )
    with progress_bar("training", quiet=quiet) as progress:
        links, words = align_texts(
            (display_name(first), read_text_file(first)),
            (display_name(second), read_text_file(second)),
            aligner=aligner or (MONOLINGUAL if monolingual else BILINGUAL),
            progress=progress,
            **settings,
        )
    for line in write_links(links, form=form, texts=words, certainty=certainty):
        sys.stdout.write(line + "\n")
    if links.bounded and not quiet:
        say(
            f"the aligner hit its search bound in {counted(len(links.bounded), 'segment')}, the first is "
            f"{links.bounded[0] + 1}; their links may not be the best possible"
        )
