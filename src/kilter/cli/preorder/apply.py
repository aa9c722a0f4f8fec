"""`kilter preorder apply`: sentences reordered by the rules."""

from __future__ import annotations

import sys

import click

from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import form_option
from kilter.cli.option.preordering import note_idle, note_joined, read_first_parses
from kilter.cli.option.reordering import rules_option
from kilter.formats.reordering import ReorderingForm, write_reorderings
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set


@click.command("apply")
@click.argument("trees", type=FILE_NAME)
@rules_option("A rule set: one that comes with Kilter, or a file.")
@form_option(ReorderingForm, "text", "How to write the reordered sentences.")
@jobs_option
@quiet_option
def command(*, trees: str, rules: str, form: str, jobs: int, quiet: bool) -> None:
    """Write the sentences of TREES, a CoNLL-U file, in the order of the rules; the first parse of each.

    \b
    Examples:
      kilter preorder apply -r r4 text.conllu
      kilter preorder apply -r mine.toml text.conllu --format positions > text.positions
    """
    chosen = load_rule_set(rules)
    column = read_first_parses(trees, quiet=quiet, details=chosen.needs_details)
    note_joined([column], quiet=quiet)
    note_idle([column], [chosen], quiet=quiet)
    reordering = reorder_trees(column, chosen, jobs=jobs)
    lines = list(write_reorderings(column.sentences(), reordering, form=form, where=column.where))
    sys.stdout.writelines(line + "\n" for line in lines)
