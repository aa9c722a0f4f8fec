"""`kilter preorder search`: rules that score better, found by hill climbing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kilter import __version__
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.finite_number import FiniteNumber
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.preordering import note_joined, read_first_parses
from kilter.cli.option.reordering import match_options, reference_options
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result
from kilter.core.reordering import TiedSpans
from kilter.io.output import check_output, written_text
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, display_name
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.run.preordering.search import MOST_FOLDS, SearchObjective, SearchSettings

_DEFAULTS = SearchSettings()


@click.command("search")
@click.argument("trees", type=FILE_NAME)
@click.option("-o", "--output", required=True, type=FILE_NAME, metavar="FILE.toml",
              help="Where the rules go.")  # fmt: skip
@click.option("-r", "--rules", type=FILE_NAME, metavar="NAME|FILE.toml",
              help="The rule set to start from.  [default: none, everything in place]")  # fmt: skip
@reference_options
@click.option("--objective", type=choice(SearchObjective), default=str(_DEFAULTS.objective), show_default=True,
              help="What the search makes larger; mix: frs + kendall / 2.")  # fmt: skip
@click.option("--conditions/--no-conditions", default=_DEFAULTS.conditions, show_default=True,
              help="Try conditions on words, tags, children and heads, too.")  # fmt: skip
@click.option("--lemmas", is_flag=True,
              help="Let conditions name lemmas instead of words; such rules need trees with lemmas, which parsers do not give.")  # fmt: skip
@click.option("--folds", type=click.IntRange(0, MOST_FOLDS), default=_DEFAULTS.folds, show_default=True,
              help="Let cross-validation decide how small a gain may be; 0 does not.")  # fmt: skip
@click.option("--held-out", type=FiniteNumber(0, 0.9), default=_DEFAULTS.held_out, show_default=True,
              metavar="SHARE", help="Share of the sentences, drawn by the seed, that decide nothing.")  # fmt: skip
@click.option("--fewest", type=click.IntRange(1), default=_DEFAULTS.fewest, show_default=True,
              help="Leave alone what occurs less often.")  # fmt: skip
@click.option("--minimum-gain", type=FiniteNumber(0), default=_DEFAULTS.minimum_gain, show_default=True,
              help="Take no change that gains less.")  # fmt: skip
@click.option("--caution", type=FiniteNumber(0), default=_DEFAULTS.caution, show_default=True,
              help="Take no change that gains less than so many standard errors.")  # fmt: skip
@click.option("--passes", type=click.IntRange(1, 1000), default=_DEFAULTS.passes, show_default=True,
              help="Rounds over all questions at each level of gains, at most.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=_DEFAULTS.seed, show_default=True,
              help="What is held out, the folds, and the resamples of intervals.")  # fmt: skip
@match_options
@format_option
@jobs_option
@quiet_option
def command(
    *,
    trees: str,
    output: str,
    rules: str | None,
    reference: str,
    reference_form: str | None,
    objective: str,
    match: str,
    ties: str,
    joints: str,
    form: str,
    jobs: int,
    quiet: bool,
    **settings: Any,
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
    from kilter.metrics.frs import Frs
    from kilter.preordering.rule_file import load_rule_set, rule_set_text
    from kilter.run.preordering.search import search_rules

    if not output.endswith(".toml"):
        raise click.UsageError(f"--output {output} must end in .toml, as files of rules do")
    own = [rules] if rules and rules.endswith(".toml") else []
    check_output(output, [trees, reference, *own], called=f"--output {output}")
    start = None if rules is None else load_rule_set(rules)
    column = read_first_parses(trees, quiet=quiet, details=True)
    note_joined([column], quiet=quiet)
    references = read_reorderings(ByteSource(reference), form=reference_form)
    with progress_bar("searching", quiet=quiet) as progress:
        found, result = search_rules(
            column,
            references,
            start=start,
            settings=SearchSettings(objective=SearchObjective(objective), **settings),
            metric=Frs(match=WordMatch(match), ties=TiedSpans(ties), joints=Joints(joints)),
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
    print_result(result, form)
