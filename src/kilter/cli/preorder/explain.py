"""`kilter preorder explain`: one sentence, the rules that fired and what each moved."""

from __future__ import annotations

import sys

import click

from kilter.cli.command import settings_command
from kilter.cli.fields import format_setting, quiet_setting
from kilter.cli.parses import note_joined, read_first_parses
from kilter.cli.reorderings import OptionalReferenceFile, rules_setting
from kilter.core.settings import Group, InputFile, argument, mixed, setting
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.tied_order import Matching
from kilter.render.explanation.preorder_explanation import PreorderForm


@settings_command("explain")
def command(
    *,
    trees: InputFile = argument(description="CoNLL-U file."),
    rules: tuple[str, ...] = rules_setting(
        "Rule set; a second one shows what it does differently."
    ),
    segment: int = setting(
        low=1, metavar="NUMBER", group=Group.INPUT, description="Number of the sentence, from 1."
    ),
    reference: OptionalReferenceFile = mixed(OptionalReferenceFile),
    matching: Matching = mixed(Matching),
    format: PreorderForm = format_setting(default=PreorderForm.TEXT, description="Output format."),
    quiet: bool = quiet_setting(),
) -> None:
    """Show one sentence of TREES, a CoNLL-U file: its tree, the rules that fired, what each moved.

    With two rule sets, such as a file before and after an edit, it also says where they differ.

    \b
    Examples:
      kilter preorder explain -r mine.toml --segment 7 text.conllu
      kilter preorder explain -r old.toml -r mine.toml --segment 7 -R references.jsonl text.conllu
      kilter preorder explain -r mine.toml --segment 7 --format svg text.conllu > sentence.svg
    """
    from kilter.preordering.rule_file import load_rule_set
    from kilter.render.explanation.preorder_explanation import write_preorder_explanation
    from kilter.run.preordering.explain import explain_preorder

    if len(rules) > 2:
        raise click.UsageError("give one rule set, or two to compare")
    sets = [load_rule_set(name) for name in rules]
    details = any(each.needs_details for each in sets)
    column = read_first_parses(trees, quiet=quiet, details=details)
    note_joined([column], quiet=quiet)
    printed, given = None, reference
    if given.reference is not None:
        printed = read_reorderings(ByteSource(given.reference), form=given.reference_form)
    result = explain_preorder(
        column,
        sets,
        segment=segment,
        reference=printed,
        metric=matching.frs(),
    )
    write_preorder_explanation(result, sys.stdout, form=format)
