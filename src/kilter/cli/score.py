"""`kilter score`: corpus scores of systems, with intervals and signatures."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter import __version__
from kilter.cli.command import read_files, settings_command
from kilter.cli.console import notes_beside, print_notes, print_result, progress_bar
from kilter.cli.fields import (
    details_setting,
    format_setting,
    percent_setting,
    quiet_setting,
    segments_setting,
)
from kilter.cli.resumed import end_parts
from kilter.cli.texts import RequiredTextFiles
from kilter.core.errors import OptionError
from kilter.core.settings import Group, OutputFile, flag, setting
from kilter.io.output import check_output, is_stream
from kilter.io.saved_result import SUFFIX, is_saved
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import BLOCKWISE, is_group
from kilter.render.table.segment_file import (
    check_segments_path,
    write_segment_scores,
)
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import KeptParts, PartFolder
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.score_result import ScoreResult
    from kilter.run.scoring.measurement import MeasuredBlock
    from kilter.run.scoring.text_streams import TextStreams

_WITHOUT_EFFECT = ("resampling", "cache", "jobs")
"""Settings that decide nothing about what is measured."""
_NOT_BLOCKWISE = "nist is left out: it needs the whole corpus at once, which --resume, --engine and --workers never hold"


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What is scored, how, and what is written."""

    texts: RequiredTextFiles
    settings: Settings = field(default_factory=Settings)
    nbest: bool = flag(
        group=Group.ADVANCED,
        description="SYSTEMS is an n-best list: score every candidate.",
    )
    format: TableFormat = format_setting()
    segments: OutputFile | None = segments_setting("segment scores")
    statistics: bool = flag(
        needs="segments",
        group=Group.OUTPUT,
        description="With --segments: add the statistics that corpus scores sum up.",
    )
    margins: bool = flag(
        "--agreement-margins",
        old=("--margins",),
        needs="segments",
        group=Group.OUTPUT,
        description="With --segments: add the gap at which 3 of 4 judges agree.",
    )
    save: OutputFile | None = setting(
        default=None,
        group=Group.OUTPUT,
        description="Save scores and texts, to compare or report on them later.",
    )
    cite: bool = flag(
        group=Group.OUTPUT, description="Print BibTeX entries of the metrics instead of scores."
    )
    details: bool = details_setting("Add the parts of scores, and full signatures.")
    percent: bool = percent_setting()
    quiet: bool = quiet_setting()
    resume: bool = flag(
        needs="segments",
        group=Group.ADVANCED,
        description="With --segments: continue a run that was interrupted.",
    )
    engine: EngineChoice = field(default_factory=EngineChoice)

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.nbest and (self.segments or self.save or self.cite):
            yield "--nbest writes every candidate itself; leave --segments, --save and --cite out"
        if self.save and not is_saved(self.save):
            yield f"--save is {self.save!r}; name a file that ends with {SUFFIX}"
        if self.nbest and (self.resume or self.engine != EngineChoice()):
            yield "--nbest scores whole lists here; leave --resume, --engine and --workers out"
        if self.cite and self.format is not TableFormat.TEXT and not self.nbest:
            yield "--format has no effect with --cite, which writes BibTeX; leave it out"
        if self.resume and self.segments and is_stream(self.segments):
            yield "--resume needs a file to go on with; name one with --segments FILE"


@settings_command("score", heading=Group.SCORING)
def command(options: ScoreOptions) -> None:
    """Score systems against references, one text file per system and one segment per line.

    \b
    Examples:
      kilter score -r reference.txt system.txt
      kilter score -r reference.txt -m pef -m bleu a.txt b.txt --format json
      kilter score -r reference.txt -m all a.txt --segments a.tsv.gz
      kilter score -r reference.txt a.txt --save a.kilter.json
    """
    if options.nbest:
        from kilter.cli.nbest import write_nbest_scores

        write_nbest_scores(options.texts, options.settings, options.format, quiet=options.quiet)
        return
    segments, quiet = options.segments, options.quiet
    if segments:
        check_segments_path(segments, read_files(options), called=f"--segments {segments}")
    if options.save:
        check_output(options.save, read_files(options), called=f"--save {options.save}")
    streams = options.texts.streams()
    result, parts = _scored(options, streams)
    if options.save:
        _save(result, streams, options)
    if segments:
        write_segment_scores(
            result, segments, statistics=options.statistics, margins=options.margins
        )
    end_parts(parts, segments, quiet=quiet)
    if options.cite:
        keys = dict.fromkeys(key for facts in result.metrics.values() for key in facts.citations)
        click.echo("\n\n".join(PUBLICATIONS.get(key, key) for key in keys))
    else:
        shown = replace(result, percent=options.percent)
        print_result(shown, options.format, details=options.details)
    print_notes(notes_beside(result, options.format), quiet=quiet)


def _scored(
    options: ScoreOptions, streams: TextStreams
) -> tuple[ScoreResult, KeptParts[MeasuredBlock] | None]:
    """Return scores: of few segments, and where metrics ask for it, from texts in memory.

    The others are measured block by block; to go on with, blocks are kept beside the file of segments.
    """
    from kilter.run.scoring.measurement import measure, measure_streams
    from kilter.run.scoring.score import summarise
    from kilter.run.scoring.text_streams import BLOCK

    settings, quiet = options.settings, options.quiet
    kept = options.segments if options.resume else None
    plain = options.engine == EngineChoice() and kept is None
    blockwise = tuple(map(_blockwise, settings.specifications))
    if not plain and blockwise != settings.specifications:
        settings = replace(settings, metrics=blockwise)
        print_notes([_NOT_BLOCKWISE], quiet=quiet)
    why = streams.whole_because(settings)
    if why is not None and not plain:
        raise OptionError(
            f"{why}, so that texts are measured as a whole; leave --resume, --engine and --workers out"
        )
    if plain and (why is not None or streams.segments <= BLOCK):
        with progress_bar("scoring systems", quiet=quiet) as progress:
            measurement = measure(streams.whole(), settings, progress=progress)
        return summarise(measurement, settings), None
    parts = None if kept is None else _parts(streams, settings, kept)
    with (
        chosen_engine(options.engine) as engine,
        progress_bar("scoring", quiet=quiet, unit="segments") as progress,
    ):
        measurement = measure_streams(
            streams, settings, engine=engine, parts=parts, progress=progress
        )
    with progress_bar("resampling", quiet=quiet) as progress:
        return summarise(measurement, settings, progress=progress), parts


def _save(result: ScoreResult, streams: TextStreams, options: ScoreOptions) -> None:
    """Keep a result with its texts, which are read once more."""
    from kilter.run.scoring.saved import scored_texts

    texts = scored_texts(streams.whole(), options.settings)
    replace(result, texts=texts).save(str(options.save))


def _blockwise(specification: str) -> str:
    """Return a group without metrics that need the whole corpus; anything else as it is."""
    if is_group(specification):
        return specification.removesuffix(BLOCKWISE) + BLOCKWISE
    return specification


def _parts(streams: TextStreams, settings: Settings, path: str) -> KeptParts[MeasuredBlock]:
    from kilter.run.scoring.measurement import MeasuredBlock
    from kilter.run.scoring.run import Tools
    from kilter.run.tool_file import tool_files

    form = streams.form
    tools = Tools.of(streams.unread(), settings)
    made_of = {
        "version": __version__,
        "input": streams.digests(),
        "choice of texts": [form.systems, form.references, form.source, form.files],
        "choice of links and trees": asdict(streams.structures),
        "choice of options": {
            entry.name: str(getattr(settings, entry.name))
            for entry in fields(settings)
            if entry.name not in _WITHOUT_EFFECT
        },
        **tool_files([*tools.metrics.values(), *tools.used_aligners, *tools.parsers]),
    }
    return KeptParts(
        folder=PartFolder(path=Path(f"{path}.parts"), made_of=made_of),
        pack=MeasuredBlock.packed,
        unpack=MeasuredBlock.unpacked,
    )
