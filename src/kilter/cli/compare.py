"""`kilter compare`: paired tests between systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter.cli.option.execution import marks_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.given_score import lower_is_better_option
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.option.text import optional_text_options, read_inputs
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result, say_notes
from kilter.core.errors import OptionError
from kilter.render.table.table import TableFormat
from kilter.results.comparison import SignificanceTest
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Options
    from kilter.results.comparison import Comparison

_OF_SCORES = {
    "scores", "lower_is_better", "baseline", "tests", "marks", "form", "resamples", "seed", "jobs",
    "quiet",
}  # fmt: skip


@click.command("compare")
@optional_text_options
@click.option(
    "--scores",
    type=FILE_NAME,
    metavar="FILE",
    help="Compare scores instead of texts: human ratings, or any, by system and segment.",
)
@lower_is_better_option
@click.option(
    "--baseline",
    metavar="NAME",
    help="The system that the others are set against, by its name.  [default: the first]",
)
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=choice(SignificanceTest),
    help="A paired test; may be repeated. The first is the one that tables show.  [default: all]",
)
@marks_option
@format_option
@click.pass_context
def command(context: click.Context, /, *, form: str, **options: Any) -> None:
    """Compare systems with a baseline, the first of SYSTEMS or --baseline, and with one another.

    \b
    Examples:
      kilter compare -r reference.txt baseline.txt system.txt
      kilter compare -r reference.txt -m pef --test bootstrap a.txt b.txt c.txt --format md
      kilter compare --scores ratings.tsv
    """
    from kilter.run.scoring.given_score import compare_scores

    options["tests"] = [SignificanceTest(test) for test in options["tests"]] or [*SignificanceTest]
    options["marks"] = MarkRule(options["marks"])
    if options["scores"]:
        _refuse_texts(context)
        comparison = compare_scores(
            options["scores"],
            baseline=options["baseline"],
            tests=options["tests"],
            marks=options["marks"],
            lower_is_better=options["lower_is_better"],
            resampling=chosen_resampling(options),
        )
    else:
        comparison = _of_texts(options)
    print_result(comparison, form)
    say_notes(comparison, TableFormat(form), quiet=options["quiet"])


def _of_texts(options: Options) -> Comparison:
    if options["lower_is_better"]:
        raise OptionError("--lower-is-better goes with --scores")
    if not options["references"]:
        raise click.UsageError("name the reference with -r, or scores with --scores")
    if len(options["systems"]) < 2:
        raise click.UsageError("compare needs two systems or more; the first is the baseline")
    from kilter.run.scoring.compare import compare_texts

    inputs = read_inputs(options)
    with progress_bar("scoring systems", quiet=options["quiet"]) as progress:
        return compare_texts(
            inputs.texts,
            inputs.settings,
            baseline=options["baseline"],
            tests=options["tests"],
            marks=options["marks"],
            progress=progress,
        )


def _refuse_texts(context: click.Context) -> None:
    """Raise an `OptionError` for whatever is about texts, which nobody would look at."""
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
        if given and option.name not in _OF_SCORES:
            named = option.opts[-1] if isinstance(option, click.Option) else "SYSTEMS"
            raise OptionError(f"--scores holds all that is compared; leave {named} out")
