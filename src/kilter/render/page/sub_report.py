"""Sub-reports: one analysis as a table, sentences, notes and figures, in every format."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, TypeAlias

from kilter.core.markup import latex_text, markdown_text
from kilter.core.table import Note, Table, people_text
from kilter.io.spreadsheet import csv_text
from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat, table_writer, write_cells
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Cell: TypeAlias = str | int | float | Undefined | None
"""A text, a number, nothing, or why there is no number."""
REASONS = "undefined"
"""The column that says why numbers of a row are missing."""
NOBODY_ASKED = "Simulated data: nobody was asked."
SCHEMA = "kilter.survey.analysis/1"
_LONGEST = 900
"""Descriptions of pictures beyond this are a burden to listen to; tables hold the same numbers."""


def numbered_cells(table: Table, reasons: list[str]) -> list[list[str]]:
    """Return the cells for people; why a number is missing is added to `reasons`, by number.

    >>> table = Table("", ["a", "r"], [("x", 0.5), ("y", Undefined("one value"))])
    >>> numbered_cells(table, found := []), found
    ([['x', '0.5000'], ['y', '- [1]']], ['one value'])
    """
    return [[_text(cell, reasons) for cell in row] for row in table.rows]


def _text(cell: Cell, reasons: list[str]) -> str:
    if not isinstance(cell, Undefined):
        return people_text(cell)
    if cell.reason not in reasons:
        reasons.append(cell.reason)
    return f"- [{reasons.index(cell.reason) + 1}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture as SVG, its name among those of a sub-report, and what tells it from others alike.

    A page shows one that is `folded` only when it is asked for.
    """

    svg: str
    name: str = "figure"
    subject: str = ""
    folded: bool = False

    @property
    def caption(self) -> str:
        """The title that the picture bears, and its subject."""
        return ": ".join(filter(None, (self._said("title"), self.subject)))

    @property
    def alternative(self) -> str:
        """What the picture shows, in words, for those who do not see it."""
        text = f"{self.caption}. {self._said('desc')}"
        if len(text) <= _LONGEST:
            return text
        return f"{text[:_LONGEST].rpartition(';')[0]}; the rest is in the table"

    def _said(self, element: str) -> str:
        match = re.search(f"<{element}[^>]*>(.*?)</{element}>", self.svg, re.DOTALL)
        return unescape(match[1]) if match else ""


def figure_pages(
    drawn: Sequence[str], *, name: str = "figure", subject: str = "", folded: bool = False
) -> tuple[Figure, ...]:
    """Return pictures that belong together as figures, numbered from the second on.

    >>> [figure.name for figure in figure_pages(["<svg/>", "<svg/>"], name="figure-order")]
    ['figure-order', 'figure-order-2']
    """
    return tuple(
        Figure(
            svg=svg,
            name=name if number == 1 else f"{name}-{number}",
            subject=subject,
            folded=folded,
        )
        for number, svg in enumerate(drawn, start=1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubReport:
    """One analysis: `data` holds every number, `shown` what people read where that is less.

    `text` says what was found, `notes` how many values there are, how many are missing, and what was
    done about them.
    """

    name: str
    title: str
    text: tuple[str, ...]
    data: Table
    notes: tuple[str, ...]
    shown: tuple[Table, ...] | None = None
    figures: tuple[Figure, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that people read."""
        return (self.data,) if self.shown is None else self.shown


def file_name(*parts: str) -> str:
    """Return a name for a file or folder from names in tables, which may hold anything.

    >>> file_name("figure", "Language_Points >= 11"), file_name("subgroup", "../age 30.5")
    ('figure-language-points-11', 'subgroup-age-30-5')
    """
    return re.sub(r"[\W_]+", "-", "-".join(parts).lower()).strip("-")


def report_csv(report: SubReport, *, simulated: bool) -> str:
    """Return the numbers of a report as CSV; what is undefined is empty, with the reason in the last column."""
    names = [*report.data.names, REASONS, *(["simulated"] if simulated else [])]
    rows = [row | {"simulated": True} for row in _plain_rows(report.data)]
    return csv_text(names, rows)


def report_json(report: SubReport, *, header: Mapping[str, object]) -> str:
    """Return the numbers of a report as one JSON document, with the title, text and notes before them."""
    out = io.StringIO()
    rows = _plain_rows(report.data)
    names = [*report.data.names, REASONS]
    described = {
        "schema": SCHEMA,
        "analysis": report.name,
        "title": report.title,
        **header,
        "text": list(report.text),
        "notes": list(report.notes),
    }
    writer = table_writer(TableFormat.JSON, out, names, header=described)
    writer.start()
    writer.rows({name: [row[name] for row in rows] for name in names})
    writer.end()
    return out.getvalue()


def report_page(report: SubReport, *, form: TableFormat, simulated: bool) -> str:
    """Return a report for people, in Markdown or LaTeX."""
    out = io.StringIO()
    page = Page(out, form)
    page.start(cell for table in report.tables for row in table.rows for cell in _texts(row))
    page.heading(report.title)
    mark = (NOBODY_ASKED,) if simulated else ()
    for sentence in (*mark, *report.text):
        _write_paragraph(out, form, sentence)
    reasons = list[str]()
    for place, table in enumerate(report.tables):
        out.write("\n" if place else "")
        if table.title:
            _write_paragraph(out, form, table.title)
        cells = numbered_cells(table, reasons)
        if cells:
            write_cells(form, out, table.names, cells, left=table.left)
        else:
            _write_paragraph(out, form, "There is nothing to show.")
    page.notes(Note(note) for note in (*numbered(reasons), *report.notes))
    return out.getvalue()


def numbered(reasons: Sequence[str]) -> list[str]:
    """Return why numbers are missing as notes beneath tables."""
    return [f"[{number}] undefined: {reason}" for number, reason in enumerate(reasons, start=1)]


def _write_paragraph(out: io.StringIO, form: TableFormat, text: str) -> None:
    if form is TableFormat.LATEX:
        out.write(f"\\noindent {latex_text(text)}\\par\n")
    else:
        out.write(f"{markdown_text(text)}\n\n")


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell for cell in row if isinstance(cell, str)]


def _plain_rows(table: Table) -> list[dict[str, object]]:
    """Return rows by column; reasons stand together in a column of their own."""
    rows = []
    for row in table.rows:
        cells: dict[str, object] = {}
        reasons: dict[str, list[str]] = {}
        for name, cell in zip(table.names, row, strict=True):
            cells[name] = None if isinstance(cell, Undefined) else cell
            if isinstance(cell, Undefined):
                reasons.setdefault(cell.reason, []).append(name)
        told = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
        rows.append({**cells, REASONS: "; ".join(told) or None})
    return rows
