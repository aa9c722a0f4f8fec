"""`kilter parse`: dependency trees of a text, as CoNLL-U."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.progress import progress_bar
from kilter.errors import OptionError
from kilter.formats.stream import ByteSource, display_name
from kilter.formats.text import read_text
from kilter.parse.registry import PARSERS
from kilter.parse.registry import parser as make_parser
from kilter.pipeline.parse import parse_text
from kilter.reports.segment_file import appearing_text

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("parse")
@click.argument("text", metavar="FILE", type=click.Path(allow_dash=True))
@click.option("--parser", default="model", show_default=True, metavar="NAME[:OPTION=VALUE,...]",
              help=f"One of {', '.join(PARSERS.names())}.")  # fmt: skip
@click.option("--tokenize", default="13a", show_default=True, metavar="NAME",
              help="How lines are split into words; none: as they stand.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="Write there, compressed if the name ends in .gz; the file appears when it is complete.  "
                   "[default: standard output]")  # fmt: skip
@click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
              help="Threads; the result is the same for every number.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Say nothing on standard error but errors.")
def command(*, text: str, output: str | None, quiet: bool, **settings: Any) -> None:
    """Write the dependency trees of a text, one sentence for each line, as CoNLL-U.

    \b
    Examples:
      kilter parse translation.txt -o translation.conllu
      kilter parse text.de --parser udpipe:file=german.udpipe
    """
    if output is not None:
        _check_output(output, [text, *make_parser(settings["parser"]).options().values()])
    lines = read_text(ByteSource(text))
    with progress_bar("parsing", quiet=quiet) as progress:
        pieces = parse_text(display_name(text), lines, progress=progress, **settings)
        if output is None:
            sys.stdout.writelines(pieces)
            return
        with appearing_text(Path(output)) as out:
            out.writelines(pieces)


def _check_output(output: str, inputs: Sequence[str]) -> None:
    target = Path(output)
    for given in inputs:
        if target.exists() and Path(given).exists() and target.samefile(given):
            raise OptionError(f"{output} is an input itself; write the trees to another file")
