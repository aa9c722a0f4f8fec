"""Order errors of systems summed up, as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Note
from kilter.render.markup import visible
from kilter.render.table.page import PAGE, Page
from kilter.render.table.table import TableFormat, write_cells
from kilter.results.explanation import ErrorGrouping, left_out_note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.results.explanation import ErrorGroup, ErrorSummary

_TITLES = {
    ErrorGrouping.KIND: "by kind of error",
    ErrorGrouping.WORD: "by word",
    ErrorGrouping.TAG: "by part of speech",
    ErrorGrouping.RELATION: "by relation",
    ErrorGrouping.CONSTRUCTION: "by construction",
    ErrorGrouping.DISTANCE: "by distance, in linked words",
    ErrorGrouping.LENGTH: "by words of the sentence",
}
# What is counted beside the errors, by grouping.
_OCCURRENCES = {
    ErrorGrouping.WORD: "occurrences",
    ErrorGrouping.TAG: "occurrences",
    ErrorGrouping.RELATION: "occurrences",
    ErrorGrouping.LENGTH: "segments",
}


def write_error_summaries(
    summaries: Sequence[ErrorSummary], out: TextIO, *, most: int, width: int = PAGE
) -> None:
    """Write the summary of each system: a table for each grouping, with `most` rows at most."""
    for place, summary in enumerate(summaries):
        if place:
            out.write("\n")
        page = Page(out, TableFormat.TEXT, width)
        page.heading(f"order errors of {summary.system}")
        for grouping, groups in summary.groups.items():
            if groups:
                out.write("\n")
                page.heading(_TITLES[grouping])
                _write_groups(grouping, groups[:most], summary, out)
                if len(groups) > most:
                    out.write(f"and {len(groups) - most} more\n")
        page.notes(_notes(summary))


def _write_groups(
    grouping: ErrorGrouping, groups: Sequence[ErrorGroup], summary: ErrorSummary, out: TextIO
) -> None:
    counted_as = _OCCURRENCES.get(grouping)
    headings = [str(grouping), "errors", f"{summary.metric} lost", "share"]
    rows = []
    for group in groups:
        share = f"{group.loss / summary.loss:.1%}" if summary.loss else "-"
        rows.append([visible(group.name), str(group.errors), f"{group.loss:.4f}", share])
        if counted_as is not None:
            rows[-1].append(str(group.occurrences))
    if counted_as is not None:
        headings.append(counted_as)
    write_cells(TableFormat.TEXT, out, headings, rows)


def _notes(summary: ErrorSummary) -> list[Note]:
    hidden = [Note(left_out_note(summary.left_out))] if summary.left_out else []
    if not summary.errors:
        told = f"no error that is worth a look in {counted(summary.segments, 'segment')}."
        if not summary.left_out:
            told = f"nothing is out of order in {counted(summary.segments, 'segment')}."
        return [Note(told), *hidden]
    least = "in every segment as few as can be"
    if summary.proved < summary.segments:
        least = f"proved to be as few as can be in {counted(summary.proved, 'segment')}"
    return [
        Note(
            f"{counted(summary.errors, 'order error')} in {summary.faulty} of "
            f"{counted(summary.segments, 'segment')}, {least}; {summary.metric} loses "
            f"{summary.loss:.4f} by them, added up over the segments."
        ),
        *hidden,
    ]
