"""`kilter check`: a quality gate for CI, with an exit code that says whether outputs are good enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.check.metric import command as metric
from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_notes, print_result, progress_bar
from kilter.cli.fields import format_setting, quiet_setting
from kilter.cli.group import OnceGroup
from kilter.cli.texts import TextFiles
from kilter.core.settings import Group, InputFile, OutputFile, flag, setting
from kilter.io.output import check_output, write_file
from kilter.io.saved_result import SUFFIX, is_saved
from kilter.io.stream import is_file
from kilter.render.table.table import TableFormat
from kilter.run.check import CheckSettings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.check_result import CheckResult

FAILED = 5
"""The exit code where a condition does not hold: nothing is wrong with the inputs, but with the outputs."""


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """What outputs have to be, what they are compared with, and where the outcome goes."""

    texts: TextFiles = field(default_factory=TextFiles)
    settings: CheckSettings = field(default_factory=CheckSettings)
    baseline: InputFile | None = setting(
        default=None,
        metavar="FILE",
        description="Baseline to compare with, a file that --update wrote.",
    )
    update: bool = flag(
        needs="baseline",
        description="Make these outputs the baseline instead of comparing.",
    )
    junit: OutputFile | None = setting(
        default=None, group=Group.OUTPUT, description="Write the outcome as JUnit XML."
    )
    summary: OutputFile | None = setting(
        default=None,
        group=Group.OUTPUT,
        description="Append the outcome to FILE as Markdown.",
    )
    github: bool = flag(
        group=Group.OUTPUT, description="Write annotations of GitHub to standard error, too."
    )
    report: OutputFile | None = setting(
        default=None,
        group=Group.OUTPUT,
        description="Write an HTML report on the outputs beside those of the baseline.",
    )
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        limits = self.settings
        if not (limits.floors or limits.ceilings or limits.evidence or self.baseline):
            yield "nothing is checked; name a --baseline, or a floor such as --min order=0.85"
        if self.baseline and not is_saved(self.baseline):
            yield f"--baseline is {self.baseline!r}; name a file that ends with {SUFFIX}"


class _CheckGroup(OnceGroup):
    """Takes texts, or the sub-command `metric` where that stands first."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; none of them stands before the sub-command, whose usage names what does."""
        return [] if ctx.command is metric else super().get_params(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments of texts, or leave all but the first to the sub-command."""
        if args[:1] == [metric.name]:
            own, self.params = self.params, []
            try:
                return super().parse_args(ctx, args)
            finally:
                self.params = own
        ctx.allow_interspersed_args = True  # else options behind a text were texts
        return super().parse_args(ctx, args)


@settings_command(
    "check",
    kind=_CheckGroup,
    heading=Group.SCORING,
    invoke_without_command=True,
    commands=[metric],
)
def command(options: CheckOptions) -> int:
    """Check that systems reach floors, and lose nothing against a baseline; made for CI.

    A loss fails only if it is significant, or if segments got badly worse; the worst are shown with what is wrong in
    them. Exit code 0 if every condition holds, 5 if one does not.

    \b
    Examples:
      kilter check -r reference.txt system.txt --min order=0.85
      kilter check -r reference.txt system.txt --baseline base.kilter.json --update
      kilter check -r reference.txt system.txt --baseline base.kilter.json --junit check.xml
      kilter check metric -r reference.txt order bleu
    """
    from kilter.run.check import check_report, check_texts

    options.texts.check_named()
    written = {name: getattr(options, name) for name in ("junit", "summary", "report")}
    inputs = [
        path for path in read_files(options) if not options.update or path != options.baseline
    ]
    for name, path in written.items():
        if path:
            check_output(path, inputs, called=f"--{name} {path}")
    texts, compared = options.texts.read(), None if options.update else options.baseline
    with progress_bar("scoring systems", quiet=options.quiet) as progress:
        result, scores = check_texts(texts, options.settings, baseline=compared, progress=progress)
    if options.update and options.baseline and result.passed:
        scores.save(options.baseline)
        result = result.as_baseline(options.baseline)
    if options.report:
        check_report(texts, options.settings, baseline=compared).write(options.report)
    _write_files(result, options)
    print_result(result, options.format)
    print_notes(result.notes if options.format is not TableFormat.TEXT else [], quiet=options.quiet)
    return 0 if result.passed else FAILED


def _write_files(result: CheckResult, options: CheckOptions) -> None:
    from kilter.render.check_file import github_annotations, junit_xml
    from kilter.render.table.page import result_text

    if options.junit:
        write_file(options.junit, junit_xml(result))
    if options.summary:
        path = Path(options.summary)
        before = path.read_text(encoding="utf-8") if is_file(path) else ""
        write_file(options.summary, f"{before}{result_text(result, TableFormat.MD)}\n")
    if options.github:
        for line in github_annotations(result):
            click.echo(line, err=True)
