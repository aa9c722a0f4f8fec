"""`kilter parse`: dependency trees of a text, as CoNLL-U."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.engine import engine_options
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.setting import setting_option
from kilter.cli.resumed import (
    check_resumed_output,
    end_parts,
    kept_parts,
    resumed_output_options,
    written_texts,
)
from kilter.cli.talk.progress import progress_bar
from kilter.io.output import check_output
from kilter.io.text_file import TextStream
from kilter.io.tokenizer import DEFAULT_TOKENIZER
from kilter.parsers.perceptron_beam import WIDEST
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.run.engine.choice import chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.parse_blocks import ParsedBlock, ParsedLines
from kilter.run.parse_nbest import warn_of_few
from kilter.run.scoring.settings import Settings
from kilter.run.tool_file import tool_files

if TYPE_CHECKING:
    from kilter.run.engine.choice import EngineChoice


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
@resumed_output_options
@setting_option(Settings, "cache")
@engine_options
@jobs_option
@quiet_option
def command(
    *,
    text: str,
    nbest: int | None,
    output: str | None,
    resume: bool,
    engine: EngineChoice,
    quiet: bool,
    **settings: Any,
) -> None:
    """Write the dependency trees of a text, one sentence for each line, as CoNLL-U.

    \b
    Examples:
      kilter parse translation.txt -o translation.conllu --resume
      kilter parse text.de --parser udpipe:file=german.udpipe
      kilter parse text.fr --parser perceptron:model=french.model --nbest 20
    """
    parser = make_parser(settings["parser"])
    inputs = [text, *filter(None, parser.options().values())]
    output = check_resumed_output(output, inputs[:1], resume=resume)
    if output is not None:
        check_output(output, inputs, called=f"--output {output}")
    stream = TextStream(text)
    task = ParsedLines(
        name=stream.name,
        parser=parser,
        nbest=nbest,
        **{name: settings[name] for name in ("tokenize", "cache", "jobs")},
    )
    task.check(stream)
    parts = kept_parts(
        output,
        lambda: _made_of(stream, task),
        ParsedBlock.packed,
        ParsedBlock.unpacked,
        resume=resume,
    )
    few = 0
    with (
        progress_bar("parsing", quiet=quiet, unit="lines") as progress,
        chosen_engine(engine) as chosen,
        written_texts(output, "conllu") as write,
    ):
        batches = task.batches(stream)
        for block in run_batches(chosen, task, batches, parts=parts, progress=progress):
            write(block.sentences)
            few += block.few
    end_parts(parts, output, quiet=quiet)
    warn_of_few(stream.name, few, stream.count, nbest or 1)


def _made_of(text: TextStream, task: ParsedLines) -> dict[str, object]:
    return {
        "input": text.digest(),
        "choice of options": {
            "parser": task.parser.signature(),
            "tokenize": task.tokenize,
            "nbest": task.nbest,
        },
        **tool_files([task.parser]),
    }
