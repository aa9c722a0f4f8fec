"""`kilter train parser`: a tagger and parser, learned from a treebank."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_result, progress_bar
from kilter.cli.fields import format_setting, jobs_setting, quiet_setting
from kilter.core.settings import Group, InputFile, OutputFile, argument, setting
from kilter.io.conllu import read_conllu
from kilter.io.output import check_output
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.render.table.table import TableFormat
from kilter.run.train_parser import HELD_OUT, MOST_HELD_OUT, LearningSettings, learned_parser

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.io.conllu import Treebank


@dataclass(frozen=True, kw_only=True)
class TrainParserOptions:
    """What a parser learns from, how, and where the model goes."""

    treebanks: tuple[InputFile, ...] = argument(
        metavar="TREEBANKS", description="Treebanks (CoNLL-U)."
    )
    development: InputFile | None = setting(
        default=None,
        metavar="TREEBANK",
        description="Trees to evaluate on.  [default: see --held-out]",
    )
    held_out: float | None = setting(
        default=None,
        low=0,
        high=MOST_HELD_OUT,
        metavar="SHARE",
        description=f"Share of the trees to hold out for evaluation.  [default: {HELD_OUT}]",
    )
    language: str | None = setting(
        "-l",
        "--language",
        default=None,
        metavar="CODE",
        group=Group.INPUT,
        description="Language of the trees, stored in the model.  [default: any]",
    )
    settings: LearningSettings = field(default_factory=LearningSettings)
    output: OutputFile = setting(
        "-o",
        "--output",
        metavar="MODEL",
        description="Where to write the model.",
    )
    format: TableFormat = format_setting()
    jobs: int = jobs_setting()
    quiet: bool = quiet_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.language == "":
            yield "the language is empty; write a code such as fr, or leave -l out"


@settings_command("parser")
def command(options: TrainParserOptions) -> None:
    """Learn a tagger and parser from CoNLL-U treebanks in any language.

    \b
    Examples:
      kilter train parser fr-train.conllu --development fr-dev.conllu -l fr --kind network -o french.model
      kilter train parser fr-train.conllu -l fr -o french.model
      kilter parse text.fr --parser perceptron:model=french.model
    """
    treebanks, development, output = options.treebanks, options.development, options.output
    settings = options.settings.chosen()
    inputs = [*treebanks, *([development] if development else [])]
    refuse_repeated(inputs)
    check_output(output, inputs, called=f"--output {output}")
    with progress_bar("learning", quiet=options.quiet) as progress:
        trained = learned_parser(
            [_read(path) for path in treebanks],
            development=_read(development) if development else None,
            held_out=options.held_out,
            settings=settings,
            language=options.language or "",
            jobs=options.jobs,
            progress=progress,
        )
    trained.write(output)
    print_result(trained.card, options.format)


def _read(path: str) -> tuple[str, Treebank]:
    return display_name(path), read_conllu(ByteSource(path))
