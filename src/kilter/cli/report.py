"""`kilter report`: one page about systems, with everything behind their scores."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.text import given_files, read_files, read_inputs, text_options
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.core.errors import OptionError
from kilter.io.output import check_output
from kilter.io.stream import exists

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.cli.option.option_list import Options
    from kilter.render.page.system_report import SystemReport


_PORT = 8000


@click.command("report")
@text_options
@click.option("-o", "--output", type=FILE_NAME, metavar="FILE",
              help="The HTML file to write; - for standard output.")  # fmt: skip
@click.option("--title", help="The heading of the page.  [default: Word order report]")
@click.option("--baseline", metavar="NAME",
              help="The system that the others are set against, by its name.  [default: the first]")  # fmt: skip
@click.option("--pair", nargs=2, metavar="NAME NAME",
              help="The two systems that are looked at first.  [default: the first two]")  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path), metavar="DIR",
              help="Write every picture into this folder, as SVG and PDF.")  # fmt: skip
@click.option("--no-pdf", is_flag=True, help="Write figures as SVG only.")
@click.option("--serve", is_flag=True,
              help="Serve the page on this machine, made again whenever a file changes.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535),
              help="With --serve: the port to listen on; 0 for any that is free.  [default: 8000]")  # fmt: skip
def command(
    *,
    output: str | None,
    title: str | None,
    baseline: str | None,
    pair: tuple[str, str] | None,
    figures: Path | None,
    no_pdf: bool,
    serve: bool,
    port: int | None,
    quiet: bool,
    **options: object,
) -> None:
    """Write one self-contained HTML page about systems: scores, differences, every segment.

    \b
    Examples:
      kilter report -r reference.txt baseline.txt system.txt -o report.html
      kilter report -r reference.txt a.txt b.txt c.txt -o report.html --figures figures/
      kilter report -r reference.txt a.txt b.txt --serve
    """
    _check_where(output=output, figures=figures, pdf=not no_pdf, serve=serve)
    if port is not None and not serve:
        raise OptionError("--port goes with --serve")
    if output is not None:
        check_output(output, read_files(options), called=f"--output {output}")

    def made() -> SystemReport:
        from kilter.run.explanation.report import TITLE, report_texts

        inputs = read_inputs(options)
        with progress_bar("scoring systems", quiet=quiet) as progress:
            return report_texts(
                inputs.texts,
                inputs.settings,
                title=TITLE if title is None else title,
                baseline=baseline,
                pair=pair,
                progress=progress,
            )

    if serve:
        _serve(made, options, port=_PORT if port is None else port, quiet=quiet)
        return
    report = made()
    if output == "-":
        click.echo(report.to_html(), nl=False)
    elif output is not None:
        report.write(output)
    if figures is not None:
        report.write_figures(figures, pdf=not no_pdf)
    if not quiet:
        for note in report.notes:
            say(note)


def _check_where(*, output: str | None, figures: Path | None, pdf: bool, serve: bool) -> None:
    """Raise before anything is computed if nothing could be shown, or not as asked for."""
    if serve and (output is not None or figures is not None):
        raise OptionError(
            "--serve shows the page and writes none; leave --output and --figures out"
        )
    if output is None and figures is None and not serve:
        raise click.UsageError("say where the page goes with -o FILE, or --serve it")
    if figures is None and not pdf:
        raise OptionError("--no-pdf goes with --figures DIR")
    if figures is None:
        return
    if pdf:
        from kilter.render.chart.picture_file import check_pdf

        check_pdf()
    if exists(figures):  # what is no folder, or a locked one, takes no file
        check_output(figures / "ranks.svg")


def _serve(made: Callable[[], SystemReport], options: Options, *, port: int, quiet: bool) -> None:
    """Serve the page until interrupted."""
    if "-" in given_files(options, standard_input=True):
        raise OptionError("--serve reads files again when they change; standard input is no file")
    from kilter.run.explanation.live_report import LivePage, follow, serving

    page = LivePage(lambda: made().to_html(live=True), given_files(options))
    with serving(page, port) as address:
        if not quiet:
            click.echo(f"report: {address} (end with Ctrl-C)", err=True)
        follow(page, threading.Event())
