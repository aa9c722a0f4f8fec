"""`kilter reorder statistics`: how far words move on the way to the translation, over texts of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter.aligners.registry import ALIGNERS, BILINGUAL
from kilter.cli.option.engine import engine_options
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import format_option
from kilter.cli.option.input_text import Columns, column_option, source_option, with_columns
from kilter.cli.option.reordering import optional_source_link_options
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.cli.talk.terminal import print_result
from kilter.core.registry import option_values
from kilter.io.link_format import LinkFormat
from kilter.io.text_file import TextStream, text_part
from kilter.run.reordering.statistics import AHEAD, DEFAULT_RULE, file_statistics
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from kilter.results.reordering_statistics import ReorderingStatistics
    from kilter.run.engine.choice import EngineChoice


@click.command("statistics")
@source_option("The source text, words separated by blanks.", required=True)
@optional_source_link_options
@setting_option(
    Settings,
    "aligner",
    multiple=False,
    help=f"Instead of --links, with --target: make them, by one of {', '.join(ALIGNERS.names())}; for two languages "
    f"{BILINGUAL}.",
)
@click.option("-t", "--target", type=FILE_NAME, metavar="FILE",
              help="Its translation: checks that every link points into it, and counts its words, or is aligned.")  # fmt: skip
@column_option("source", "target", "links")
@click.option("--rule", default=DEFAULT_RULE, show_default=True, metavar="NAME[:null=...]",
              help="What makes an order of the links: birch, talbot, one-to-one, mean, span or drop; null says where "
              "words without link go: previous, next or drop.")  # fmt: skip
@click.option("--ahead", type=click.IntRange(1, 1000), default=AHEAD, show_default=True, metavar="K",
              help="Links whose source word lies K or more words ahead are anticipated.")  # fmt: skip
@click.option("--figure", type=FILE_NAME, metavar="FILE",
              help="Draw the result, too: .svg, .png or .pdf.")  # fmt: skip
@format_option
@engine_options
@jobs_option
@quiet_option
def command(
    *,
    source: str,
    links: str | None,
    aligner: str | None,
    target: str | None,
    link_format: str,
    possible: bool,
    columns: Columns,
    rule: str,
    ahead: int,
    figure: str | None,
    form: str,
    engine: EngineChoice,
    jobs: int,
    quiet: bool,
) -> None:
    """Measure how the order of source words differs from that of their translation, in texts of any size.

    Texts are read some lines at a time. All numbers are the same for every engine and number of workers.

    \b
    Examples:
      kilter reorder statistics -s text.en -t text.ja -a en-ja.links --figure order.svg
      kilter reorder statistics -s text.en -t text.ja --aligner hmm
      kilter reorder statistics -s all.parquet#en -t all.parquet#ja -a all.parquet#links --workers 4
    """
    from kilter.render.chart.picture_file import check_picture_path, write_picture
    from kilter.render.chart.reordering_picture import reordering_picture

    if [source, links, target].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    if figure is not None:
        given_paths = [path for path in (source, links, target) if path is not None]
        inputs = [*(text_part(path).path for path in given_paths), *option_values(aligner)]
        check_picture_path(figure, inputs, called=f"--figure {figure}")
    texts = {
        role: None if path is None else TextStream(with_columns([path], columns, role)[0])
        for role, path in (("source", source), ("target", target), ("links", links))
    }
    given, translated, linked = texts["source"], texts["target"], texts["links"]
    assert given is not None  # noqa: S101 - it is required
    options: dict[str, Any] = {"rule": rule, "ahead": ahead, "jobs": jobs, "engine": engine}
    if linked is None:
        if aligner is None or translated is None:
            raise click.UsageError(
                "give the links, -a FILE, or make them of both texts: -t FILE --aligner NAME"
            )
        _check_given("--aligner makes the links; leave out {}")
        result = _made(given, translated, aligner, options, quiet=quiet)
    else:
        if aligner is not None:
            raise click.UsageError("the links are given; leave out --aligner, or -a")
        with progress_bar("measuring", quiet=quiet, unit="pairs") as progress:
            result = file_statistics(
                given,
                linked,
                target=translated,
                link_format=LinkFormat(link_format),
                possible=possible,
                progress=progress,
                **options,
            )
    if figure is not None:
        write_picture(figure, reordering_picture(result))
    print_result(result, form)


def _made(
    source: TextStream, target: TextStream, aligner: str, options: dict[str, Any], *, quiet: bool
) -> ReorderingStatistics:
    """Return the statistics of links that are made now; say where these may not be the best."""
    from kilter.run.align import bound_note
    from kilter.run.reordering.statistics import aligned_statistics

    with (
        progress_bar("training", quiet=quiet) as training,
        progress_bar("measuring", quiet=quiet, unit="pairs") as progress,
    ):
        found = aligned_statistics(
            source, target, aligner=aligner, training=training, progress=progress, **options
        )
    if found.bounded and not quiet:
        say(bound_note(found.bounded))
    return found.statistics


def _check_given(message: str) -> None:
    """Refuse options of links that are read where none are."""
    context = click.get_current_context()
    for argument, name in (("link_format", "--link-format"), ("possible", "--possible")):
        if context.get_parameter_source(argument) is ParameterSource.COMMANDLINE:
            raise click.UsageError(message.format(name))
