"""`kilter train parser`: a tagger and parser, learned from a treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.finite_number import FiniteNumber
from kilter.cli.option.form import choice, format_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result
from kilter.core.errors import OptionError
from kilter.io.conllu import read_conllu
from kilter.io.output import check_output
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.parsers.network_training import NetworkSettings
from kilter.parsers.perceptron_beam import WIDEST
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.run.train_parser import HELD_OUT, MOST_HELD_OUT, ParserKind, learned_parser

if TYPE_CHECKING:
    from kilter.io.conllu import Treebank

_DEFAULTS = TrainingSettings()


@click.command("parser")
@click.argument("treebanks", metavar="TREEBANKS", nargs=-1, required=True, type=FILE_NAME)
@click.option("-o", "--output", required=True, type=FILE_NAME, metavar="MODEL",
              help="Where the model goes; the file appears when it is complete.")  # fmt: skip
@click.option("--development", type=FILE_NAME, metavar="TREEBANK",
              help="Trees that the model is tried on and does not learn from.  "
                   "[default: a share of the training trees, see --held-out]")  # fmt: skip
@click.option("--held-out", type=FiniteNumber(0, MOST_HELD_OUT), default=None, metavar="SHARE",
              help=f"Share of the trees, drawn by the seed, that the model is tried on instead of learning from.  "
                   f"[default: {HELD_OUT}]")  # fmt: skip
@click.option("--lowercase", is_flag=True,
              help="Read words without their capitals: the model then does not care about them.")  # fmt: skip
@click.option("--kind", type=choice(ParserKind), default=str(ParserKind.PERCEPTRON), show_default=True,
              help="What learns: perceptrons, in a minute or two, or a network, which finds more but takes longer.")  # fmt: skip
@click.option("--passes", type=click.IntRange(1, 100), default=None,
              help=f"How often the trees are read.  "
                   f"[default: {_DEFAULTS.passes}; network: {NetworkSettings().passes}]")  # fmt: skip
@click.option("--voters", type=click.IntRange(1, 15), default=None,
              help="Parsers that vote; each second one reads from right to left. Of perceptrons only.  "
                   f"[default: {_DEFAULTS.voters}]")  # fmt: skip
@click.option("--beam", type=click.IntRange(1, WIDEST), default=None,
              help="Derivations that parsers keep beside one another while they learn and later; 1: greedy. "
                   f"Of perceptrons only.  [default: {_DEFAULTS.beam}]")  # fmt: skip
@click.option("-l", "--language", metavar="CODE",
              help="Language of the trees, such as fr; kept in the model.  [default: any]")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=_DEFAULTS.seed, show_default=True,
              help="Order of the sentences, and what is held out.")  # fmt: skip
@format_option
@jobs_option
@quiet_option
def command(
    *,
    treebanks: tuple[str, ...],
    output: str,
    development: str | None,
    held_out: float | None,
    kind: str,
    language: str | None,
    form: str,
    jobs: int,
    quiet: bool,
    **settings: Any,
) -> None:
    """Learn a tagger and parser from CoNLL-U treebanks in any language.

    \b
    Examples:
      kilter train parser fr-train.conllu --development fr-dev.conllu -l fr -o french.model
      kilter train parser fr-train.conllu --kind network -l fr -o french.model
      kilter parse text.fr --parser perceptron:model=french.model
    """
    if language == "":
        raise OptionError("the language is empty; write a code such as fr, or leave -l out")
    chosen = _settings(kind, settings)
    inputs = [*treebanks, *([development] if development else [])]
    refuse_repeated(inputs)
    check_output(output, inputs, called=f"--output {output}")
    with progress_bar("learning", quiet=quiet) as progress:
        trained = learned_parser(
            [_read(path) for path in treebanks],
            development=_read(development) if development else None,
            held_out=held_out,
            settings=chosen,
            language=language or "",
            jobs=jobs,
            progress=progress,
        )
    trained.write(output)
    print_result(trained.card, form)


def _settings(kind: str, given: dict[str, Any]) -> TrainingSettings | NetworkSettings:
    """Return how a kind of parser learns: what was given, and its own defaults."""
    said = {name: value for name, value in given.items() if value is not None}
    if kind != ParserKind.NETWORK:
        return TrainingSettings(**said)
    for name in ("voters", "beam"):
        if name in said:
            raise OptionError(f"a network has no --{name}; leave it out, or give --kind perceptron")
    return NetworkSettings(**said)


def _read(path: str) -> tuple[str, Treebank]:
    return display_name(path), read_conllu(ByteSource(path))
