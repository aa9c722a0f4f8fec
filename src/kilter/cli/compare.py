"""`kilter compare`: paired tests between systems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.console import notes_beside, print_notes, print_result, progress_bar
from kilter.cli.fields import (
    details_setting,
    format_setting,
    lower_is_better_setting,
    marks_setting,
    percent_setting,
    quiet_setting,
)
from kilter.cli.texts import TextFiles, saved_problems
from kilter.core.settings import Group, InputFile, declared, setting
from kilter.render.table.table import TableFormat
from kilter.results.comparison import SignificanceTest
from kilter.run.scoring.settings import Settings
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.comparison import Comparison

_OF_SAVED = {
    "systems", "names", "baseline", "tests", "marks", "format", "resamples", "seed", "jobs", "details", "percent",
    "quiet",
}  # fmt: skip
_OF_SCORES = {*_OF_SAVED, "scores", "lower_is_better"} - {"systems", "names"}


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """What is compared, how, and what is written."""

    texts: TextFiles = field(default_factory=TextFiles)
    settings: Settings = field(default_factory=Settings)
    scores: InputFile | None = setting(
        default=None,
        description="Compare scores in files, such as ratings, instead of texts.",
    )
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    baseline: str | None = setting(
        default=None,
        metavar="NAME",
        description="System to compare the others with.  [default: the first]",
    )
    tests: tuple[SignificanceTest, ...] = setting(
        "--test",
        default=(),
        description="Paired test, the first for tables; repeatable.  [default: all]",
    )
    marks: MarkRule = marks_setting()
    format: TableFormat = format_setting()
    details: bool = details_setting("Add every test, interval, part, effect size and signature.")
    percent: bool = percent_setting()
    quiet: bool = quiet_setting()

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.percent and self.details:
            yield "--percent is of the short tables; leave it or --details out"
        if self.scores:
            known = declared(CompareOptions)
            for name in given:
                if name not in _OF_SCORES:
                    yield f"--scores holds all that is compared; leave {known[name].called} out"
        elif self.texts.are_saved:
            yield from saved_problems(given, _OF_SAVED, declared(CompareOptions))
        if self.lower_is_better and not self.scores:
            yield "--lower-is-better goes with --scores"


@settings_command("compare", heading=Group.SCORING)
def command(options: CompareOptions) -> None:
    """Compare systems with a baseline, the first of SYSTEMS or --baseline, and with one another.

    SYSTEMS are texts, or results that `kilter score --save` kept.

    \b
    Examples:
      kilter compare -r reference.txt baseline.txt system.txt
      kilter compare -r reference.txt -m pef --test bootstrap a.txt b.txt c.txt --format md
      kilter compare --scores ratings.tsv
      kilter compare last.kilter.json new.kilter.json
    """
    from kilter.run.scoring.given_score import compare_scores

    if options.scores:
        comparison = compare_scores(
            options.scores,
            baseline=options.baseline,
            tests=options.tests or [*SignificanceTest],
            marks=options.marks,
            lower_is_better=options.lower_is_better,
            resampling=options.settings.resampling,
        )
    else:
        comparison = _of_texts(options)
    comparison = replace(comparison, percent=options.percent)
    print_result(comparison, options.format, details=options.details)
    print_notes(notes_beside(comparison, options.format), quiet=options.quiet)


def _of_texts(options: CompareOptions) -> Comparison:
    if options.texts.are_saved:
        from kilter.run.scoring.saved import compare_results

        runs = options.texts.saved()
        if sum(len(run.systems) for run in runs.values()) < 2:
            raise click.UsageError("compare needs two systems or more; name another saved result")
        return compare_results(
            runs,
            baseline=options.baseline,
            tests=options.tests or [*SignificanceTest],
            marks=options.marks,
            resampling=options.settings.resampling,
        )
    if not options.texts.references:
        raise click.UsageError("name the reference with -r, or scores with --scores")
    if len(options.texts.systems) < 2:
        raise click.UsageError("compare needs two systems or more; the first is the baseline")
    from kilter.run.scoring.compare import compare_texts

    texts = options.texts.read()
    with progress_bar("scoring systems", quiet=options.quiet) as progress:
        return compare_texts(
            texts,
            options.settings,
            baseline=options.baseline,
            tests=options.tests or [*SignificanceTest],
            marks=options.marks,
            progress=progress,
        )
