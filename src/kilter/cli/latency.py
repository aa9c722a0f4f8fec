"""`kilter latency`: how late each word of a simultaneous translation is said, and what the order forces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_result, progress_bar
from kilter.cli.fields import format_setting, quiet_setting, segments_setting, source_setting
from kilter.cli.texts import system_names
from kilter.core.corpus import word_counts
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import Group, InputFile, OutputFile, argument, flag, setting
from kilter.io.conllu import read_trees
from kilter.io.latency_log import DelayedText, delay_lines, holds_delays, read_audio, read_delays
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.output import check_output, write_file
from kilter.io.stream import ByteSource, is_standard_input, refuse_repeated
from kilter.io.text_file import TextStream, read_text_file
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice
from kilter.run.latency import (
    LatencyFiles,
    MeasuredLatency,
    SourceKinds,
    file_latency,
    latency_result,
    measured_text,
)
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from kilter.core.links import LinkBatch
    from kilter.results.latency_result import LatencyResult

REFERENCE = "reference"
"""What the reference is called among systems."""


@dataclass(frozen=True, kw_only=True)
class LatencyOptions:
    """What is measured, and how files are written."""

    systems: tuple[InputFile, ...] = argument(
        description="Logs of SimulEval, OmniSTEval or simulstream, or texts of translations."
    )
    source: InputFile | None = source_setting("The source text, words separated by spaces.")
    reference: InputFile | None = setting(
        "-r",
        "--reference",
        default=None,
        description="The reference text, for its length and its own order.",
    )
    links: tuple[InputFile, ...] = setting(
        "-a",
        "--links",
        default=(),
        description="Links of source and translation, one file for each system.",
    )
    links_reference: InputFile | None = setting(
        default=None,
        needs="reference",
        description="Links of source and reference: what its order forces, too.",
    )
    link_format: LinkFormat = setting(
        default=LinkFormat.PHARAOH, group=Group.INPUT, description="How links are written."
    )
    possible: bool = flag(group=Group.INPUT, description="Use links that are only possible, too.")
    delays: tuple[InputFile, ...] = setting(
        default=(),
        group=Group.INPUT,
        description="Source words read before each word, one file per text.",
    )
    audio: InputFile | None = setting(
        default=None,
        group=Group.INPUT,
        description="YAML list of audio segments, for logs of simulstream.",
    )
    times: InputFile | None = setting(
        default=None,
        group=Group.INPUT,
        description="End times of the source words, a line per segment.",
    )
    trees: InputFile | None = setting(
        default=None, description="Dependency trees of the source: which constructions force most."
    )
    elapsed: bool = flag(description="Count the time of computing, too (computation-aware).")
    segments: OutputFile | None = segments_setting("segment values")
    words: OutputFile | None = segments_setting("the delay of words")
    figure: OutputFile | None = setting(
        default=None, description="Draw a segment of the first system: .svg, .png or .pdf."
    )
    segment: int = setting(
        default=1,
        low=1,
        needs="figure",
        group=Group.OUTPUT,
        description="The segment that is drawn.",
    )
    report: OutputFile | None = setting(
        default=None,
        description="Write an HTML page: tables, and the segments that wait longest.",
    )
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()
    engine: EngineChoice = field(default_factory=EngineChoice)

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.links and len(self.links) != len(self.systems):
            yield f"give {counted(len(self.systems), 'file')} of links with -a, one per system"
        for name in ("times", "trees", "figure"):
            if getattr(self, name) is not None and not (self.links or self.links_reference):
                yield f"--{name} needs links; give them with -a"
        if self.links_reference is not None and self.source is None:
            yield "--links-reference needs the source, -s"
        if self.figure is not None and not self.links:
            yield "--figure draws links of the first system; give them with -a"


@settings_command("latency", heading=Group.SCORING)
def command(options: LatencyOptions) -> None:
    """Measure how late each word of a simultaneous translation is said, and what of it the word order forces.

    \b
    Examples:
      kilter latency instances.log
      kilter latency -s source.de -a wait3.links --delays wait3.delays wait3.en --trees source.conllu
      kilter latency -s source.de -a a.links a.en -r reference.en --links-reference gold.links
      kilter latency metrics.jsonl --audio audio.yaml -r reference.en
    """
    from kilter.render.chart.latency_picture import latency_picture
    from kilter.render.chart.picture_file import check_picture_path, write_picture
    from kilter.render.table.segment_file import check_segments_path, write_segments

    inputs = read_files(options)
    for path, name in ((options.segments, "segments"), (options.words, "words")):
        if path is not None:
            check_segments_path(path, inputs, called=f"--{name} {path}")
    if options.figure is not None:
        check_picture_path(options.figure, inputs, called=f"--figure {options.figure}")
    if options.report is not None:
        check_output(options.report, inputs, called=f"--report {options.report}")
    result = _Run(options).result()
    if options.segments is not None:
        write_segments(result.segment_table(), options.segments)
    if options.words is not None:
        write_segments(result.word_table(), options.words)
    if options.figure is not None:
        first = system_names(options.systems)[0]
        words = result.words[first]
        title = f"{first}, segment {options.segment}"
        write_picture(
            options.figure,
            latency_picture(words, options.segment - 1, unit=result.unit, title=title),
        )
    if options.report is not None:
        from kilter.render.page.latency_page import latency_page

        write_file(options.report, latency_page(result))
    print_result(result, options.format)


class _Run:
    """Reads files and measures systems, some lines at a time where nothing asks for words."""

    def __init__(self, options: LatencyOptions) -> None:
        self.options = options
        self.kinds = None if options.trees is None else SourceKinds.of(read_trees(options.trees))
        self.whole = any(
            path is not None
            for path in (options.words, options.figure, options.report, options.times)
        )

    def result(self) -> LatencyResult:
        options = self.options
        refuse_repeated(options.systems)
        names = system_names(options.systems)
        texts: dict[str, DelayedText | LatencyFiles] = {}
        measured: dict[str, MeasuredLatency] = {}
        delays = list(options.delays)
        links: Sequence[str | None] = options.links or [None] * len(names)
        for name, path, linked in zip(names, options.systems, links, strict=True):
            # Standard input is read once: it is a log unless there is a source for a text.
            if options.source is None if is_standard_input(path) else holds_delays(path):
                log = read_delays(
                    path,
                    elapsed=options.elapsed,
                    references=self._lines(options.reference),
                    audio=None if options.audio is None else read_audio(options.audio),
                    name=name,
                )
                self._keep(name, log, linked, texts, measured)
            else:
                self._text(name, path, linked, delays.pop(0) if delays else None, texts, measured)
        if delays:
            raise OptionError("there are more files of --delays than texts; logs have their own")
        if options.links_reference is not None and options.reference is not None:
            if REFERENCE in texts:
                raise OptionError(f"a system is called {REFERENCE}; rename its file")
            self._text(REFERENCE, options.reference, options.links_reference, None, texts, measured)
        evenly = options.times is None and any(
            isinstance(text, DelayedText) and text.unit != "words" and measured[name].has_links
            for name, text in texts.items()
        )
        return latency_result(
            texts,
            measured,
            kinds=self.kinds,
            evenly=evenly,
            elapsed=options.elapsed,
            resampling=options.resampling,
        )

    @staticmethod
    def _lines(path: str | None) -> tuple[str, ...] | None:
        return None if path is None else read_text_file(path)

    def _keep(
        self,
        name: str,
        text: DelayedText,
        linked: str | None,
        texts: dict[str, DelayedText | LatencyFiles],
        measured: dict[str, MeasuredLatency],
    ) -> None:
        """Measure a text in memory."""
        options = self.options
        source = self._lines(options.source)
        given = text.sources if source is None else source
        links: LinkBatch | None = None
        if linked is not None:
            if given is None:
                raise OptionError(f"{name} does not hold its source; give it, -s FILE, with links")
            sizes = word_counts(given), np.diff(text.offsets)
            file = read_links(
                ByteSource(linked),
                lengths=sizes,
                form=options.link_format,
                sides=("source", "translation"),
            )
            links = file.all() if options.possible else file.sure
        texts[name] = text
        times = None
        if options.times is not None:
            times = [*delay_lines(read_text_file(options.times), name=options.times)]
        measured[name] = measured_text(
            text, links=links, source=given, times=times, kinds=self.kinds
        )

    def _text(
        self,
        name: str,
        path: str,
        linked: str | None,
        delays: str | None,
        texts: dict[str, DelayedText | LatencyFiles],
        measured: dict[str, MeasuredLatency],
    ) -> None:
        """Measure a text, a block at a time unless its words are asked for."""
        options = self.options
        if options.source is None:
            raise OptionError(f"{path} is a text; give its source, -s FILE")
        if self.whole:
            found = DelayedText.of(
                read_text_file(path),
                read_text_file(options.source),
                delays=None if delays is None else delay_lines(read_text_file(delays), name=delays),
                references=self._lines(options.reference),
                name=name,
            )
            self._keep(name, found, linked, texts, measured)
            return
        files = LatencyFiles(
            name=name,
            text=TextStream(path),
            source=TextStream(options.source),
            links=None if linked is None else TextStream(linked),
            delays=None if delays is None else TextStream(delays),
            references=None if options.reference is None else TextStream(options.reference),
            link_format=options.link_format,
            possible=options.possible,
        )
        with progress_bar("measuring", quiet=options.quiet, unit="segments") as progress:
            measured[name] = file_latency(
                files, kinds=self.kinds, engine=options.engine, progress=progress
            )
        texts[name] = files
