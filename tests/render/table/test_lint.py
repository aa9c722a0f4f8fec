"""Columns hold what they name: what a linter of reference links found, as people and programs read it."""

from dataclasses import replace

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.links import Check, Finding, LintReport, Severity
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages, shown, tables


@case("LintReport")
def test_columns_of_write_lint_hold_what_they_name(book: Book) -> None:
    findings = tuple(
        book.make(Finding, str(k), check=Check.TARGET, severity=Severity.WARNING, segment=3 * k)
        for k in range(2)
    )
    report = LintReport(
        segments=8, severities=dict.fromkeys(Check, Severity.WARNING), findings=findings
    )
    rows = [
        {
            "segment": finding.segment + 1,
            "severity": "warning",
            "check": "target-unaligned",
            **{name: getattr(finding, name) for name in ("position", "word", "reason")},
        }
        for finding in findings
    ]
    assert objects(write_result, report) == rows
    printed = document(report)
    assert printed == report.to_dict()
    assert printed["rows"] == rows
    assert [printed[name] for name in ("segments", "clean", "clean_share")] == [8, 6, 0.75]
    listed, counts = pages(write_result, report)
    assert listed == [{name: str(value) for name, value in row.items()} for row in rows]
    assert counts == [
        {"check": str(check), "severity": "warning", "findings": found, "sentences": found}
        for check in Check
        for found in ["2" if check is Check.TARGET else "0"]
    ]
    brief = shown(replace(report, summary=True), TableFormat.MD)
    assert tables(brief) == [counts]
    assert "6 of 8 sentences without finding (75.0%)" in brief


def test_a_check_that_did_not_run_shows_no_number() -> None:
    report = LintReport(
        segments=1,
        severities=dict.fromkeys(Check, Severity.WARNING),
        findings=(),
        skipped={Check.PARTICLE: "it needs --target-language ja"},
    )
    text = shown(report, TableFormat.TEXT)
    assert "particle-apart     warning          -          -" in text
    assert "scattered          warning          0          0" in text
    assert "particle-apart did not run: it needs --target-language ja" in text
