"""`kilter meta sensitivity`: what metrics notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.input_text import source_option
from kilter.cli.option.judgment import (
    resample_options,
    tell,
    word_options,
    word_settings,
)
from kilter.cli.option.setting import chosen_resampling, metric_option
from kilter.cli.option.text import structure_files, structure_options
from kilter.cli.talk.terminal import print_result
from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from kilter.results.sensitivity_result import LabelResult, PerturbationResult


WINDOW = 1


@click.command("sensitivity")
@click.argument("files", nargs=-1, required=True, type=FILE_NAME)
@metric_option("A metric; may be repeated.")
@click.option(
    "--labels",
    is_flag=True,
    help="FILES is one table of outputs with a label: how well do metrics separate them?",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="NAME",
    help="With --labels: a tag that marks an error of order, or a pattern such as 'order*'; may be "
    "repeated.",
)
@click.option(
    "--lexical",
    multiple=True,
    metavar="KIND",
    help="A kind of change that touches words, not order; may be repeated.",
)
@click.option(
    "--window",
    default=WINDOW,
    show_default=True,
    type=click.IntRange(0),
    help="With --labels: lengths that differ by up to so many words are matched.",
)
@source_option("The source of the pairs that differ, or of the labelled outputs.")
@structure_options
@word_options
@resample_options
def command(*, files: tuple[str, ...], form: str, **options: Any) -> None:
    """Say what metrics notice: changes to translations, or outputs with labelled errors.

    \b
    Examples:
      kilter meta sensitivity swapped.json.gz antonym.json.gz --lexical critical_id7_antonym
      kilter meta sensitivity --labels outputs.tsv -m pef -m kendall
    """
    from kilter.run.meta.sensitivity import (
        SENSITIVITY_METRICS,
        label_sensitivity,
        perturbation_sensitivity,
    )

    settings = word_settings(
        options,
        metrics=options["metrics"] or SENSITIVITY_METRICS,
        resampling=chosen_resampling(options),
    )
    if options["tags"] and not options["labels"]:
        raise OptionError("--tag goes with --labels")
    if options["window"] != WINDOW and not options["labels"]:
        raise OptionError("--window goes with --labels")
    if options["lexical"] and options["labels"]:
        raise OptionError("--lexical goes with files of changes, not with --labels")
    given = {"source": options["source"], "structure": structure_files(options)}
    result: LabelResult | PerturbationResult
    if options["labels"]:
        if len(files) != 1:
            raise OptionError("--labels takes one file")
        result = label_sensitivity(
            files[0], settings, tag=options["tags"], window=options["window"], **given
        )
    else:
        result = perturbation_sensitivity(files, settings, lexical=options["lexical"], **given)
    print_result(result, form)
    tell(result.notes, quiet=options["quiet"])
