"""What a linter of reference links found, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import Note, Page
from kilter.reports.table.result import write_result
from kilter.reports.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

_COLUMNS = ("segment", "severity", "check", "position", "word", "reason")


def write_lint(
    document: Mapping[str, Any],
    findings: Sequence[Mapping[str, Any]],
    out: TextIO,
    *,
    form: TableFormat,
) -> None:
    """Write findings and summary; rows for programs hold the findings only.

    `document` is a `kilter.lint/1`; findings have the keys segment, severity, check, position, word and
    reason.
    """
    write_result(
        out,
        form,
        document=lambda: {**document, "rows": list(findings)},
        rows=lambda: LongTable.of(_COLUMNS, findings),
        page=lambda: _write_page(document, findings, Page(out, form)),
        indent=1,
    )


def _write_page(
    document: Mapping[str, Any], findings: Sequence[Mapping[str, Any]], page: Page
) -> None:
    form, out = page.form, page.out
    page.start(str(row["word"]) for row in findings)
    if findings:
        rows = [[str(row[name]) for name in _COLUMNS] for row in findings]
        write_cells(form, out, _COLUMNS, rows, left=len(_COLUMNS))
        out.write("\n")
    write_cells(
        form,
        out,
        ["check", "severity", "findings", "sentences"],
        [
            [name, check["severity"], str(check["findings"]), str(check["segments"])]
            for name, check in document["checks"].items()
        ],
        left=2,
    )
    share = f"{100 * document['clean_share']:.1f}%"
    page.notes(
        [Note(f"{document['clean']} of {document['segments']} sentences without finding ({share})")]
    )
