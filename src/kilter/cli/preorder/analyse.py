"""`kilter preorder analyse`: where a parser and a rule set go wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import format_setting
from kilter.cli.parses import ParsedSource, note_idle
from kilter.cli.reorderings import ReferenceFile, rules_setting
from kilter.core.settings import like, mixed
from kilter.render.table.table import ROW_FORMATS, TableFormat
from kilter.run.preordering.analyse import AnalyseSettings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@dataclass(frozen=True, kw_only=True)
class AnalyseOptions:
    """What is analysed, and what is looked at."""

    parsed: ParsedSource = field(default_factory=ParsedSource)
    rules: tuple[str, ...] = rules_setting("Rule set; a second one shows what it changes.")
    reference: ReferenceFile
    settings: AnalyseSettings = mixed(AnalyseSettings, without=("trees",))
    draw_trees: bool = like(AnalyseSettings, "trees", flags=("--trees",))
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        parsers = len(self.parsed.trees) + len(self.parsed.parser)
        if parsers > 2:
            yield "give one file of trees or one parser, or two to compare"
        if len(self.rules) > 2:
            yield "give one rule set, or two to compare"
        if len(self.rules) == 2 and parsers > 1:
            yield "compare two parsers or two rule sets, not both at once"
        if self.format in ROW_FORMATS and len({*self.settings.analyses}) > 1:
            yield f"{self.format} holds one analysis; name it with --analysis"


@settings_command("analyse")
def command(options: AnalyseOptions) -> None:
    """Show the words, classes of words, sentences and rules that cost most.

    TREES is a CoNLL-U file, or two parses of one source, whose sentences are then compared. A parser can
    also be run on the spot, with --parser. Two rule sets show words, classes and sentences before and after.

    \b
    Examples:
      kilter preorder analyse -r mine.toml -R references.jsonl text.conllu
      kilter preorder analyse -r mine.toml -R references.jsonl --analysis sentences a.conllu b.conllu
      kilter preorder analyse -r old.toml -r mine.toml -R references.jsonl text.conllu
    """
    from kilter.preordering.rule_file import load_rule_set
    from kilter.run.preordering.analyse import analyse_preorder

    sets = [load_rule_set(name) for name in options.rules]
    if options.parsed.parser:
        for each in sets:
            each.check_for_parser()
    parses, gold_trees = options.parsed.read(
        options.reference.reference,
        jobs=options.resampling.jobs,
        details=any(each.needs_details for each in sets),
    )
    note_idle(parses.values(), sets, quiet=options.parsed.quiet)
    result = analyse_preorder(
        parses,
        sets,
        options.reference.read(),
        settings=replace(options.settings, trees=options.draw_trees),
        gold=gold_trees,
        resampling=options.resampling,
        jobs=options.resampling.jobs,
    )
    print_result(result, options.format)
