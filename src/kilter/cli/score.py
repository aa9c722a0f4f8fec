"""`kilter score`: corpus scores of systems, with intervals and signatures."""

from __future__ import annotations

import sys

import click

from kilter.cli.option.form import format_option
from kilter.cli.option.nbest import write_nbest_scores
from kilter.cli.option.output import segments_option
from kilter.cli.option.text import given_files, read_inputs, text_options
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import page_width, say_notes
from kilter.errors import OptionError
from kilter.metrics.citation import PUBLICATIONS
from kilter.pipeline.scoring.score import score_texts
from kilter.reports.table.score import write_scores
from kilter.reports.table.segment_file import check_segments_path, segment_table, write_segments
from kilter.reports.table.table import TableFormat


@click.command("score")
@text_options
@format_option
@segments_option("every metric x system x segment")
@click.option("--statistics", is_flag=True,
              help="With --segments: also write the additive statistics of which corpus scores are made.")  # fmt: skip
@click.option("--margins", is_flag=True,
              help="With --segments: also write how far two outputs must be apart for 3 of 4 judges to agree.")  # fmt: skip
@click.option("--nbest", is_flag=True,
              help="SYSTEMS is an n-best list: write the scores and additive statistics of every candidate.")  # fmt: skip
@click.option("--cite", is_flag=True, help="Write the BibTeX of the metrics instead of scores.")
def command(
    *,
    form: str,
    segments: str | None,
    statistics: bool,
    margins: bool,
    nbest: bool,
    cite: bool,
    quiet: bool,
    **options: object,
) -> None:
    """Score systems against references: one text file a system, one segment a line.

    \b
    Examples:
      kilter score -r reference.txt system.txt
      kilter score -r reference.txt -m pef -m bleu a.txt b.txt --format json
      kilter score -r reference.txt -m all a.txt --segments a.tsv.gz
    """
    if nbest:
        if segments or cite:
            raise OptionError(
                "--nbest writes every candidate itself; leave --segments and --cite out"
            )
        write_nbest_scores(options, TableFormat(form), quiet=quiet)
        return
    if cite and form != TableFormat.TEXT:
        raise OptionError("--format has no effect with --cite, which writes BibTeX; leave it out")
    if statistics and not segments:
        raise OptionError("--statistics goes with --segments FILE")
    if margins and not segments:
        raise OptionError("--margins goes with --segments FILE")
    if segments:
        check_segments_path(segments, given_files(options), called=f"--segments {segments}")
    inputs = read_inputs(options)
    with progress_bar("scoring systems", quiet=quiet) as progress:
        result = score_texts(inputs.texts, inputs.settings, progress=progress)
    if segments:
        write_segments(segment_table(result, statistics=statistics, margins=margins), segments)
    if cite:
        keys = dict.fromkeys(key for facts in result.metrics.values() for key in facts.citations)
        click.echo("\n\n".join(PUBLICATIONS.get(key, key) for key in keys))
    else:
        write_scores(result, sys.stdout, form=TableFormat(form), width=page_width())
    say_notes(result, TableFormat(form), quiet=quiet)
