"""`kilter preorder evaluate`: parsers x rule sets against reference reorderings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.execution import marks_option, quiet_option, resampling_options
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import format_option
from kilter.cli.option.output import segments_option
from kilter.cli.option.preordering import changes, note_idle, parser_options, read_parses
from kilter.cli.option.reordering import match_options, reference_options, rules_option
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.talk.terminal import print_result
from kilter.core.errors import KilterError
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.preordering.rule_file import load_rule_set
from kilter.render.table.page import write_result
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.render.table.table import FULL_FORMATS, TableFormat
from kilter.run.preordering.evaluate import (
    check_rule_names,
    evaluate_preorder,
    preorder_metrics,
)
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.preordering.rule_set import RuleSet
    from kilter.results.preordering import PreorderEvaluation


@click.command("evaluate")
@click.argument("trees", nargs=-1, type=FILE_NAME)
@rules_option("A rule set; once for each, if there are several.", multiple=True)
@reference_options
@parser_options
@match_options
@format_option
@segments_option("every metric x system x sentence")
@click.option("--watch", is_flag=True,
              help="Run again whenever a rule file changes, and show what got better and worse.")  # fmt: skip
@marks_option
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
    form: str,
    segments: str | None,
    watch: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Evaluate every parser x rule set; TREES are parses of one source, a CoNLL-U file per parser.

    Parsers can also be run on the spot, with --parser.

    \b
    Examples:
      kilter preorder evaluate -r r1 -r r4 -R references.jsonl malt.conllu stanza.conllu
      kilter preorder evaluate -r r1 -r mine.toml -R references.jsonl --watch gold.conllu
      kilter preorder evaluate -r r1 -r r4 -R references.jsonl --parser model --parser perceptron -s text.en
    """
    files = [name for name in rules if name.endswith(".toml")]
    if watch and not files:
        raise click.UsageError("--watch needs a rule file; give one with -r FILE.toml")
    if watch and form == TableFormat.PARQUET:
        raise click.UsageError("a Parquet file holds one result, and --watch writes several")
    if segments:
        check_segments_path(
            segments,
            [path for path in [*trees, reference, source, gold, *files] if path and path != "-"],
            called=f"--segments {segments}",
        )
    chosen = _rule_sets(rules)
    if parser:
        for each in chosen:
            each.check_for_parser()
    references = read_reorderings(ByteSource(reference), form=reference_form)
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
        details=watch or any(each.needs_details for each in chosen),
    )

    def evaluate(rule_sets: list[RuleSet]) -> PreorderEvaluation:
        note_idle(parses.values(), rule_sets, quiet=quiet)
        return evaluate_preorder(
            parses,
            rule_sets,
            references,
            metrics=preorder_metrics(
                match=WordMatch(options["match"]),
                ties=TiedSpans(options["ties"]),
                joints=Joints(options["joints"]),
            ),
            gold=gold_trees,
            resampling=chosen_resampling(options),
            marks=MarkRule(options["marks"]),
            jobs=options["jobs"],
        )

    result = evaluate(chosen)
    if segments:
        write_segments(result.segments(), segments)
    print_result(result, form)
    if watch:
        _watch(result, files, rules, evaluate, TableFormat(form))


def _rule_sets(names: tuple[str, ...]) -> list[RuleSet]:
    rule_sets = [load_rule_set(name) for name in names]
    check_rule_names(rule_sets)
    return rule_sets


def _watch(
    result: PreorderEvaluation,
    files: list[str],
    rules: tuple[str, ...],
    evaluate: Callable[[list[RuleSet]], PreorderEvaluation],
    form: TableFormat,
) -> None:
    sys.stdout.flush()
    for path in changes(files):
        click.echo(f"kilter: {path} has changed", err=True)
        try:
            after = evaluate(_rule_sets(rules))
        except KilterError as error:  # half an edit is no reason to stop watching
            click.echo(f"kilter: {error}", err=True)
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
