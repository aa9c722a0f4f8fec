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
from kilter.parsers.perceptron_beam import WIDEST
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.pipeline.parse import parse_text
from kilter.pipeline.parse_nbest import parse_nbest_text
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
@click.option("--nbest", type=click.IntRange(2, WIDEST), metavar="N",
              help="Write up to N different parses of each line, the best first, numbered by comments; perceptron "
                   "finds several.  [default: one]")  # fmt: skip
@click.option("-o", "--output", type=FILE_NAME, metavar="FILE",
              help="Write there, compressed if the name ends in .gz or .xz; the file appears when it is complete.  "
                   "[default: standard output]")  # fmt: skip
@setting_option(Settings, "cache")
@jobs_option
@quiet_option
def command(
    *, text: str, nbest: int | None, output: str | None, quiet: bool, **settings: Any
) -> None:
    """Write the dependency trees of a text, one sentence for each line, as CoNLL-U.

    \b
    Examples:
      kilter parse translation.txt -o translation.conllu
      kilter parse text.de --parser udpipe:file=german.udpipe
      kilter parse text.fr --parser perceptron:model=french.model --nbest 20
    """
    if output == "-":
        output = None
    if output is not None:
        inputs = [text, *make_parser(settings["parser"]).options().values()]
        check_output(output, filter(None, inputs), called=f"--output {output}")
    lines = read_text_file(text)
    with progress_bar("parsing", quiet=quiet) as progress:
        named = display_name(text)
        pieces = (
            parse_text(named, lines, progress=progress, **settings)
            if nbest is None
            else parse_nbest_text(named, lines, nbest, progress=progress, **settings)
        )
        if output is None:
            sys.stdout.writelines(pieces)
            return
        with written_text(output) as out:
            out.writelines(pieces)
