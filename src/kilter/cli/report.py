"""`kilter report`: one page about systems, with everything behind their scores."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_notes, progress_bar
from kilter.cli.fields import lower_is_better_setting, quiet_setting
from kilter.cli.texts import TextFiles, saved_problems
from kilter.core.errors import OptionError
from kilter.core.settings import (
    Group,
    InputFile,
    OutputFile,
    declared,
    flag,
    input_files,
    reads_standard_input,
    setting,
)
from kilter.io.output import check_output
from kilter.io.stream import exists
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kilter.render.page.system_report import SystemReport
    from kilter.run.scoring.corpus import Texts


_PORT = 8000
_OF_SAVED = {
    "systems", "names", "scores", "lower_is_better", "output", "title", "baseline", "pair", "figures", "no_pdf", "jobs", "cache", "quiet",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What is reported on, and where the page goes."""

    texts: TextFiles = field(default_factory=TextFiles)
    settings: Settings = field(default_factory=Settings)
    scores: tuple[InputFile, ...] = setting(
        default=(),
        group=Group.INPUT,
        description="Segment scores of other programs, beside the metrics; repeatable.",
    )
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    output: OutputFile | None = setting(
        "-o", "--output", default=None, description="HTML file to write; - for standard output."
    )
    title: str | None = setting(
        default=None,
        group=Group.OUTPUT,
        description="Title of the page.  [default: Word order report]",
    )
    baseline: str | None = setting(
        default=None,
        metavar="NAME",
        description="System to compare the others with.  [default: the first]",
    )
    pair: tuple[str, str] | None = setting(
        default=None,
        metavar="NAME NAME",
        description="Systems shown first.  [default: the first two]",
    )
    figures: Path | None = setting(
        default=None,
        metavar="DIR",
        group=Group.OUTPUT,
        description="Write every picture to this folder, as SVG and PDF.",
    )
    no_pdf: bool = flag(
        needs="figures", group=Group.OUTPUT, description="Write figures as SVG only."
    )
    serve: bool = flag(
        group=Group.OUTPUT,
        description="Serve the page on this machine; update it with its files.",
    )
    port: int | None = setting(
        default=None,
        low=0,
        high=65535,
        needs="serve",
        group=Group.OUTPUT,
        description="With --serve: port; 0 for any free one.  [default: 8000]",
    )
    quiet: bool = quiet_setting()

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong if nothing could be shown, or not as asked for."""
        if self.texts.are_saved:
            yield from saved_problems(given, _OF_SAVED, declared(ReportOptions))
        if self.lower_is_better and not self.scores:
            yield "--lower-is-better goes with --scores"
        if self.serve and (self.output is not None or self.figures is not None):
            yield "--serve shows the page and writes none; leave --output and --figures out"
        if self.output is None and self.figures is None and not self.serve:
            yield "say where the page goes with -o FILE, or --serve it"


@settings_command("report", heading=Group.SCORING)
def command(options: ReportOptions) -> None:
    """Write one self-contained HTML page about systems: scores, differences, every segment.

    \b
    Examples:
      kilter report -r reference.txt baseline.txt system.txt -o report.html
      kilter report -r reference.txt a.txt b.txt c.txt -o report.html --figures figures/
      kilter report -r reference.txt a.txt b.txt --serve
      kilter report run.kilter.json -o report.html
      kilter report -r reference.txt a.txt b.txt --scores comet.tsv -o report.html
      kilter report -s source.txt --links-source-hypothesis a.links a.txt -o report.html
    """
    if not _is_of_source(options):
        options.texts.check_named()
    output, figures, quiet = options.output, options.figures, options.quiet
    _check_figures(figures, pdf=not options.no_pdf)
    if output is not None:
        check_output(output, read_files(options), called=f"--output {output}")

    def made() -> SystemReport:
        from kilter.run.explanation.report import TITLE, report_texts

        texts, settings = _texts(options)
        with progress_bar("scoring systems", quiet=quiet) as progress:
            return report_texts(
                texts,
                settings,
                title=TITLE if options.title is None else options.title,
                baseline=options.baseline,
                pair=options.pair,
                scores=options.scores,
                lower_is_better=options.lower_is_better,
                progress=progress,
            )

    if options.serve:
        _serve(made, options)
        return
    report = made()
    if output == "-":
        click.echo(report.to_html(), nl=False)
    elif output is not None:
        report.write(output)
    if figures is not None:
        report.write_figures(figures, pdf=not options.no_pdf)
    print_notes(report.notes, quiet=quiet)


def _is_of_source(options: ReportOptions) -> bool:
    """Return whether texts have links with the source, and no reference."""
    files = options.texts
    linked = files.source is not None and files.structures.source_hypothesis
    return bool(files.systems and linked and not files.references)


def _texts(options: ReportOptions) -> tuple[Texts, Settings]:
    if not options.texts.are_saved:
        return options.texts.read(), options.settings
    from kilter.run.scoring.saved import saved_texts

    texts, settings = saved_texts(options.texts.saved())
    given = options.settings
    return texts, replace(settings, jobs=given.jobs, cache=given.cache)


def _check_figures(figures: Path | None, *, pdf: bool) -> None:
    """Raise before anything is computed if figures could not be written."""
    if figures is None:
        return
    if pdf:
        from kilter.render.chart.picture_file import check_pdf

        check_pdf()
    if exists(figures):  # what is not a folder, or a locked one, takes no file
        check_output(figures / "ranks.svg")


def _serve(made: Callable[[], SystemReport], options: ReportOptions) -> None:
    """Serve the page until interrupted."""
    if reads_standard_input(options):
        raise OptionError(
            "--serve reads files again when they change; standard input is not a file"
        )
    from kilter.run.explanation.live_report import LivePage, follow, serving

    page = LivePage(lambda: made().to_html(live=True), input_files(options))
    with serving(page, _PORT if options.port is None else options.port) as address:
        if not options.quiet:
            click.echo(f"report: {address} (end with Ctrl-C)", err=True)
        follow(page, threading.Event())
