"""`kilter score`: corpus scores of systems, with intervals and signatures."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kilter import __version__
from kilter.cli.option.engine import engine_options
from kilter.cli.option.form import format_option
from kilter.cli.option.output import segments_option
from kilter.cli.option.resumed import end_parts
from kilter.cli.option.text import read_files, stream_inputs, text_options
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.terminal import print_result, say_notes
from kilter.core.errors import OptionError
from kilter.io.output import is_stream
from kilter.metrics.citation import PUBLICATIONS
from kilter.render.table.segment_file import (
    ResultSegments,
    check_segments_path,
    write_segment_scores,
)
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import KeptParts, PartFolder

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Options
    from kilter.render.table.segment_file import SegmentScores
    from kilter.results.score_result import ScoreResult
    from kilter.run.scoring.measured_block import MeasuredBlock
    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.text_streams import TextStreams

_WITHOUT_EFFECT = ("resampling", "cache", "jobs")
"""Settings that decide nothing about what is measured."""


@click.command("score")
@text_options
@format_option
@segments_option("every metric x system x segment")
@click.option("--statistics", is_flag=True,
              help="With --segments: also write the additive statistics of which corpus scores are made.")  # fmt: skip
@click.option("--margins", is_flag=True,
              help="With --segments: also write how far two outputs must be apart for 3 of 4 judges to agree.")  # fmt: skip
@click.option("--resume", is_flag=True,
              help="With --segments: keep what is done in FILE.parts until the file is complete, and go on after "
              "what a killed run left there.")  # fmt: skip
@engine_options
@click.option("--nbest", is_flag=True,
              help="SYSTEMS is an n-best list: write the scores and additive statistics of every candidate.")  # fmt: skip
@click.option("--cite", is_flag=True, help="Write the BibTeX of the metrics instead of scores.")
def command(
    *,
    form: str,
    segments: str | None,
    statistics: bool,
    margins: bool,
    resume: bool,
    engine: EngineChoice,
    nbest: bool,
    cite: bool,
    quiet: bool,
    **options: object,
) -> None:
    """Score systems against references: one text file a system, one segment a line.

    Texts of any size are read and measured block by block.

    \b
    Examples:
      kilter score -r reference.txt system.txt
      kilter score -r reference.txt -m pef -m bleu a.txt b.txt --format json
      kilter score -r reference.txt -m all a.txt --segments a.tsv.gz
    """
    if nbest:
        from kilter.cli.option.nbest import write_nbest_scores

        _check_nbest(segments=segments, cite=cite, apart=resume or engine != EngineChoice())
        write_nbest_scores(options, TableFormat(form), quiet=quiet)
        return
    if cite and form != TableFormat.TEXT:
        raise OptionError("--format has no effect with --cite, which writes BibTeX; leave it out")
    if segments:
        check_segments_path(segments, read_files(options), called=f"--segments {segments}")
    else:
        _refuse_without_segments(statistics=statistics, margins=margins, resume=resume)
    if resume and is_stream(segments or ""):
        raise OptionError("--resume needs a file to go on with; name one with --segments FILE")
    scored = _scored(options, engine, segments if resume else None, quiet=quiet)
    result = scored.result
    if segments:
        write_segment_scores(
            result, scored.segments, segments, statistics=statistics, margins=margins
        )
    end_parts(scored.parts, segments, quiet=quiet)
    if cite:
        keys = dict.fromkeys(key for facts in result.metrics.values() for key in facts.citations)
        click.echo("\n\n".join(PUBLICATIONS.get(key, key) for key in keys))
    else:
        print_result(result, form)
    say_notes(result, TableFormat(form), quiet=quiet)


def _check_nbest(*, segments: str | None, cite: bool, apart: bool) -> None:
    if segments or cite:
        raise OptionError("--nbest writes every candidate itself; leave --segments and --cite out")
    if apart:
        raise OptionError(
            "--nbest scores whole lists here; leave --resume, --engine and --workers out"
        )


def _refuse_without_segments(**chosen: bool) -> None:
    for name, given in chosen.items():
        if given:
            raise OptionError(f"--{name} goes with --segments FILE")


class _Scored(NamedTuple):
    """Scores, where those of segments are, and what was kept of them for a run that goes on."""

    result: ScoreResult
    segments: SegmentScores
    parts: KeptParts[MeasuredBlock] | None = None


def _scored(options: Options, choice: EngineChoice, kept: str | None, *, quiet: bool) -> _Scored:
    """Return scores: of few segments, and where metrics ask for it, from texts in memory.

    The others are measured block by block; with `kept`, the file of segments, blocks are kept beside it.
    """
    from kilter.run.scoring.score import score_texts
    from kilter.run.scoring.score_stream import measure_streams, score_streams
    from kilter.run.scoring.text_streams import BLOCK

    inputs = stream_inputs(options)
    streams, settings = inputs.streams, inputs.settings
    plain = choice == EngineChoice() and kept is None
    why = streams.whole_because(settings)
    if why is not None and not plain:
        raise OptionError(
            f"{why}, so that texts are measured as a whole; leave --resume, --engine and --workers out"
        )
    if plain and (why is not None or streams.segments <= BLOCK):
        with progress_bar("scoring systems", quiet=quiet) as progress:
            result = score_texts(streams.whole(), settings, progress=progress)
        return _Scored(result, ResultSegments(result))
    parts = None if kept is None else _parts(streams, settings, kept)
    with (
        chosen_engine(choice) as engine,
        progress_bar("scoring", quiet=quiet, unit="segments") as progress,
    ):
        measured = measure_streams(streams, settings, engine=engine, parts=parts, progress=progress)
    with progress_bar("resampling", quiet=quiet) as progress:
        found = score_streams(measured, progress=progress)
    return _Scored(found.result, found.segments, parts)


def _parts(streams: TextStreams, settings: Settings, path: str) -> KeptParts[MeasuredBlock]:
    from kilter.run.scoring.measured_block import MeasuredBlock
    from kilter.run.scoring.run import Tools
    from kilter.run.scoring.score_stream import block_task
    from kilter.run.tool_file import tool_files

    task = block_task(streams, settings)
    tools = Tools.of(streams.unread(), settings)
    made_of = {
        "version": __version__,
        "input": streams.digests(),
        "choice of texts": [task.systems, task.references, task.source, task.files],
        "choice of links and trees": asdict(streams.structures),
        "choice of options": {
            entry.name: str(getattr(settings, entry.name))
            for entry in fields(settings)
            if entry.name not in _WITHOUT_EFFECT
        },
        **tool_files([*tools.chosen.metrics.values(), *tools.aligners, *tools.parsers]),
    }
    return KeptParts(
        folder=PartFolder(path=Path(f"{path}.parts"), made_of=made_of),
        pack=MeasuredBlock.packed,
        unpack=MeasuredBlock.unpacked,
    )
