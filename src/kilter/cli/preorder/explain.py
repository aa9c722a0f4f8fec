"""`kilter preorder explain`: one sentence, the rules that fired and what each moved."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import quiet_option
from kilter.cli.option.form import form_option
from kilter.cli.option.preordering import note_joined, read_first_parses
from kilter.cli.option.reordering import (
    match_options,
    optional_reference_options,
    rules_option,
)
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.render.explanation.preorder_explanation import PreorderForm


@click.command("explain")
@click.argument("trees", type=FILE_NAME)
@rules_option("A rule set; a second one to see what it does differently.", multiple=True)
@click.option("--segment", required=True, type=click.IntRange(1), metavar="NUMBER",
              help="The sentence, counted from 1.")  # fmt: skip
@optional_reference_options
@match_options
@form_option(PreorderForm, "text", "Lines for people, a document, or a picture.")
@quiet_option
def command(
    *,
    trees: str,
    rules: tuple[str, ...],
    segment: int,
    reference: str | None,
    reference_form: str | None,
    form: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Show one sentence of TREES, a CoNLL-U file: its tree, the rules that fired, what each moved.

    With two rule sets, such as a file before and after an edit, it also says where they differ.

    \b
    Examples:
      kilter preorder explain -r mine.toml --segment 7 text.conllu
      kilter preorder explain -r old.toml -r mine.toml --segment 7 -R references.jsonl text.conllu
      kilter preorder explain -r mine.toml --segment 7 --format svg text.conllu > sentence.svg
    """
    from kilter.metrics.frs import Frs
    from kilter.preordering.rule_file import load_rule_set
    from kilter.render.explanation.preorder_explanation import write_preorder_explanation
    from kilter.run.preordering.explain import explain_preorder

    if len(rules) > 2:
        raise click.UsageError("give one rule set, or two to compare")
    if [trees, reference].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    sets = [load_rule_set(name) for name in rules]
    details = any(each.needs_details for each in sets)
    column = read_first_parses(trees, quiet=quiet, details=details)
    note_joined([column], quiet=quiet)
    printed = None
    if reference is not None:
        printed = read_reorderings(ByteSource(reference), form=reference_form)
    result = explain_preorder(
        column,
        sets,
        segment=segment,
        reference=printed,
        metric=Frs(
            match=WordMatch(options["match"]),
            ties=TiedSpans(options["ties"]),
            joints=Joints(options["joints"]),
        ),
    )
    write_preorder_explanation(result, sys.stdout, form=PreorderForm(form))
