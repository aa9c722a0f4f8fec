"""`kilter preorder selftrain`: a parser learns from those of its own parses that reorder best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.finite_number import FiniteNumber
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.input_text import source_option
from kilter.cli.option.preordering import note_joined, read_first_parses
from kilter.cli.option.reordering import match_options, read_source, reference_options, rules_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.run.preordering.self_training_data import (
    ParseChoosing,
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
)

if TYPE_CHECKING:
    from kilter.core.dependency_tree_column import DependencyTreeColumn

_DEFAULTS = SelfTrainingSettings()
_HELD_OUT = 0.2


@click.command("selftrain")
@click.argument("treebanks", nargs=-1, required=True, type=FILE_NAME)
@click.option("-o", "--output", required=True, type=FILE_NAME, metavar="FOLDER",
              help="Where models and picked parses go; a run that was interrupted there goes on.")  # fmt: skip
@rules_option("The rule set that reorders.")
@reference_options
@source_option(
    "What the references reorder, words separated by blanks.  [default: as references in jsonl say]"
)
@click.option("--held-out-reference", type=FILE_NAME, metavar="FILE",
              help="References of other sentences, to measure every round by.")  # fmt: skip
@click.option("--held-out-source", type=FILE_NAME, metavar="FILE",
              help="What these reorder.  [default: as references in jsonl say]")  # fmt: skip
@click.option("--held-out", type=FiniteNumber(0, 0.9, min_open=True), default=None, metavar="SHARE",
              help=f"Instead: share of the sentences, drawn by the seed, that are not learned from.  "
                   f"[default: {_HELD_OUT}]")  # fmt: skip
@click.option("--gold", type=FILE_NAME, metavar="FILE",
              help="Gold trees that nothing learns from: adds how far parsers agree with them.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(0, 100), default=_DEFAULTS.rounds, show_default=True,
              help="Rounds of picking and learning, at most.")  # fmt: skip
@click.option("--nbest", type=click.IntRange(1, 1024), default=_DEFAULTS.nbest, show_default=True,
              help="Parses of a sentence to pick from.")  # fmt: skip
@click.option("--pick", type=choice(ParseChoosing), default=str(_DEFAULTS.pick), show_default=True,
              help="Learn from the parse that reorders best, or from the first: plain self-training.")  # fmt: skip
@click.option("--minimum", type=FiniteNumber(0, 1), default=_DEFAULTS.minimum, show_default=True,
              help="Do not learn from a parse that reorders worse.")  # fmt: skip
@click.option("--changed-only", is_flag=True,
              help="Learn only from sentences whose first parse is not the best.")  # fmt: skip
@click.option("--weight", type=click.IntRange(1, 1000), default=_DEFAULTS.weight, show_default=True,
              help="How often a pass reads each picked parse.")  # fmt: skip
@click.option("--treebank-weight", type=click.IntRange(1, 1000), default=_DEFAULTS.treebank_weight,
              show_default=True, help="How often a pass reads each tree of TREEBANKS.")  # fmt: skip
@click.option("--minimum-gain", type=FiniteNumber(0), default=_DEFAULTS.minimum_gain, show_default=True,
              help="A round that gains less on the training sentences is the last.")  # fmt: skip
@click.option("--contrasts", is_flag=True,
              help="Also learn in other ways from the same: greedy, plain self-training, without capitals.")  # fmt: skip
@click.option("--beam", type=click.IntRange(1, 1024), default=_DEFAULTS.training.beam, show_default=True,
              help="Derivations that parsers keep beside one another; 1: greedy.")  # fmt: skip
@click.option("--passes", type=click.IntRange(1, 100), default=_DEFAULTS.training.passes, show_default=True,
              help="How often each round reads the trees.")  # fmt: skip
@click.option("--voters", type=click.IntRange(1, 15), default=_DEFAULTS.training.voters, show_default=True,
              help="Parsers that vote; each second one reads from right to left.")  # fmt: skip
@click.option("--lowercase", is_flag=True, help="Read words without their capitals.")
@click.option("--seed", type=click.IntRange(0), default=_DEFAULTS.training.seed, show_default=True,
              help="Order of the sentences, and what is held out.")  # fmt: skip
@match_options
@format_option
@jobs_option
@quiet_option
def command(
    *,
    treebanks: tuple[str, ...],
    output: str,
    rules: str,
    reference: str,
    reference_form: str | None,
    source: str | None,
    held_out_reference: str | None,
    held_out_source: str | None,
    held_out: float | None,
    gold: str | None,
    contrasts: bool,
    match: str,
    ties: str,
    joints: str,
    form: str,
    jobs: int,
    quiet: bool,
    **settings: Any,
) -> None:
    """Train a parser on TREEBANKS, CoNLL-U files, and on those of its own parses that reorder best.

    Each round parses to n-best, picks the parse of each sentence whose reordering scores best against the
    reference, learns anew from TREEBANKS and these, and is measured on held-out references.

    \b
    Examples:
      kilter preorder selftrain -r en-verb-final -R references.jsonl -o run treebank.conllu
      kilter preorder selftrain -r mine.toml -R odd.jsonl --held-out-reference even.jsonl -o run treebank.conllu
    """
    from kilter.io.conllu import read_conllu
    from kilter.metrics.frs import Frs
    from kilter.preordering.rule_file import load_rule_set
    from kilter.run.preordering.self_training import self_train

    if held_out is not None and held_out_reference is not None:
        raise click.UsageError("--held-out-reference says what is held out; leave --held-out away")
    if held_out_source is not None and held_out_reference is None:
        raise click.UsageError("--held-out-source is what --held-out-reference reorders; give both")
    named = [*treebanks, reference, source, held_out_reference, held_out_source, gold]
    if named.count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    refuse_repeated(treebanks)
    own = ("passes", "voters", "lowercase", "seed", "beam")
    training = TrainingSettings(**{name: settings.pop(name) for name in own})
    chosen = SelfTrainingSettings(
        pick=ParseChoosing(settings.pop("pick")),
        metric=Frs(match=WordMatch(match), ties=TiedSpans(ties), joints=Joints(joints)),
        training=training,
        **settings,
    )
    rule_set = load_rule_set(rules)
    banks = [(display_name(path), read_conllu(ByteSource(path))) for path in treebanks]
    sentences = _sentences(reference, reference_form, source)
    held: Sentences | float = _HELD_OUT if held_out is None else held_out
    if held_out_reference is not None:
        held = _sentences(held_out_reference, None, held_out_source)
    gold_trees = None if gold is None else _gold(gold, quiet=quiet)
    with progress_bar("learning", quiet=quiet) as progress:
        result = self_train(
            SelfTrainingData(treebanks=banks, training=sentences, held_out=held, gold=gold_trees),
            rule_set,
            folder=output,
            settings=chosen,
            contrasts=contrasts,
            jobs=jobs,
            progress=progress,
        )
    print_result(result, form)


def _gold(path: str, *, quiet: bool) -> DependencyTreeColumn:
    trees = read_first_parses(path, quiet=quiet)
    note_joined([trees], quiet=quiet)
    return trees


def _sentences(reference: str, form: str | None, source: str | None) -> Sentences:
    from kilter.run.reordering.make import split_words

    words = None if source is None else split_words(read_source(source))
    return Sentences.of(read_reorderings(ByteSource(reference), form=form), words)
