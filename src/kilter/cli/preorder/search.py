"""`kilter preorder search`: rules that score better, found by hill climbing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from kilter import __version__
from kilter.cli.command import settings_command
from kilter.cli.console import print_result, progress_bar
from kilter.cli.fields import format_setting, jobs_setting, quiet_setting
from kilter.cli.parses import note_joined, read_first_parses
from kilter.cli.reorderings import ReferenceFile
from kilter.core.settings import InputFile, OutputFile, argument, mixed, setting
from kilter.io.output import check_output, written_text
from kilter.io.stream import display_name
from kilter.render.table.table import TableFormat
from kilter.run.preordering.search import SearchSettings


@settings_command("search")
def command(
    *,
    trees: InputFile = argument(description="CoNLL-U file."),
    rules: InputFile | None = setting(
        "-r",
        "--rules",
        default=None,
        metavar="NAME|FILE.toml",
        description="Rule set to start from.  [default: none]",
    ),
    reference: ReferenceFile,
    settings: SearchSettings = mixed(SearchSettings),
    output: OutputFile = setting(
        "-o", "--output", metavar="FILE.toml", description="Where to write the rules."
    ),
    format: TableFormat = format_setting(),
    quiet: bool = quiet_setting(),
    jobs: int = jobs_setting(),
) -> None:
    """Search for rules that bring the sentences of TREES, a CoNLL-U file, closest to the references.

    Changes one thing at a time: which children, all of a label or those of which a condition holds, stand where
    below which heads, in their order or in reverse.

    \b
    Examples:
      kilter preorder search --folds 5 -R references.jsonl -o found.toml trees.conllu
      kilter preorder search -R references.jsonl -o found.toml trees.conllu
      kilter preorder search -r en-verb-final -R references.jsonl -o better.toml trees.conllu
    """
    from kilter.preordering.rule_file import load_rule_set, rule_set_text
    from kilter.run.preordering.search import search_rules

    if not output.endswith(".toml"):
        raise click.UsageError(f"--output {output} must end in .toml, as files of rules do")
    own = [rules] if rules and rules.endswith(".toml") else []
    inputs = [trees, reference.reference, *own]
    check_output(output, inputs, called=f"--output {output}")
    start = None if rules is None else load_rule_set(rules)
    column = read_first_parses(trees, quiet=quiet, details=True)
    note_joined([column], quiet=quiet)
    references = reference.read()
    with progress_bar("searching", quiet=quiet) as progress:
        found, result = search_rules(
            column,
            references,
            start=start,
            settings=settings,
            jobs=jobs,
            progress=progress,
        )
    last = result.steps[-1].training
    comments = [
        f"Found by kilter {__version__} preorder search from {result.start}, objective {result.objective},",
        f"on {result.sentences} sentences of {display_name(trees)}: frs {last.frs:.4f}, kendall {last.kendall:.4f}.",
        f"Digest {result.digest}.",
    ]
    # Two results can be compared: each is called as its file.
    named = replace(found, name=Path(output).name.removesuffix(".toml") or found.name)
    with written_text(output) as out:
        out.write(rule_set_text(named, comments))
    print_result(result, format)
