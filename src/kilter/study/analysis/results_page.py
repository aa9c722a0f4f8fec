"""Sub-reports on one HTML page that reads like a chapter and needs nothing but itself."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.page.sub_report import NOBODY_ASKED, numbered, numbered_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.core.table import Table
    from kilter.render.page.sub_report import Figure, SubReport


_STYLE = """
:root { color-scheme: light; }
body { font: 1rem/1.5 Georgia, "Times New Roman", serif; color: #1a1a1a; background: #fff; max-width: 60rem;
  margin: 0 auto; padding: 1rem; }
h1, h2, h3, caption, figcaption, th, nav, .mark { font-family: "Helvetica Neue", Arial, sans-serif; }
h2 { margin-top: 3rem; border-bottom: 2px solid #1a1a1a; }
h3 { margin-top: 2rem; }
a { color: #004a80; }
a:focus-visible, .wide:focus-visible { outline: 3px solid #004a80; outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.mark { border: 3px solid #1a1a1a; padding: .5rem 1rem; font-weight: bold; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }
th, td { padding: .15rem .6rem; text-align: right; vertical-align: top; }
th.text, td.text, tbody th { text-align: left; }
thead th { border-bottom: 1px solid #1a1a1a; }
tbody th { font-weight: normal; }
tbody .group th { font-weight: bold; padding-top: .6rem; }
table { border-top: 2px solid #1a1a1a; border-bottom: 2px solid #1a1a1a; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; }
.notes { font-size: .85rem; }
.findings { padding-left: 1.2rem; }
.findings li { margin: .35rem 0; }
nav ul { list-style: none; padding-left: 0; margin: 0; }
nav > ul { columns: 20rem; }
nav > ul > li { break-inside: avoid; margin-bottom: .5rem; font-weight: bold; }
nav ul ul { padding-left: 1rem; font-weight: normal; font-size: .9rem; }
summary { cursor: pointer; font-family: "Helvetica Neue", Arial, sans-serif; color: #004a80; padding: .3rem 0; }
summary:focus-visible { outline: 3px solid #004a80; outline-offset: 2px; }
@media screen and (min-width: 82rem) {
  body { margin-left: max(20rem, calc((100vw - 80rem) / 2 + 20rem)); margin-right: 0; }
  nav { position: fixed; top: 0; bottom: 0; left: max(0rem, calc((100vw - 80rem) / 2)); width: 18rem;
    overflow-y: auto; padding: 0 1rem; border-right: 1px solid #777; font-size: .85rem; }
  nav > ul { columns: auto; }
}
@media print {
  #findings { break-after: page; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h1 { font-size: 14pt; margin: 0; }
  header .mark { margin: .3rem 0; padding: .1rem .5rem; }
  #findings { font-size: 8.5pt; line-height: 1.25; }
  #findings h2 { font-size: 12pt; margin: .3rem 0; }
  #findings ul, #findings li { margin: .1rem 0; }
  #findings .notes, #findings figcaption { display: none; }
  #findings figure { margin: 0; }
  #findings img { width: 10cm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  .wide { overflow: visible; }
  h2, h3, caption { break-after: avoid; }
  tr, figure { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""
_FILES = (
    ("table.csv", "CSV"),
    ("table.json", "JSON"),
    ("table.md", "Markdown"),
    ("table.tex", "LaTeX"),
)


LONG_TABLE = 30
"""A table with more rows is folded away until it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Sub-reports about one subject, and a sentence or two before them; appendices stand at the end."""

    name: str
    title: str
    text: str
    reports: tuple[SubReport, ...]
    appendix: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFinding:
    """What was found about one subject, in sentences with numbers, and the sub-report that shows it."""

    subject: str
    text: str
    report: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The first page: what was found, and the figures that show most of it."""

    listed: tuple[StudyFinding, ...]
    report: SubReport


APPENDIX = "appendix.html"
"""The page of the appendices, beside that of the chapter."""


def results_page(
    sections: Sequence[Section], *, findings: Findings | None = None, title: str, summary: Sequence[str],
    settings: Mapping[str, str], simulated: bool, png: bool,
) -> str:  # fmt: skip
    """Return the chapter: findings, a summary, contents, a section for each subject, settings.

    Appendices are listed, with links to their page.
    """
    numbers = _Numbers(("svg", "png") if png else ("svg",))
    mark = _mark(simulated=simulated)
    titled = f"{title} (simulated data)" if simulated else title
    named = _numbered_sections(sections)
    body = [
        "" if findings is None else _findings(findings, _addresses(named), numbers),
        _contents(named, findings),
        *(_paragraph(text) for text in summary),
        *(
            _section(section, number, numbers, mark)
            for number, section in named
            if not section.appendix
        ),
        _settings(settings),
    ]
    return _page(titled, mark, body)


def appendix_page(sections: Sequence[Section], *, title: str, simulated: bool, png: bool) -> str:
    """Return the page of the appendices: every table, and every figure that the chapter leaves out."""
    numbers = _Numbers(("svg", "png") if png else ("svg",))
    mark = _mark(simulated=simulated)
    titled = f"{title}: appendices"
    named = _numbered_sections(sections)
    body = [
        _contents([entry for entry in named if entry[1].appendix], None, own=True),
        *(
            _section(section, number, numbers, mark)
            for number, section in named
            if section.appendix
        ),
    ]
    return _page(f"{titled} (simulated data)" if simulated else titled, mark, body)


def _mark(*, simulated: bool) -> str:
    return f'<p class="mark" role="note">{NOBODY_ASKED}</p>\n' if simulated else ""


def _page(title: str, mark: str, body: Sequence[str]) -> str:
    """Return a page that loads nothing: styles and pictures are in it."""
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ',
            "style-src 'unsafe-inline'; img-src data:\">\n",
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#results">Skip to the results</a>\n',
            f"<header>\n<h1>{escape(title)}</h1>\n{mark}</header>\n",
            '<main id="results">\n',
            *body,
            "</main>\n</body>\n</html>\n",
        )
    )


def _addresses(sections: Sequence[tuple[str, Section]]) -> dict[str, tuple[str, str]]:
    """Return the number and the address of each sub-report."""
    return {
        report.name: (f"{number}.{place}", f"{_file(section)}#{report.name}")
        for number, section in sections
        for place, report in enumerate(section.reports, start=1)
    }


def _file(section: Section) -> str:
    """Return the page that a section stands on, for links of the chapter."""
    return APPENDIX if section.appendix else ""


def _numbered_sections(sections: Sequence[Section]) -> list[tuple[str, Section]]:
    """Return sections with their numbers, appendices behind them with their letters."""
    main = [section for section in sections if not section.appendix]
    behind = [section for section in sections if section.appendix]
    return [
        *((str(number), section) for number, section in enumerate(main, start=1)),
        *((chr(ord("A") + place), section) for place, section in enumerate(behind)),
    ]


class _Numbers:
    """Numbers of tables and figures, counted through the page, and the formats of figures."""

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms = forms
        self._last = {"Table": 0, "Figure": 0}

    def next(self, kind: str) -> str:
        self._last[kind] += 1
        return f"{kind} {self._last[kind]}"


def _findings(
    findings: Findings, addresses: Mapping[str, tuple[str, str]], numbers: _Numbers
) -> str:
    """Return the first page: sentences, each with where it comes from, then the figures side by side."""
    listed = "".join(
        f"<li><strong>{escape(each.subject)}.</strong> {escape(each.text)} "
        f'<a href="{addresses[each.report][1]}">Section {addresses[each.report][0]}</a></li>\n'
        for each in findings.listed
    )
    report = findings.report
    figures = "".join(_figure(figure, report.name, numbers) for figure in report.figures)
    return (
        f'<section id="{report.name}" aria-labelledby="{report.name}-title">\n'
        f'<h2 id="{report.name}-title">{escape(report.title)}</h2>\n'
        f'<ul class="findings">\n{listed}</ul>\n{figures}'
        f"{_notes(report, [])}</section>\n"
    )


def _contents(
    sections: Sequence[tuple[str, Section]], findings: Findings | None, *, own: bool = False
) -> str:
    """Return the contents; those of a page of its own lead nowhere else, and name no settings."""
    entries = []
    for number, section in sections:
        page = "" if own else _file(section)
        inner = "".join(
            f'<li><a href="{page}#{report.name}">{number}.{place} {escape(report.title)}</a></li>\n'
            for place, report in enumerate(section.reports, start=1)
        )
        called = f"Appendix {number}" if section.appendix else number
        entries.append(
            f'<li><a href="{page}#{section.name}">{called} {escape(section.title)}</a>\n<ul>\n{inner}</ul>\n</li>\n'
        )
    first = (
        ""
        if findings is None
        else f'<li><a href="#{findings.report.name}">{escape(findings.report.title)}</a></li>\n'
    )
    last = "" if own else '<li><a href="#settings">How this was computed</a></li>\n'
    return (
        '<nav aria-label="Contents">\n<h2>Contents</h2>\n<ul>\n'
        + first
        + "".join(entries)
        + last
        + "</ul>\n</nav>\n"
    )


def _section(section: Section, number: str, numbers: _Numbers, mark: str) -> str:
    called = f"Appendix {number}." if section.appendix else f"{number}."
    return (
        f'<section id="{section.name}" aria-labelledby="{section.name}-title">\n'
        f'<h2 id="{section.name}-title">{called} {escape(section.title)}</h2>\n{mark}'
        + _paragraph(section.text)
        + "".join(
            _report(report, f"{number}.{place}", numbers, whole=section.appendix)
            for place, report in enumerate(section.reports, start=1)
        )
        + "</section>\n"
    )


def _report(report: SubReport, number: str, numbers: _Numbers, *, whole: bool) -> str:
    """Return a sub-report; one that is not shown `whole` leaves further figures to their files."""
    reasons = list[str]()
    tables = [
        _table(table, report.title, reasons, numbers, folded=not whole) for table in report.tables
    ]
    return (
        f'<section id="{report.name}" aria-labelledby="{report.name}-title">\n'
        f'<h3 id="{report.name}-title">{number} {escape(report.title)}</h3>\n'
        + "".join(map(_paragraph, report.text))
        + "".join(
            _figure(figure, report.name, numbers)
            for figure in report.figures
            if whole or not figure.folded
        )
        + "".join(tables)
        + ("" if whole else _further(report, numbers.forms))
        + _notes(report, reasons)
        + "</section>\n"
    )


def _further(report: SubReport, forms: Sequence[str]) -> str:
    """Return links to the figures that stand in files alone."""
    links = ", ".join(
        f'<a href="{report.name}/{figure.name}.{forms[0]}">{escape(figure.caption)}</a>'
        for figure in report.figures
        if figure.folded
    )
    return f"<p>Further figures: {links}.</p>\n" if links else ""


def _notes(report: SubReport, reasons: Sequence[str]) -> str:
    notes = [*numbered(reasons), *report.notes]
    files = ", ".join(f'<a href="{report.name}/{file}">{form}</a>' for file, form in _FILES)
    listed = "".join(f"<li>{escape(note)}</li>\n" for note in notes)
    return f'<ul class="notes">\n{listed}<li>All numbers: {files}</li>\n</ul>\n'


def _folded(summary: str, content: str) -> str:
    return f"<details>\n<summary>{escape(summary)}</summary>\n{content}</details>\n"


def _table(table: Table, title: str, reasons: list[str], numbers: _Numbers, *, folded: bool) -> str:
    """Return a table; a long one is folded away if it may be."""
    name = table.title or title
    if not table.rows:
        return _paragraph(f"{name}: there is nothing to show.")
    label = f"{numbers.next('Table')}. {name}"
    heads = "".join(
        f'<th scope="col"{_class(place, table.left)}>{escape(column) or "&nbsp;"}</th>'
        for place, column in enumerate(table.names)
    )
    rows = "".join(
        _row(cells, table.left, columns=len(table.names))
        for cells in numbered_cells(table, reasons)
    )
    shown = (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">\n<table>\n'
        f"<caption>{escape(label)}</caption>\n<thead>\n<tr>{heads}</tr>\n</thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
    if folded and len(table.rows) > LONG_TABLE:
        return _folded(f"{label} ({counted(len(table.rows), 'row')})", shown)
    return shown


def _row(cells: Sequence[str], left: int, *, columns: int) -> str:
    """Return a row; the first cell of one that has no other is the heading of those below."""
    first, *others = cells
    if others and not any(others):
        return f'<tr class="group"><th scope="rowgroup" colspan="{columns}">{escape(first)}</th></tr>\n'
    listed = "".join(
        f"<td{_class(place, left)}>{escape(cell)}</td>"
        for place, cell in enumerate(others, start=1)
    )
    return f'<tr><th scope="row">{escape(first)}</th>{listed}</tr>\n'


def _class(place: int, left: int) -> str:
    return ' class="text"' if place < max(left, 1) else ""


def _figure(figure: Figure, folder: str, numbers: _Numbers) -> str:
    picture = b64encode(figure.svg.encode()).decode()
    files = " or ".join(
        f'<a href="{folder}/{figure.name}.{form}">{form.upper()}</a>' for form in numbers.forms
    )
    return (
        f'<figure>\n<img src="data:image/svg+xml;base64,{picture}" alt="{escape(figure.alternative)}">\n'
        f"<figcaption>{numbers.next('Figure')}. {escape(figure.caption)} ({files})</figcaption>\n</figure>\n"
    )


def _settings(settings: Mapping[str, str]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="text">{escape(value)}</td></tr>\n'
        for name, value in settings.items()
    )
    return (
        '<section id="settings" aria-labelledby="settings-title">\n'
        '<h2 id="settings-title">How this was computed</h2>\n'
        "<p>The same data, settings and seed give the same numbers, tables and figures.</p>\n"
        '<table>\n<caption>Settings</caption>\n<thead>\n<tr><th scope="col" class="text">setting</th>'
        f'<th scope="col" class="text">value</th></tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</section>\n'
    )


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n"
