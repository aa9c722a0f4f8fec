"""What a linter found: counts, shares, and the document."""

from dataclasses import replace

from kilter import __version__
from kilter.core.estimate import Estimate
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.links import (
    MEASURES,
    Check,
    Finding,
    LinkComparison,
    LinkComparisons,
    LintReport,
    Severity,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages, shown, tables


def finding(segment: int, check: Check, severity: Severity = Severity.WARNING) -> Finding:
    return Finding(
        check=check, severity=severity, segment=segment, position=2, word="w", reason="why"
    )


FOUND = LintReport(
    segments=4,
    severities=dict.fromkeys(Check, Severity.WARNING),
    findings=(
        finding(0, Check.TARGET),
        finding(0, Check.TARGET, Severity.ERROR),
        finding(3, Check.TARGET),
        finding(3, Check.PRONOUN),
    ),
)


def test_a_segment_with_several_findings_counts_once() -> None:
    assert (FOUND.clean, FOUND.clean_share, FOUND.errors) == (2, 0.5, 1)
    assert FOUND.counts()[Check.TARGET] == (3, 2)
    assert FOUND.counts()[Check.SOURCE] == (0, 0)


def test_nothing_to_lint_is_clean() -> None:
    assert LintReport(segments=0, severities={}, findings=()).clean_share == 1.0


def test_segments_count_from_1_in_the_document_and_a_summary_has_no_rows() -> None:
    document = FOUND.to_dict()
    assert [row["segment"] for row in document["rows"]] == [1, 1, 4, 4]
    assert document["rows"][0]["position"] == 2
    assert replace(FOUND, summary=True).to_dict() == {**document, "rows": []}


# Columns hold what they name: agreement of links.


COUNTS = ("sentences", "compared", "links", "sure", "common")


@case("LinkComparisons")
def test_columns_of_write_link_comparisons_hold_what_they_name(book: Book) -> None:
    whole = {
        name: Estimate(0.5 + place / 16, 0.25 + place / 16, 0.75 + place / 16)
        for place, name in enumerate(MEASURES)
    }
    nothing = {name: Estimate(reason=f"no {name}") for name in MEASURES}
    found = [
        book.make(LinkComparison, "0", **whole),
        book.make(LinkComparison, "1", **nothing),
    ]
    result = LinkComparisons(found)
    rows = []
    for each in found:
        row = {name: getattr(each, name) for name in ("first", "second", *COUNTS)}
        for name in MEASURES:
            value = getattr(each, name)
            row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        rows.append(row)
    assert objects(write_result, result) == rows
    assert document(result) == {
        "schema": "kilter.link-agreement/1",
        "version": __version__,
        "comparisons": [
            rows[0] | {"undefined": {}},
            rows[1] | {"undefined": {name: f"no {name}" for name in MEASURES}},
        ],
    }
    table, spans = pages(write_result, result)
    titles = {"f1": "F1", "aer": "AER", "frs": "FRS"}
    assert table == [
        {name: str(getattr(each, name)) for name in ("first", "second", *COUNTS)}
        | {
            titles.get(name, name): "-" if value.value is None else f"{value.value:.4f}"
            for name, value in each.measures().items()
        }
        for each in found
    ]
    assert spans == [
        {"first": each.first, "second": each.second}
        | {
            titles.get(name, name): "-"
            if value.low is None
            else f"[{value.low:.4f}, {value.high:.4f}]"
            for name, value in each.measures().items()
        }
        for each in found
    ]
    text = shown(result, TableFormat.TEXT)
    assert text.count("AER: alignment error rate, lower is better") == 1
    assert "kappa is undefined: no kappa." in text


# Columns hold what they name: what a linter of reference links found, as people and programs read it.


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
    counts, listed = pages(write_result, report)
    assert listed == [{name: str(value) for name, value in row.items()} for row in rows]
    assert counts == [
        {"check": str(check), "severity": "warning", "findings": found, "sentences": found}
        for check in Check
        for found in ["2" if check is Check.TARGET else "0"]
    ]
    assert "segment counts from 1, position from 0" in shown(report, TableFormat.TEXT)
    brief = shown(replace(report, summary=True), TableFormat.MD)
    assert tables(brief) == [counts]
    assert "6 of 8 sentences have no finding (75.0%)" in brief


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
