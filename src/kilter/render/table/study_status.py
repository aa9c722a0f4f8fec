"""How far a study is, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Note, Page
from kilter.render.table.result import write_result
from kilter.render.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from kilter.results.study_status import StudyStatus

_COUNTS = ("questionnaire", "participants", "started", "submitted", "withdrawn")
_COLUMNS = (*_COUNTS, "answered", "expected", "median_seconds")


def write_status(status: StudyStatus, out: TextIO, *, form: TableFormat) -> None:
    """Write how far a study is; rows for programs hold the questionnaires only."""
    write_result(
        out,
        form,
        document=status.to_dict,
        rows=lambda: LongTable.of(_COLUMNS, [row.to_dict() for row in status.questionnaires]),
        page=lambda: _write_page(status, Page(out, form)),
    )


def _write_page(status: StudyStatus, page: Page) -> None:
    page.start(status.agreement)
    rows = [
        [
            *(str(getattr(row, name)) for name in _COUNTS),
            f"{row.answered}/{row.expected}",
            "-" if row.median_seconds is None else f"{row.median_seconds:.1f}",
        ]
        for row in status.questionnaires
    ]
    write_cells(page.form, page.out, [*_COUNTS, "answered", "median s"], rows, left=0)
    if status.groups:
        page.out.write("\n")
        groups = [
            [row.group or "(no group)", *(str(getattr(row, name)) for name in _COUNTS[1:])]
            for row in status.groups
        ]
        write_cells(page.form, page.out, ["group", *_COUNTS[1:]], groups, left=1)
        page.out.write("\n")
    lines = list(_lines(status))
    if page.form is TableFormat.TEXT:
        page.out.writelines(f"{line}\n" for line in lines)
    else:
        page.notes(map(Note, lines))


def _lines(status: StudyStatus) -> Iterator[str]:
    for name, alpha in status.agreement.items():
        value = "undefined" if alpha is None else f"{alpha:.3f}"
        yield f"Krippendorff's alpha of {name} on shared items: {value}"
    yield (
        f"{status.participants_doubtful} of {status.participants_answering} participants "
        "with doubtful answers"
    )
    if status.closed:
        yield "the study is closed"
    elif status.paused:
        yield "the study is paused"
