"""`kilter compare`: paired tests between systems."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.cli.option.form import choice, format_option
from kilter.cli.option.text import read_inputs, text_options
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import page_width, say_notes
from kilter.pipeline.scoring.compare import compare_texts
from kilter.reports.table.comparison import write_comparison
from kilter.reports.table.table import TableFormat
from kilter.statistics.significance import MarkRule
from kilter.structures.result.comparison import SignificanceTest


@click.command("compare")
@text_options
@click.option("--test", "tests", multiple=True, type=choice(SignificanceTest),
              help="A paired test; may be repeated. The first is the one that tables show.  [default: all]")  # fmt: skip
@click.option("--marks", type=choice(MarkRule), default="corrected", show_default=True,
              help="What marks follow: corrected p-values, or the share of resamples as published.")  # fmt: skip
@format_option
def command(*, tests: tuple[str, ...], marks: str, form: str, **options: Any) -> None:
    """Compare systems with a baseline, the first of SYSTEMS, and with one another.

    \b
    Examples:
      kilter compare -r reference.txt baseline.txt system.txt
      kilter compare -r reference.txt -m pef --test bootstrap a.txt b.txt c.txt --format md
    """
    if len(options["systems"]) < 2:
        raise click.UsageError("compare needs two systems or more; the first is the baseline")
    inputs = read_inputs(options)
    with progress_bar("scoring systems", quiet=options["quiet"]) as progress:
        comparison = compare_texts(
            inputs.texts,
            inputs.settings,
            tests=[SignificanceTest(test) for test in tests] or tuple(SignificanceTest),
            marks=MarkRule(marks),
            progress=progress,
        )
    write_comparison(comparison, sys.stdout, form=TableFormat(form), width=page_width())
    say_notes(comparison, TableFormat(form), quiet=options["quiet"])
