"""`kilter reorder statistics`: how far words move on the way to the translation, over texts of any size."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kilter.aligners.registry import BILINGUAL
from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_message, print_result, progress_bar
from kilter.cli.fields import (
    Columns,
    columns_setting,
    format_setting,
    jobs_setting,
    quiet_setting,
    source_setting,
    with_columns,
)
from kilter.cli.reorderings import OptionalSourceLinks
from kilter.core.settings import Group, InputFile, OutputFile, like, setting
from kilter.io.text_file import TextStream
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice
from kilter.run.reordering.statistics import AHEAD, DEFAULT_RULE, file_statistics
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.reordering_statistics import ReorderingStatistics


@dataclass(frozen=True, kw_only=True)
class StatisticsOptions:
    """What is measured, and where."""

    source: InputFile = source_setting("Source text, tokenised.", required=True)
    links: OptionalSourceLinks = field(default_factory=OptionalSourceLinks)
    aligner: str | None = like(
        Settings,
        "aligner",
        group=Group.INPUT,
        description=f"With --target: aligner to use instead of --links, such as {BILINGUAL}.",
    )
    target: InputFile | None = setting(
        "-t",
        "--target",
        default=None,
        description="Translation, tokenised, to check links, count words or align.",
    )
    columns: Columns = columns_setting("source", "target", "links")
    rule: str = setting(
        "--order-rule",
        old=("--rule",),
        default=DEFAULT_RULE,
        metavar="NAME[:null=...]",
        description="Rule that turns links into an order.",
    )
    ahead: int = setting(
        default=AHEAD,
        low=1,
        high=1000,
        metavar="K",
        description="Anticipation: links K or more words ahead.",
    )
    figure: OutputFile | None = setting(
        default=None, description="Draw the result (.svg, .png or .pdf)."
    )
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()
    engine: EngineChoice = field(default_factory=EngineChoice)
    jobs: int = jobs_setting()

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.links.links is not None:
            if self.aligner is not None:
                yield "the links are given; leave out --aligner, or -a"
        elif self.aligner is None or self.target is None:
            yield "give the links, -a FILE, or make them of both texts: -t FILE --aligner NAME"
        else:
            for name, flag in (("link_format", "--link-format"), ("possible", "--possible")):
                if name in given:
                    yield f"--aligner makes the links; leave out {flag}"


@settings_command("statistics")
def command(options: StatisticsOptions) -> None:
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

    figure = options.figure
    if figure is not None:
        check_picture_path(figure, read_files(options), called=f"--figure {figure}")
    paths = {"source": options.source, "target": options.target, "links": options.links.links}
    texts = {
        role: None if path is None else TextStream(with_columns([path], options.columns, role)[0])
        for role, path in paths.items()
    }
    given, translated, linked = texts["source"], texts["target"], texts["links"]
    assert given is not None  # noqa: S101 - it is required
    how: dict[str, Any] = {
        "rule": options.rule, "ahead": options.ahead, "jobs": options.jobs, "engine": options.engine
    }  # fmt: skip
    if linked is None:
        assert options.aligner is not None and translated is not None  # noqa: S101, PT018 - checked
        result = _made(given, translated, options.aligner, how, quiet=options.quiet)
    else:
        with progress_bar("measuring", quiet=options.quiet, unit="pairs") as progress:
            result = file_statistics(
                given,
                linked,
                target=translated,
                link_format=options.links.link_format,
                possible=options.links.possible,
                progress=progress,
                **how,
            )
    if figure is not None:
        write_picture(figure, reordering_picture(result))
    print_result(result, options.format)


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
        found, bounded = aligned_statistics(
            source, target, aligner=aligner, training=training, progress=progress, **options
        )
    if bounded and not quiet:
        print_message(bound_note(bounded))
    return found
