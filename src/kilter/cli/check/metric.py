"""`kilter check metric`: a sanity check of metrics, on references whose words were moved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_result, progress_bar
from kilter.cli.fields import (
    format_setting,
    lower_is_better_setting,
    quiet_setting,
)
from kilter.core.settings import Group, InputFile, argument, declared, mixed, setting
from kilter.io.text_file import read_text_file
from kilter.render.table.table import TableFormat
from kilter.run.scoring.settings import DEFAULT_METRICS, Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.ladder_result import LadderResult

_OF_SCORES = {"scores", "lower_is_better", "format", "resamples", "seed", "jobs", "quiet"}


@dataclass(frozen=True, kw_only=True)
class LadderOptions:
    """Which metrics are tried, and on which references."""

    metrics: tuple[str, ...] = argument(
        default=(),
        metavar="NAMES",
        description="Metrics, NAME or NAME:OPTION=VALUE,...  [default: as score]",
    )
    reference: InputFile | None = setting(
        "-r", "--reference", default=None, description="The references whose words are moved."
    )
    settings: Settings = mixed(Settings, without=("metrics", "rule", "empty"))
    scores: InputFile | None = setting(
        default=None,
        group=Group.INPUT,
        description="Scores of another tool for the texts that --write made.",
    )
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    write: Path | None = setting(
        default=None,
        metavar="DIR",
        group=Group.OUTPUT,
        description="Write the texts to DIR, for another tool to score.",
    )
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.scores:
            known = declared(LadderOptions)
            for name in given:
                if name not in _OF_SCORES:
                    yield f"--scores holds all that is looked at; leave {known[name].called} out"
        elif self.reference is None:
            yield "name the references with -r, or scores with --scores"
        elif self.lower_is_better:
            yield "--lower-is-better goes with --scores"


@settings_command("metric", heading=Group.SCORING)
def command(options: LadderOptions) -> None:
    """Check what metrics notice: references with their words moved, dropped or replaced.

    \b
    Examples:
      kilter check metric order bleu -r reference.txt
      kilter check metric -r reference.txt --write rungs
      kilter check metric --scores scores.tsv
    """
    if options.scores:
        from kilter.run.ladder import ladder_of_scores

        result = ladder_of_scores(
            options.scores,
            lower_is_better=options.lower_is_better,
            resampling=options.settings.resampling,
        )
    else:
        written = _of_references(options)
        if written is None:
            return
        result = written
    print_result(result, options.format)


def _of_references(options: LadderOptions) -> LadderResult | None:
    from kilter.run.ladder import ladder_of_texts, write_ladder

    lines = read_text_file(str(options.reference))
    settings = replace(options.settings, metrics=options.metrics or DEFAULT_METRICS)
    if options.write is not None:
        write_ladder(lines, settings, options.write)
        return None
    with progress_bar("scoring rungs", quiet=options.quiet) as progress:
        return ladder_of_texts(lines, settings, progress=progress)
