"""What a linter of reference links found, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Note, Page
from kilter.render.table.result import write_result
from kilter.render.table.table import TableFormat, write_cells
from kilter.results.lint_report import Check

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.results.lint_report import Finding, LintReport

_COLUMNS = ("segment", "severity", "check", "position", "word", "reason")


def write_lint(
    report: LintReport, out: TextIO, *, form: TableFormat, summary: bool = False
) -> None:
    """Write findings and counts, or counts only; rows for programs hold the findings only."""
    findings = () if summary else report.findings
    write_result(
        out,
        form,
        document=lambda: report.to_dict(summary=summary),
        rows=lambda: LongTable.of(_COLUMNS, [finding.to_dict() for finding in findings]),
        page=lambda: _write_page(report, findings, Page(out, form)),
    )


def _write_page(report: LintReport, findings: Sequence[Finding], page: Page) -> None:
    form, out, counts = page.form, page.out, report.counts()
    page.start(finding.word for finding in findings)
    if findings:
        write_cells(form, out, _COLUMNS, list(map(_cells, findings)), left=len(_COLUMNS))
        out.write("\n")
    write_cells(
        form,
        out,
        ["check", "severity", "findings", "sentences"],
        [
            [str(check), str(report.severities[check]), str(found), str(segments)]
            for check in Check
            for found, segments in [counts.get(check, ("-", "-"))]
        ],
        left=2,
    )
    share = f"{100 * report.clean_share:.1f}%"
    page.notes(
        [
            Note(f"{report.clean} of {report.segments} sentences without finding ({share})"),
            *(Note(f"{check} did not run: {why}") for check, why in report.skipped.items()),
        ]
    )


def _cells(finding: Finding) -> list[str]:
    return [
        str(finding.segment + 1),
        str(finding.severity),
        str(finding.check),
        str(finding.position),
        finding.word,
        finding.reason,
    ]
