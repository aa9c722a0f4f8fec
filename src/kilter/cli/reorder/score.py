"""`kilter reorder score`: reordered sentences against reference reorderings."""

from __future__ import annotations

from dataclasses import dataclass, field

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import details_setting, format_setting, segments_setting, source_setting
from kilter.cli.reorderings import read_orders, read_source
from kilter.cli.texts import system_names
from kilter.core.settings import Group, InputFile, OutputFile, argument, setting
from kilter.io.reordering import ReorderingForm, read_reorderings
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.metrics.tied_order import Matching
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.render.table.table import TableFormat
from kilter.run.reordering.make import split_words
from kilter.run.reordering.score import score_reorderings
from kilter.stats.resampling import Resampling


@dataclass(frozen=True, kw_only=True)
class ReorderingScoreOptions:
    """What is scored, and how files are written."""

    reference: InputFile = argument(description="Reference reorderings.")
    systems: tuple[InputFile, ...] = argument(description="Reordered sentences, one per line.")
    source: InputFile | None = source_setting("Source text, for files that have only positions.")
    reference_form: ReorderingForm | None = setting(
        "--reference-format",
        old=("--reference-form",),
        default=None,
        group=Group.INPUT,
        description="Format of REFERENCE.  [default: by suffix]",
    )
    system_form: ReorderingForm | None = setting(
        "--system-format",
        old=("--form",),
        default=None,
        group=Group.INPUT,
        description="Format of SYSTEMS.  [default: by suffix]",
    )
    matching: Matching = field(default_factory=Matching)
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()
    details: bool = details_setting("Add full signatures.")
    segments: OutputFile | None = segments_setting("segment scores")


@settings_command("score", heading=Group.SCORING)
def command(options: ReorderingScoreOptions) -> None:
    """Score reordered sentences, a line each, against reference reorderings with tied groups.

    \b
    Examples:
      kilter reorder score references.txt system.txt
      kilter reorder score references.jsonl a.positions b.positions --match identity --format md
    """
    systems, segments = options.systems, options.segments
    refuse_repeated(systems)
    if segments:
        check_segments_path(segments, read_files(options), called=f"--segments {segments}")
    references = read_reorderings(ByteSource(options.reference), form=options.reference_form)
    result = score_reorderings(
        references,
        read_orders(system_names(systems), systems, options.system_form),
        metrics=options.matching.metrics(),
        sources=None if options.source is None else split_words(read_source(options.source)),
        resampling=options.resampling,
        jobs=options.resampling.jobs,
    )
    if segments:
        write_segments(result.segments, segments)
    print_result(result, options.format, details=options.details)
