"""`kilter demo`: scores the bundled sample, without any file of the user's."""

from __future__ import annotations

import sys

import click

from kilter.cli.talk.terminal import page_width
from kilter.pipeline.demo import DEMO_METRICS, sample_texts
from kilter.pipeline.scoring.compare import compare_texts
from kilter.pipeline.scoring.score import score_texts
from kilter.pipeline.scoring.settings import Settings
from kilter.reports.table.comparison import write_comparison
from kilter.reports.table.score import write_scores
from kilter.reports.table.table import TableFormat
from kilter.structures.result.comparison import SignificanceTest


@click.command("demo")
@click.option(
    "--compare", "compared", is_flag=True, help="Also test the differences between systems."
)
def command(*, compared: bool) -> None:
    """Score four bundled systems: words swapped, verbs misplaced, phrases moved, words replaced.

    The systems are English translations of 48 German sentences written for this purpose. Lexical
    scores cannot tell what is wrong with them; order scores can.
    """
    settings = Settings(metrics=DEMO_METRICS, language="en")
    result = score_texts(sample_texts(), settings)
    width = page_width()
    write_scores(result, sys.stdout, form=TableFormat.TEXT, width=width)
    if compared:
        comparison = compare_texts(sample_texts(), settings, tests=[SignificanceTest.BOOTSTRAP])
        sys.stdout.write("\n")
        write_comparison(comparison, sys.stdout, form=TableFormat.TEXT, width=width)
