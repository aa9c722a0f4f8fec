"""`kilter preorder analyse`: where a parser and a rule set go wrong."""

from __future__ import annotations

from typing import Any

import click

from kilter.cli.option.execution import quiet_option, resampling_options
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.preordering import note_idle, parser_options, read_parses
from kilter.cli.option.reordering import match_options, reference_options, rules_option
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.talk.terminal import print_result
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.render.table.table import ROW_FORMATS, TableFormat
from kilter.results.preordering import Analysis, RowOrder


@click.command("analyse")
@click.argument("trees", nargs=-1, type=FILE_NAME)
@rules_option("A rule set; a second one to see what it changes.", multiple=True)
@reference_options
@parser_options
@click.option("--analysis", "analyses", multiple=True,
              type=choice(Analysis),
              help="What to look at; may be repeated.  [default: all]")  # fmt: skip
@click.option("--minimum", default=5, show_default=True, type=click.IntRange(1),
              help="How often a word or class must occur.")  # fmt: skip
@click.option("--sort", type=choice(RowOrder), default=str(RowOrder.WRONG_PAIRS), show_default=True,
              help="What comes first of words and classes; of two rule sets, what changed most in it.")  # fmt: skip
@click.option("--trees", "draw_trees", is_flag=True, help="Draw the trees of sentences.")
@click.option("--top", default=10, show_default=True, type=click.IntRange(0),
              help="Rows of each analysis; 0 is all.")  # fmt: skip
@match_options
@format_option
@resampling_options
@quiet_option
def command(
    *,
    trees: tuple[str, ...],
    rules: tuple[str, ...],
    reference: str,
    reference_form: str | None,
    parser: tuple[str, ...],
    source: str | None,
    gold: str | None,
    lowercase_trees: bool,
    analyses: tuple[str, ...],
    minimum: int,
    sort: str,
    draw_trees: bool,
    top: int,
    form: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Show the words, classes of words, sentences and rules that cost most.

    TREES is a CoNLL-U file, or two parses of one source, whose sentences are then compared. A parser can
    also be run on the spot, with --parser. Two rule sets show words, classes and sentences before and after.

    \b
    Examples:
      kilter preorder analyse -r mine.toml -R references.jsonl text.conllu
      kilter preorder analyse -r mine.toml -R references.jsonl --analysis sentences a.conllu b.conllu
      kilter preorder analyse -r old.toml -r mine.toml -R references.jsonl text.conllu
    """
    from kilter.metrics.frs import Frs
    from kilter.preordering.rule_file import load_rule_set
    from kilter.run.preordering.analyse import analyse_preorder

    if len(trees) + len(parser) > 2:
        raise click.UsageError("give one file of trees or one parser, or two to compare")
    if len(rules) > 2:
        raise click.UsageError("give one rule set, or two to compare")
    if len(rules) == 2 and len(trees) + len(parser) > 1:
        raise click.UsageError("compare two parsers or two rule sets, not both at once")
    chosen = tuple(dict.fromkeys(map(Analysis, analyses))) or tuple(Analysis)
    layout = TableFormat(form)
    if layout in ROW_FORMATS and len(chosen) > 1:
        raise click.UsageError(f"{form} holds one analysis; name it with --analysis")
    sets = [load_rule_set(name) for name in rules]
    if parser:
        for each in sets:
            each.check_for_parser()
    parses, gold_trees = read_parses(
        trees,
        reference=reference,
        parsers=parser,
        source=source,
        gold=gold,
        cache=options["cache"],
        jobs=options["jobs"],
        quiet=quiet,
        lowercase_trees=lowercase_trees,
        details=any(each.needs_details for each in sets),
    )
    note_idle(parses.values(), sets, quiet=quiet)
    result = analyse_preorder(
        parses,
        sets,
        read_reorderings(ByteSource(reference), form=reference_form),
        analyses=chosen,
        metric=Frs(
            match=WordMatch(options["match"]),
            ties=TiedSpans(options["ties"]),
            joints=Joints(options["joints"]),
        ),
        gold=gold_trees,
        minimum=minimum,
        sort=RowOrder(sort),
        trees=draw_trees,
        resampling=chosen_resampling(options),
        jobs=options["jobs"],
    )
    print_result(result.top(top) if top else result, form)
