"""`kilter parse`: dependency trees of a text, as CoNLL-U."""

from __future__ import annotations

from kilter.cli.command import settings_command
from kilter.cli.console import progress_bar
from kilter.cli.fields import jobs_setting, quiet_setting
from kilter.cli.resumed import ResumedOutput, end_parts, kept_parts, written_texts
from kilter.core.settings import InputFile, argument, like, mixed, setting
from kilter.io.output import check_output
from kilter.io.text_file import TextStream
from kilter.io.tokenizer import DEFAULT_TOKENIZER
from kilter.parsers.perceptron_beam import WIDEST
from kilter.parsers.registry import parser as make_parser
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.parse import ParsedBlock, ParsedLines, warn_of_few
from kilter.run.scoring.settings import Settings
from kilter.run.tool_file import tool_files


@settings_command("parse")
def command(
    *,
    file: InputFile = argument(description="Text, one sentence per line."),
    parser: str = like(
        Settings,
        "parser",
        default="model",
        description="Parser, such as model or udpipe:file=FILE.",
    ),
    tokenize: str = like(
        Settings,
        "tokenize",
        default=DEFAULT_TOKENIZER,
        description="Tokeniser; none splits at spaces.",
    ),
    nbest: int | None = setting(
        default=None,
        low=2,
        high=WIDEST,
        metavar="N",
        description="Write the N best parses of each line.  [default: 1]",
    ),
    resumed: ResumedOutput = mixed(ResumedOutput),
    cache: str | None = like(Settings, "cache"),
    engine: EngineChoice = mixed(EngineChoice),
    jobs: int = jobs_setting(),
    quiet: bool = quiet_setting(),
) -> None:
    """Write the dependency trees of a text, one sentence for each line, as CoNLL-U.

    \b
    Examples:
      kilter parse translation.txt -o translation.conllu --resume
      kilter parse text.de --parser udpipe:file=german.udpipe
      kilter parse text.fr --parser perceptron:model=french.model --nbest 20
    """
    tool = make_parser(parser)
    inputs = [file, *filter(None, tool.options().values())]
    output = resumed.check(inputs[:1])
    if output is not None:
        check_output(output, inputs, called=f"--output {output}")
    stream = TextStream(file)
    task = ParsedLines(
        name=stream.name,
        parser=tool,
        nbest=nbest,
        tokenize=tokenize,
        cache=cache,
        jobs=jobs,
    )
    task.check(stream)
    parts = kept_parts(
        output,
        lambda: _made_of(stream, task),
        ParsedBlock.packed,
        ParsedBlock.unpacked,
        resume=resumed.resume,
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
