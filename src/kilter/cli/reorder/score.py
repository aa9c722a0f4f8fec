"""`kilter reorder score`: reordered sentences against reference reorderings."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.reordering import match_options, read_orders, read_source, resampling_options
from kilter.cli.option.text import system_names
from kilter.cli.talk.terminal import page_width
from kilter.formats.reordering import ReorderingForm, read_reorderings
from kilter.formats.stream import ByteSource, refuse_repeated
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.pipeline.reordering.make import split_words
from kilter.pipeline.reordering.score import reordering_metrics, score_reorderings
from kilter.reports.table.score import write_scores
from kilter.reports.table.segment_file import check_segments_path, write_segments
from kilter.reports.table.table import TableFormat
from kilter.statistics.resampling import Resampling
from kilter.structures.reordering.order_match import TiedSpans


@click.command("score")
@click.argument("reference", type=FILE_NAME)
@click.argument("systems", nargs=-1, required=True, type=FILE_NAME)
@click.option("-s", "--source", type=FILE_NAME, metavar="FILE",
              help="The source text: the words of files that give positions only.")  # fmt: skip
@click.option("--reference-form", type=click.Choice([str(form) for form in ReorderingForm]),
              help="How REFERENCE is written.  [default: by its suffix]")  # fmt: skip
@click.option("--form", type=click.Choice([str(form) for form in ReorderingForm]),
              help="How SYSTEMS are written.  [default: by their suffixes]")  # fmt: skip
@match_options
@click.option("--format", "layout", type=click.Choice([str(form) for form in TableFormat]),
              default="text", show_default=True, help="How to write the result.")  # fmt: skip
@click.option("--segments", type=FILE_NAME, metavar="FILE",
              help="Write every metric x system x segment: .tsv, .jsonl or .parquet, also .gz.")  # fmt: skip
@resampling_options
def command(
    *,
    reference: str,
    systems: tuple[str, ...],
    source: str | None,
    reference_form: str | None,
    form: str | None,
    layout: str,
    segments: str | None,
    **options: Any,
) -> None:
    """Score reordered sentences, a line each, against reference reorderings with tied groups.

    \b
    Examples:
      kilter reorder score references.txt system.txt
      kilter reorder score references.jsonl a.positions b.positions --match identity --format md
    """
    named = [reference, *systems, *([source] if source else [])]
    if named.count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    refuse_repeated(systems)
    if segments:
        check_segments_path(
            segments, [path for path in named if path != "-"], called=f"--segments {segments}"
        )
    found = read_reorderings(ByteSource(reference), form=reference_form)
    result = score_reorderings(
        found,
        read_orders(system_names(list(systems)), systems, form),
        metrics=reordering_metrics(
            match=WordMatch(options["match"]),
            ties=TiedSpans(options["ties"]),
            joints=Joints(options["joints"]),
        ),
        sources=None if source is None else split_words(read_source(source)),
        resampling=Resampling(
            resamples=options["resamples"], seed=options["seed"], jobs=options["jobs"]
        ),
        jobs=options["jobs"],
    )
    if segments:
        write_segments(result.segments, segments)
    if layout == TableFormat.JSON:
        json.dump(result.to_dict(), sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        write_scores(result, sys.stdout, form=TableFormat(layout), width=page_width())
