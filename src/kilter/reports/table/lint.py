"""What a linter of reference links found, as people and programs read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kilter.reports.page.page import Note, Page
from kilter.reports.table.table import FULL_FORMATS, TableFormat, table_writer, write_cells

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
    """Write findings and summary; TSV and JSON lines hold the findings only.

    `document` is a `kilter.lint/1`; findings have the keys segment, severity, check, position, word and
    reason.
    """
    if form is TableFormat.JSON:
        json.dump({**document, "rows": list(findings)}, out, ensure_ascii=False, indent=1)
        out.write("\n")
        return
    if form in FULL_FORMATS:
        writer = table_writer(form, out, _COLUMNS, header={})
        writer.start()
        writer.rows({name: [row[name] for row in findings] for name in _COLUMNS})
        writer.end()
        return
    page = Page(out, form)
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
            [name, found["severity"], str(found["findings"]), str(found["segments"])]
            for name, found in document["checks"].items()
        ],
        left=2,
    )
    share = f"{100 * document['clean_share']:.1f}%"
    page.notes(
        [Note(f"{document['clean']} of {document['segments']} sentences without finding ({share})")]
    )
