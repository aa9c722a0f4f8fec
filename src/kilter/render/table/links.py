"""Agreement of links, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Note
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat, write_cells
from kilter.results.links import MEASURES, Check, comparison_document
from kilter.stats.significance import evidence_note
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.links import Finding, IntervalValue, LinkComparison, LintReport

_COUNTS = ("sentences", "compared", "links", "sure", "common")
_COLUMNS = (
    "first",
    "second",
    *_COUNTS,
    *(f"{name}{end}" for name in MEASURES for end in ("", "_low", "_high")),
)
_TITLES = {"precision": "precision", "recall": "recall", "f1": "F1", "aer": "AER", "frs": "FRS"}


def write_link_comparisons(
    comparisons: Sequence[LinkComparison], out: TextIO, *, form: TableFormat
) -> None:
    """Write how well links agree, a comparison a row."""
    write_result(
        out,
        form,
        document=lambda: comparison_document(comparisons),
        rows=lambda: LongTable.of(_COLUMNS, [each.to_dict() for each in comparisons]),
        page=lambda: _write_page(comparisons, Page(out, form)),
    )


def _write_page(comparisons: Sequence[LinkComparison], page: Page) -> None:
    page.start(name for each in comparisons for name in (each.first, each.second))
    rows = [
        [
            each.first,
            each.second,
            *(str(getattr(each, name)) for name in _COUNTS),
            *(_cell(found) for found in each.measures().values()),
        ]
        for each in comparisons
    ]
    titles = ["first", "second", *_COUNTS, *(_TITLES.get(name, name) for name in MEASURES)]
    write_cells(page.form, page.out, titles, rows, left=2)
    if any(found.low is not None for each in comparisons for found in each.measures().values()):
        page.out.write("\n")
        page.heading("bootstrap intervals of 95% over sentences")
        spans = [
            [each.first, each.second, *(_span(found) for found in each.measures().values())]
            for each in comparisons
        ]
        write_cells(page.form, page.out, [*titles[:2], *titles[2 + len(_COUNTS) :]], spans, left=2)
    notes = [*dict.fromkeys(_notes(comparisons))]
    if notes:
        page.notes(map(Note, notes))


def _cell(found: IntervalValue) -> str:
    return "-" if found.known is None else f"{found.known:.4f}"


def _span(found: IntervalValue) -> str:
    if found.low is None or found.high is None:
        return "-"
    return f"[{found.low:.4f}, {found.high:.4f}]"


def _notes(comparisons: Sequence[LinkComparison]) -> Iterator[str]:
    for each in comparisons:
        few = evidence_note(each.sentences, noun="sentence")
        if few is not None and any(found.low is not None for found in each.measures().values()):
            yield f"{few}."
        for name, found in each.measures().items():
            if isinstance(found.value, Undefined):
                yield f"{_TITLES.get(name, name)} is {found.value}."


_COLUMNS_lint = ("segment", "severity", "check", "position", "word", "reason")


def write_lint(
    report: LintReport, out: TextIO, *, form: TableFormat, summary: bool = False
) -> None:
    """Write findings and counts, or counts only; rows for programs hold the findings only."""
    findings = () if summary else report.findings
    write_result(
        out,
        form,
        document=lambda: report.to_dict(summary=summary),
        rows=lambda: LongTable.of(_COLUMNS_lint, [finding.to_dict() for finding in findings]),
        page=lambda: _write_page_lint(report, findings, Page(out, form)),
    )


def _write_page_lint(report: LintReport, findings: Sequence[Finding], page: Page) -> None:
    form, out, counts = page.form, page.out, report.counts()
    page.start(finding.word for finding in findings)
    if findings:
        write_cells(form, out, _COLUMNS_lint, list(map(_cells, findings)), left=len(_COLUMNS_lint))
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
