"""`kilter parse`: dependency trees of a text, as CoNLL-U."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.progress import progress_bar
from kilter.formats.output import check_output, written_text
from kilter.formats.stream import display_name
from kilter.formats.text_file import read_text_file
from kilter.formats.tokenizer import DEFAULT_TOKENIZER
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.pipeline.parse import parse_text
from kilter.pipeline.scoring.settings import Settings


@click.command("parse")
@click.argument("text", metavar="FILE", type=FILE_NAME)
@setting_option(
    Settings,
    "parser",
    multiple=False,
    default="model",
    show_default=True,
    help=f"One of {', '.join(PARSERS.names())}.",
)
@setting_option(
    Settings,
    "tokenize",
    default=DEFAULT_TOKENIZER,
    show_default=True,
    help="How lines are split into words; none: as they stand.",
)
@click.option("-o", "--output", type=FILE_NAME, metavar="FILE",
              help="Write there, compressed if the name ends in .gz or .xz; the file appears when it is complete.  "
                   "[default: standard output]")  # fmt: skip
@setting_option(Settings, "cache")
@jobs_option
@quiet_option
def command(*, text: str, output: str | None, quiet: bool, **settings: Any) -> None:
    """Write the dependency trees of a text, one sentence for each line, as CoNLL-U.

    \b
    Examples:
      kilter parse translation.txt -o translation.conllu
      kilter parse text.de --parser udpipe:file=german.udpipe
    """
    if output == "-":
        output = None
    if output is not None:
        inputs = [text, *make_parser(settings["parser"]).options().values()]
        check_output(output, filter(None, inputs), called=f"--output {output}")
    lines = read_text_file(text)
    with progress_bar("parsing", quiet=quiet) as progress:
        pieces = parse_text(display_name(text), lines, progress=progress, **settings)
        if output is None:
            sys.stdout.writelines(pieces)
            return
        with written_text(output) as out:
            out.writelines(pieces)
