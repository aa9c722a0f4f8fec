"""`kilter preorder evaluate`: parsers x rule sets against reference reorderings."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_message, print_result
from kilter.cli.fields import format_setting, marks_setting, segments_setting
from kilter.cli.parses import ParsedSource, changes, note_idle
from kilter.cli.reorderings import ReferenceFile, rules_setting
from kilter.core.errors import KilterError
from kilter.core.settings import Group, OutputFile, flag
from kilter.metrics.tied_order import Matching
from kilter.preordering.rule_file import load_rule_set
from kilter.render.table.page import write_result
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.render.table.table import FULL_FORMATS, TableFormat
from kilter.run.preordering.evaluate import check_rule_names, evaluate_preorder
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kilter.preordering.rule_set import RuleSet
    from kilter.results.preordering import PreorderEvaluation


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions:
    """What is evaluated, and how."""

    parsed: ParsedSource = field(default_factory=ParsedSource)
    rules: tuple[str, ...] = rules_setting("Rule set; repeatable.")
    reference: ReferenceFile
    matching: Matching = field(default_factory=Matching)
    marks: MarkRule = marks_setting()
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()
    segments: OutputFile | None = segments_setting("sentence scores")
    watch: bool = flag(
        group=Group.OUTPUT,
        description="Repeat when a rule file changes, and show what improved.",
    )

    @property
    def rule_files(self) -> list[str]:
        """The rule sets that are files of the user."""
        return [name for name in self.rules if name.endswith(".toml")]

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.watch and not self.rule_files:
            yield "--watch needs a rule file; give one with -r FILE.toml"
        if self.watch and self.format is TableFormat.PARQUET:
            yield "a Parquet file holds one result, and --watch writes several"


@settings_command("evaluate")
def command(options: EvaluateOptions) -> None:
    """Evaluate every parser x rule set; TREES are parses of one source, a CoNLL-U file per parser.

    Parsers can also be run on the spot, with --parser.

    \b
    Examples:
      kilter preorder evaluate -r r1 -r r4 -R references.jsonl malt.conllu stanza.conllu
      kilter preorder evaluate -r r1 -r mine.toml -R references.jsonl --watch gold.conllu
      kilter preorder evaluate -r r1 -r r4 -R references.jsonl --parser model --parser perceptron -s text.en
    """
    segments = options.segments
    if segments:
        inputs = [*read_files(options), *options.rule_files]
        check_segments_path(segments, inputs, called=f"--segments {segments}")
    chosen = _rule_sets(options.rules)
    if options.parsed.parser:
        for each in chosen:
            each.check_for_parser()
    references = options.reference.read()
    parses, gold_trees = options.parsed.read(
        options.reference.reference,
        jobs=options.resampling.jobs,
        details=options.watch or any(each.needs_details for each in chosen),
    )

    def evaluate(rule_sets: list[RuleSet]) -> PreorderEvaluation:
        note_idle(parses.values(), rule_sets, quiet=options.parsed.quiet)
        return evaluate_preorder(
            parses,
            rule_sets,
            references,
            metrics=options.matching.parsing_metrics(),
            gold=gold_trees,
            resampling=options.resampling,
            marks=options.marks,
            jobs=options.resampling.jobs,
        )

    result = evaluate(chosen)
    if segments:
        write_segments(result.segments(), segments)
    print_result(result, options.format)
    if options.watch:
        _watch(result, options, evaluate)


def _rule_sets(names: tuple[str, ...]) -> list[RuleSet]:
    rule_sets = [load_rule_set(name) for name in names]
    check_rule_names(rule_sets)
    return rule_sets


def _watch(
    result: PreorderEvaluation,
    options: EvaluateOptions,
    evaluate: Callable[[list[RuleSet]], PreorderEvaluation],
) -> None:
    form = options.format
    sys.stdout.flush()
    for path in changes(options.rule_files):
        print_message(f"{path} has changed")
        try:
            after = evaluate(_rule_sets(options.rules))
        except KilterError as error:  # half an edit is no reason to stop watching
            print_message(str(error))
            continue
        print_result(after, form)
        # What programs read stays a result; people see beside it what has changed.
        for_people = form not in FULL_FORMATS
        if for_people:
            sys.stdout.write("\n")
        write_result(
            after.change_since(result),
            sys.stdout if for_people else sys.stderr,
            form if for_people else TableFormat.TEXT,
        )
        sys.stdout.flush()
        result = after
