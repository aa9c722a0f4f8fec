"""`kilter preorder apply`: sentences reordered by the rules."""

from __future__ import annotations

import sys

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.preordering import note_idle, note_joined, read_first_parses
from kilter.formats.reordering import ReorderingForm, write_reorderings
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set


@click.command("apply")
@click.argument("trees", type=FILE_NAME)
@click.option("-r", "--rules", required=True, type=FILE_NAME, metavar="NAME|FILE.toml",
              help="A rule set: one that comes with Kilter, or a file.")  # fmt: skip
@click.option("--format", "form", type=click.Choice([str(form) for form in ReorderingForm]),
              default="text", show_default=True, help="How to write the reordered sentences.")  # fmt: skip
@click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
              help="Threads; the result is the same for every number.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Say nothing on standard error but errors.")
def command(*, trees: str, rules: str, form: str, jobs: int, quiet: bool) -> None:
    """Write the sentences of TREES, a CoNLL-U file, in the order of the rules; the first parse of each.

    \b
    Examples:
      kilter preorder apply -r r4 text.conllu
      kilter preorder apply -r mine.toml text.conllu --format positions > text.positions
    """
    chosen = load_rule_set(rules)
    column = read_first_parses(trees, quiet=quiet)
    note_joined([column], quiet=quiet)
    note_idle([column], [chosen], quiet=quiet)
    reordering = reorder_trees(column, chosen, jobs=jobs)
    lines = list(write_reorderings(column.sentences(), reordering, form=form, where=column.where))
    sys.stdout.writelines(line + "\n" for line in lines)
