"""`kilter preorder apply`: sentences reordered by the rules."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.fields import format_setting, jobs_setting, quiet_setting, source_setting
from kilter.cli.parses import (
    note_idle,
    note_joined,
    parsed_text,
    read_first_parses,
    split_lines,
)
from kilter.cli.reorderings import rules_setting
from kilter.core.settings import Group, InputFile, argument, flag, like
from kilter.io.reordering import ReorderingForm, write_reorderings
from kilter.io.stream import display_name
from kilter.io.tokenizer import DEFAULT_TOKENIZER
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@dataclass(frozen=True, kw_only=True)
class ApplyOptions:
    """What is reordered, and by which rules."""

    trees: InputFile = argument(description="CoNLL-U file; with --parser a text.")
    rules: str = rules_setting("Rule set that comes with Kilter, or a file.")
    parser: str | None = like(
        Settings,
        "parser",
        group=Group.INPUT,
        description="TREES is a text: parse it with this parser, such as model.",
    )
    tokenize: str | None = like(
        Settings,
        "tokenize",
        needs="parser",
        group=Group.INPUT,
        description="With --parser: tokeniser; none splits at spaces.  "
        f"[default: {DEFAULT_TOKENIZER}]",
    )
    cache: str | None = like(
        Settings,
        "cache",
        needs="parser",
        description="Folder where parses are kept for later runs.",
    )
    lowercase_trees: bool = flag(
        group=Group.INPUT,
        description="TREES were parsed in lower case; take words from --source.",
    )
    source: InputFile | None = source_setting("Source text for --lowercase-trees, tokenised.")
    format: ReorderingForm = format_setting(
        default=ReorderingForm.TEXT, description="Output format."
    )
    quiet: bool = quiet_setting()
    jobs: int = jobs_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.lowercase_trees and self.parser is not None:
            yield "--lowercase-trees is about TREES of a file; --parser keeps the words of its text"
        if self.lowercase_trees != (self.source is not None):
            yield "--lowercase-trees and --source go together: it says how words are written"


@settings_command("apply")
def command(options: ApplyOptions) -> None:
    """Write the sentences of TREES, a CoNLL-U file, in the order of the rules; the first parse of each.

    With --parser, TREES is a text, a sentence a line, that is parsed on the spot.

    \b
    Examples:
      kilter preorder apply -r r4 text.conllu
      kilter preorder apply -r mine.toml text.conllu --format positions > text.positions
      kilter preorder apply -r en-verb-final --parser model text.en
      kilter preorder apply -r en-verb-final --lowercase-trees -s text.en lowercase.conllu
    """
    quiet, jobs = options.quiet, options.jobs
    rules = load_rule_set(options.rules)
    if options.parser is None:
        column = read_first_parses(options.trees, quiet=quiet, details=rules.needs_details)
    else:
        rules.check_for_parser()
        column = parsed_text(
            options.trees,
            options.parser,
            tokenize=options.tokenize or DEFAULT_TOKENIZER,
            cache=options.cache,
            jobs=jobs,
            quiet=quiet,
        )
    if options.source is not None:
        column = column.with_words(split_lines(options.source), text=display_name(options.source))
    note_joined([column], quiet=quiet)
    note_idle([column], [rules], quiet=quiet)
    reordering = reorder_trees(column, rules, jobs=jobs)
    lines = list(
        write_reorderings(column.sentences(), reordering, form=options.format, where=column.where)
    )
    sys.stdout.writelines(line + "\n" for line in lines)
