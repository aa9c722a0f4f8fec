"""`kilter preorder apply`: sentences reordered by the rules."""

from __future__ import annotations

import sys

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.form import form_option
from kilter.cli.option.input_text import source_option
from kilter.cli.option.preordering import (
    note_idle,
    note_joined,
    parsed_text,
    read_first_parses,
    split_lines,
)
from kilter.cli.option.reordering import rules_option
from kilter.cli.option.setting import setting_option
from kilter.io.reordering import ReorderingForm, write_reorderings
from kilter.io.stream import display_name
from kilter.io.tokenizer import DEFAULT_TOKENIZER
from kilter.parsers.registry import PARSERS
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set
from kilter.run.scoring.settings import Settings


@click.command("apply")
@click.argument("trees", type=FILE_NAME)
@rules_option("A rule set: one that comes with Kilter, or a file.")
@setting_option(Settings, "parser", multiple=False,
                help=f"TREES is a text, and this parses it: {', '.join(PARSERS.names())}.")  # fmt: skip
@setting_option(Settings, "tokenize",
                help="With --parser, how lines are split into words; none: as they stand.  "
                     f"[default: {DEFAULT_TOKENIZER}]")  # fmt: skip
@setting_option(Settings, "cache",
                help="Folder that keeps what --parser makes for other runs; nothing is kept without it.")  # fmt: skip
@click.option("--lowercase-trees", is_flag=True,
              help="TREES are parses of the lower-cased text; words are written as --source has them.")  # fmt: skip
@source_option("What --lowercase-trees restores, words separated by blanks.")
@form_option(ReorderingForm, "text", "How to write the reordered sentences.")
@jobs_option
@quiet_option
def command(
    *,
    trees: str,
    rules: str,
    parser: str | None,
    tokenize: str | None,
    cache: str | None,
    lowercase_trees: bool,
    source: str | None,
    form: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Write the sentences of TREES, a CoNLL-U file, in the order of the rules; the first parse of each.

    With --parser, TREES is a text, a sentence a line, that is parsed on the spot.

    \b
    Examples:
      kilter preorder apply -r r4 text.conllu
      kilter preorder apply -r mine.toml text.conllu --format positions > text.positions
      kilter preorder apply -r en-verb-final --parser model text.en
      kilter preorder apply -r en-verb-final --lowercase-trees -s text.en lowercase.conllu
    """
    _check(parser, tokenize, cache, source, lowercase_trees=lowercase_trees)
    if [trees, source].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    chosen = load_rule_set(rules)
    if parser is None:
        column = read_first_parses(trees, quiet=quiet, details=chosen.needs_details)
    else:
        chosen.check_for_parser()
        split = tokenize or DEFAULT_TOKENIZER
        column = parsed_text(trees, parser, tokenize=split, cache=cache, jobs=jobs, quiet=quiet)
    if source is not None:
        column = column.with_words(split_lines(source), text=display_name(source))
    note_joined([column], quiet=quiet)
    note_idle([column], [chosen], quiet=quiet)
    reordering = reorder_trees(column, chosen, jobs=jobs)
    lines = list(write_reorderings(column.sentences(), reordering, form=form, where=column.where))
    sys.stdout.writelines(line + "\n" for line in lines)


def _check(
    parser: str | None,
    tokenize: str | None,
    cache: str | None,
    source: str | None,
    *,
    lowercase_trees: bool,
) -> None:
    """Raise a usage error for options that would do nothing."""
    for name, value in (("--tokenize", tokenize), ("--cache", cache)):
        if value is not None and parser is None:
            raise click.UsageError(f"{name} goes with --parser")
    if lowercase_trees and parser is not None:
        raise click.UsageError(
            "--lowercase-trees is about TREES of a file; --parser keeps the words of its text"
        )
    if lowercase_trees != (source is not None):
        raise click.UsageError(
            "--lowercase-trees and --source go together: it says how words are written"
        )
