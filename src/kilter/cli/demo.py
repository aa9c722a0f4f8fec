"""`kilter demo`: scores the bundled sample, without any file of the user's."""

from __future__ import annotations

import sys

from kilter.cli.command import settings_command
from kilter.cli.console import print_message, print_result
from kilter.cli.fields import (
    details_setting,
    quiet_setting,
)
from kilter.core.errors import InputError
from kilter.core.settings import OutputFile, flag, setting
from kilter.render.table.table import TableFormat
from kilter.results.comparison import SignificanceTest
from kilter.run.scoring.settings import Settings

_REPORT = "kilter-demo.html"


@settings_command("demo")
def command(
    *,
    compared: bool = flag("--compare", description="Test the differences between systems."),
    report: OutputFile = setting(default=_REPORT, description="Where to write the HTML report."),
    details: bool = details_setting("Add the parts of scores, and full signatures."),
    quiet: bool = quiet_setting(),
) -> None:
    """Score four bundled systems: words swapped, verbs misplaced, phrases moved, words replaced.

    Also writes an HTML report on them, and says where. The systems are English translations of 48 German sentences written for this purpose. One
    number cannot tell what is wrong with them; order and coverage can.
    """
    from kilter.run.demo import sample_texts
    from kilter.run.scoring.compare import compare_texts
    from kilter.run.scoring.score import score_texts

    settings = Settings()  # what every installation has: no language, no model
    result = score_texts(sample_texts(), settings)
    print_result(result, TableFormat.TEXT, details=details)
    if compared:
        comparison = compare_texts(sample_texts(), settings, tests=[SignificanceTest.BOOTSTRAP])
        sys.stdout.write("\n")
        print_result(comparison, TableFormat.TEXT, details=details)
    sys.stdout.flush()  # whoever has stopped reading wants no report either
    _write_report(report, settings, quiet=quiet)


def _write_report(path: str, settings: Settings, *, quiet: bool) -> None:
    """Write the report; that it cannot go where nobody asked for it is no error of anybody."""
    from kilter.run.demo import sample_texts
    from kilter.run.explanation.report import report_texts

    made = report_texts(sample_texts(), settings, title="The sample of Kilter")
    try:
        made.write(path)
    except InputError as error:
        if path != _REPORT:
            raise
        print_message(f"there is no report: {error}; say where it can go with --report FILE")
        return
    if not quiet:
        print_message(f"the report is {path}: open it in a browser")
