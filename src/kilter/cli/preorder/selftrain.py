"""`kilter preorder selftrain`: a parser learns from those of its own parses that reorder best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_result, progress_bar
from kilter.cli.fields import format_setting, jobs_setting, quiet_setting, source_setting
from kilter.cli.parses import note_joined, read_first_parses
from kilter.cli.reorderings import ReferenceFile, read_source, rules_setting
from kilter.core.settings import InputFile, OutputFile, argument, setting
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.render.table.table import TableFormat
from kilter.run.preordering.self_training_data import (
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.core.dependency_tree_column import DependencyTreeColumn

_HELD_OUT = 0.2


@dataclass(frozen=True, kw_only=True)
class SelfTrainOptions:
    """What is learned from, and where models go."""

    treebanks: tuple[InputFile, ...] = argument(description="Treebanks (CoNLL-U).")
    rules: str = rules_setting("Rule set that reorders.")
    reference: ReferenceFile
    source: InputFile | None = source_setting("Source text of the references, tokenised.")
    held_out_reference: InputFile | None = setting(
        default=None, description="Held-out references, to measure every round."
    )
    held_out_source: InputFile | None = setting(
        default=None, description="Source text of the held-out references, tokenised."
    )
    held_out: float | None = setting(
        default=None,
        low=0,
        high=0.9,
        above_low=True,
        metavar="SHARE",
        description=f"Or share of the sentences to hold out at random.  [default: {_HELD_OUT}]",
    )
    gold: InputFile | None = setting(
        default=None,
        description="Held-out gold trees: add parsing accuracy.",
    )
    settings: SelfTrainingSettings = field(default_factory=SelfTrainingSettings)
    output: OutputFile = setting(
        "-o",
        "--output",
        metavar="FOLDER",
        description="Folder for models; an interrupted run continues.",
    )
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()
    jobs: int = jobs_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.held_out is not None and self.held_out_reference is not None:
            yield "--held-out-reference says what is held out; leave --held-out away"
        if self.held_out_source is not None and self.held_out_reference is None:
            yield "--held-out-source is what --held-out-reference reorders; give both"


@settings_command("selftrain")
def command(options: SelfTrainOptions) -> None:
    """Train a parser on TREEBANKS, CoNLL-U files, and on those of its own parses that reorder best.

    Each round parses to n-best, picks the parse of each sentence whose reordering scores best against the
    reference, learns anew from TREEBANKS and these, and is measured on held-out references.

    \b
    Examples:
      kilter preorder selftrain -r en-verb-final -R references.jsonl -o run treebank.conllu
      kilter preorder selftrain -r mine.toml -R odd.jsonl --held-out-reference even.jsonl -o run treebank.conllu
    """
    from kilter.io.conllu import read_conllu
    from kilter.preordering.rule_file import load_rule_set
    from kilter.run.preordering.self_training import self_train

    refuse_repeated(options.treebanks)
    rule_set = load_rule_set(options.rules)
    banks = [(display_name(path), read_conllu(ByteSource(path))) for path in options.treebanks]
    given = options.reference
    sentences = _sentences(given.reference, given.reference_form, options.source)
    held: Sentences | float = _HELD_OUT if options.held_out is None else options.held_out
    if options.held_out_reference is not None:
        held = _sentences(options.held_out_reference, None, options.held_out_source)
    gold_trees = None if options.gold is None else _gold(options.gold, quiet=options.quiet)
    with progress_bar("learning", quiet=options.quiet) as progress:
        result = self_train(
            SelfTrainingData(treebanks=banks, training=sentences, held_out=held, gold=gold_trees),
            rule_set,
            folder=options.output,
            settings=options.settings,
            jobs=options.jobs,
            progress=progress,
        )
    print_result(result, options.format)


def _gold(path: str, *, quiet: bool) -> DependencyTreeColumn:
    trees = read_first_parses(path, quiet=quiet)
    note_joined([trees], quiet=quiet)
    return trees


def _sentences(reference: str, form: str | None, source: str | None) -> Sentences:
    from kilter.run.reordering.make import split_words

    words = None if source is None else split_words(read_source(source))
    return Sentences.of(read_reorderings(ByteSource(reference), form=form), words)
