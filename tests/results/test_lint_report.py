"""What a linter found: counts, shares, and the document."""

from dataclasses import replace

from kilter.results.links import Check, Finding, LintReport, Severity


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
