"""`kilter meta sensitivity`: what metrics notice."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from kilter.cli.file_name import FILE_NAME
from kilter.cli.study_options import chance_options, resampling, say
from kilter.cli.terminal import page_width
from kilter.errors import OptionError
from kilter.pipeline.sensitivity import (
    SENSITIVITY_METRICS,
    SensitivitySettings,
    label_sensitivity,
    perturbation_sensitivity,
)
from kilter.reports.sensitivity import write_sensitivity
from kilter.reports.table import TableFormat


@click.command("sensitivity")
@click.argument("files", nargs=-1, required=True, type=FILE_NAME)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[:OPTION=VALUE,...]",
    help="A metric; may be repeated.",
)
@click.option(
    "--labels",
    is_flag=True,
    help="FILES is one table of outputs with a label: how well do metrics separate them?",
)
@click.option("--tag", metavar="NAME", help="With --labels: the tag that marks an error of order.")
@click.option(
    "--lexical",
    multiple=True,
    metavar="KIND",
    help="A kind of change that touches words, not order; may be repeated.",
)
@click.option(
    "--window",
    default=1,
    show_default=True,
    type=click.IntRange(0),
    help="With --labels: lengths that differ by up to so many words are matched.",
)
@click.option(
    "--aligner",
    default="match",
    show_default=True,
    metavar="NAME[:OPTION=VALUE,...]",
    help="What makes the links.",
)
@click.option("--tokenize", metavar="NAME", help="How text is split into words, as for score.")
@click.option("-l", "--language", metavar="LANG", help="Language of the texts.")
@click.option("--lowercase", is_flag=True, help="Lower-case everything.")
@chance_options
@click.option("--format", "form", type=click.Choice([str(form) for form in TableFormat]),
              default="text", show_default=True, help="How to write the result.")  # fmt: skip
def command(*, files: tuple[str, ...], form: str, **options: Any) -> None:
    """Say what metrics notice: changes to translations, or outputs with labelled errors.

    \b
    Examples:
      kilter meta sensitivity swapped.json.gz antonym.json.gz --lexical critical_id7_antonym
      kilter meta sensitivity --labels outputs.tsv -m pef -m kendall
    """
    settings = SensitivitySettings(
        metrics=options["metrics"] or SENSITIVITY_METRICS,
        lexical=options["lexical"],
        aligner=options["aligner"],
        tokenize=options["tokenize"],
        language=options["language"],
        lowercase=options["lowercase"],
        window=options["window"],
        resampling=resampling(options),
    )
    if options["tag"] and not options["labels"]:
        raise OptionError("--tag goes with --labels")
    if options["labels"]:
        if len(files) != 1:
            raise OptionError("--labels takes one file")
        document = label_sensitivity(files[0], settings, tag=options["tag"]).to_dict()
    else:
        found = perturbation_sensitivity(files, settings)
        document = found.to_dict()
        if found.unchanged:
            said = f"{found.unchanged} pairs left out: the perturbed text is the original"
            say([said], quiet=options["quiet"])
    if form == TableFormat.JSON:
        json.dump(document, sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        write_sensitivity(document, sys.stdout, form=TableFormat(form), width=page_width())
