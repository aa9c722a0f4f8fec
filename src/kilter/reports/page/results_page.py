"""Sub-reports on one HTML page that reads like a chapter and needs nothing but itself."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from kilter.reports.page.sub_report import NOBODY_ASKED, numbered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.reports.page.sub_report import Figure, ReportTable, SubReport

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
table { border-top: 2px solid #1a1a1a; border-bottom: 2px solid #1a1a1a; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; }
.notes { font-size: .85rem; }
@media print {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Sub-reports about one subject, and a sentence or two before them."""

    name: str
    title: str
    text: str
    reports: tuple[SubReport, ...]


def results_page(
    sections: Sequence[Section], *, title: str, summary: Sequence[str],
    settings: Mapping[str, str], simulated: bool, png: bool,
) -> str:  # fmt: skip
    """Return the page: a summary, a section for each subject, and how all of it was computed."""
    numbers = _Numbers(("svg", "png") if png else ("svg",))
    mark = f'<p class="mark" role="note">{NOBODY_ASKED}</p>\n' if simulated else ""
    titled = f"{title} (simulated data)" if simulated else title
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        # Nothing may be loaded from anywhere: styles and pictures are in the page.
        (
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            "style-src 'unsafe-inline'; img-src data:\">\n"
        ),
        f"<title>{escape(titled)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
        '<a class="skip" href="#results">Skip to the results</a>\n',
        f"<header>\n<h1>{escape(titled)}</h1>\n{mark}",
        *(_paragraph(text) for text in summary),
        f"</header>\n{_contents(sections)}",
        '<main id="results">\n',
        *(
            _section(section, number, numbers, mark)
            for number, section in enumerate(sections, start=1)
        ),
        _settings(settings),
        "</main>\n</body>\n</html>\n",
    ]
    return "".join(parts)


class _Numbers:
    """Numbers of tables and figures, counted through the page, and the formats of figures."""

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms = forms
        self._last = {"Table": 0, "Figure": 0}

    def next(self, kind: str) -> str:
        self._last[kind] += 1
        return f"{kind} {self._last[kind]}"


def _contents(sections: Sequence[Section]) -> str:
    entries = [
        f'<li><a href="#{section.name}">{escape(section.title)}</a></li>\n' for section in sections
    ]
    return (
        '<nav aria-label="Contents">\n<h2>Contents</h2>\n<ol>\n'
        + "".join(entries)
        + '</ol>\n<p><a href="#settings">How this was computed</a></p>\n</nav>\n'
    )


def _section(section: Section, number: int, numbers: _Numbers, mark: str) -> str:
    return (
        f'<section id="{section.name}" aria-labelledby="{section.name}-title">\n'
        f'<h2 id="{section.name}-title">{number}. {escape(section.title)}</h2>\n{mark}'
        + _paragraph(section.text)
        + "".join(
            _report(report, f"{number}.{place}", numbers)
            for place, report in enumerate(section.reports, start=1)
        )
        + "</section>\n"
    )


def _report(report: SubReport, number: str, numbers: _Numbers) -> str:
    reasons = list[str]()
    tables = [_table(table, report.title, reasons, numbers) for table in report.tables]
    notes = [*numbered(reasons), *report.notes]
    files = ", ".join(f'<a href="{report.name}/{file}">{form}</a>' for file, form in _FILES)
    listed = "".join(f"<li>{escape(note)}</li>\n" for note in notes)
    return (
        f'<section id="{report.name}" aria-labelledby="{report.name}-title">\n'
        f'<h3 id="{report.name}-title">{number} {escape(report.title)}</h3>\n'
        + "".join(map(_paragraph, report.text))
        + "".join(_figure(figure, report.name, numbers) for figure in report.figures)
        + "".join(tables)
        + f'<ul class="notes">\n{listed}<li>All numbers: {files}</li>\n</ul>\n</section>\n'
    )


def _table(table: ReportTable, title: str, reasons: list[str], numbers: _Numbers) -> str:
    name = table.caption or title
    if not table.rows:
        return _paragraph(f"{name}: there is nothing to show.")
    label = f"{numbers.next('Table')}. {name}"
    heads = "".join(
        f'<th scope="col"{_class(place, table.left)}>{escape(column) or "&nbsp;"}</th>'
        for place, column in enumerate(table.columns)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(
            f"<td{_class(place, table.left)}>{escape(cell)}</td>"
            for place, cell in enumerate(cells, start=1)
        )
        + "</tr>\n"
        for first, *cells in table.texts(reasons)
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">\n<table>\n'
        f"<caption>{escape(label)}</caption>\n<thead>\n<tr>{heads}</tr>\n</thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


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
