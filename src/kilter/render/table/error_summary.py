"""Order errors of systems summed up, as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.estimate import MISSING
from kilter.core.table import PAGE, Column, Note, Table
from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat
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
                page.table(_group_table(grouping, groups[:most], summary))
                if len(groups) > most:
                    out.write(f"and {len(groups) - most} more\n")
        page.notes(_notes(summary))


def _group_table(
    grouping: ErrorGrouping, groups: Sequence[ErrorGroup], summary: ErrorSummary
) -> Table:
    columns = [
        Column("name", "", str(grouping)), Column("errors"), Column("loss", ".4f", f"{summary.metric} lost"),
        Column("share", lambda loss: f"{loss / summary.loss:.1%}" if summary.loss else MISSING),
    ]  # fmt: skip
    rows = [[group.name, group.errors, group.loss, group.loss] for group in groups]
    if grouping in _OCCURRENCES:
        columns.append(Column("occurrences", "", _OCCURRENCES[grouping]))
        rows = [[*row, group.occurrences] for row, group in zip(rows, groups, strict=True)]
    return Table("", columns, rows)


def _left_out(summary: ErrorSummary) -> list[str]:
    """Return that errors are not shown, what part of the loss the others are, and that counts compare no systems."""
    if not summary.left_out:
        return []
    share = f"{summary.loss / summary.whole_loss:.1%}" if summary.whole_loss else "none"
    loss = f"With them {summary.metric} loses {summary.whole_loss:.4f}, of which those shown are {share}."
    counts = "Do not compare systems by these counts: one with fewer links shows fewer errors."
    return [f"{left_out_note(summary.left_out)}. {loss}", f"{counts} Compare {summary.metric}."]


def _without_evidence(summary: ErrorSummary) -> list[str]:
    """Return how many segments have no score, and so no errors."""
    if not summary.without_evidence:
        return []
    have = "has" if summary.without_evidence == 1 else "have"
    told = f"{counted(summary.without_evidence, 'segment')} {have} no {summary.metric}: too few words are linked."
    return [f"{told} Errors are not counted there."]


def _notes(summary: ErrorSummary) -> list[Note]:
    hidden = [*map(Note, (*_left_out(summary), *_without_evidence(summary)))]
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
