"""`kilter reorder score`: reordered sentences against reference reorderings."""

from __future__ import annotations

from typing import Any

import click

from kilter.cli.option.execution import resampling_options
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, format_option, reference_form_option
from kilter.cli.option.input_text import source_option
from kilter.cli.option.output import segments_option
from kilter.cli.option.reordering import match_options, read_orders, read_source
from kilter.cli.option.setting import chosen_resampling
from kilter.cli.option.text import system_names
from kilter.cli.talk.terminal import print_result
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import ReorderingForm, read_reorderings
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.run.reordering.make import split_words
from kilter.run.reordering.score import reordering_metrics, score_reorderings


@click.command("score")
@click.argument("reference", type=FILE_NAME)
@click.argument("systems", nargs=-1, required=True, type=FILE_NAME)
@source_option("The source text: the words of files that give positions only.")
@reference_form_option("How REFERENCE is written.  [default: by its suffix]")
@click.option("--form", "system_form", type=choice(ReorderingForm),
              help="How SYSTEMS are written.  [default: by their suffixes]")  # fmt: skip
@match_options
@format_option
@segments_option("every metric x system x segment")
@resampling_options
def command(
    *,
    reference: str,
    systems: tuple[str, ...],
    source: str | None,
    reference_form: str | None,
    system_form: str | None,
    form: str,
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
    references = read_reorderings(ByteSource(reference), form=reference_form)
    result = score_reorderings(
        references,
        read_orders(system_names(list(systems)), systems, system_form),
        metrics=reordering_metrics(
            match=WordMatch(options["match"]),
            ties=TiedSpans(options["ties"]),
            joints=Joints(options["joints"]),
        ),
        sources=None if source is None else split_words(read_source(source)),
        resampling=chosen_resampling(options),
        jobs=options["jobs"],
    )
    if segments:
        write_segments(result.segments, segments)
    print_result(result, form)
