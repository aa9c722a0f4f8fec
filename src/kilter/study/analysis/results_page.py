"""Sub-reports on one HTML page that reads like a chapter and needs nothing but itself."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.page.page_part import Html, PageParts, joined, lines
from kilter.render.page.sub_report import NOBODY_ASKED, numbered, numbered_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.core.table import Table
    from kilter.render.page.sub_report import Figure, SubReport


_FOLDER = Path(__file__).parent / "templates"
_STYLE = _FOLDER / "results.css"
_PARTS = PageParts(_FOLDER / "results.html")
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
    titled = f"{title} (simulated data)" if simulated else title
    named = _numbered_sections(sections)
    return _page(
        titled,
        [
            *([] if findings is None else [_findings(findings, _addresses(named), numbers)]),
            _contents(named, findings),
            *map(_paragraph, summary),
            *(
                _section(section, number, numbers, simulated=simulated)
                for number, section in named
                if not section.appendix
            ),
            _settings(settings),
        ],
        simulated=simulated,
    )


def appendix_page(sections: Sequence[Section], *, title: str, simulated: bool, png: bool) -> str:
    """Return the page of the appendices: every table, and every figure that the chapter leaves out."""
    numbers = _Numbers(("svg", "png") if png else ("svg",))
    titled = f"{title}: appendices"
    named = [entry for entry in _numbered_sections(sections) if entry[1].appendix]
    return _page(
        f"{titled} (simulated data)" if simulated else titled,
        [
            _contents(named, None, own=True),
            *(_section(section, number, numbers, simulated=simulated) for number, section in named),
        ],
        simulated=simulated,
    )


def _page(title: str, content: Sequence[Html], *, simulated: bool) -> str:
    """Return a page that loads nothing: styles and pictures are in it."""
    style = Html(_STYLE.read_text(encoding="utf-8"))
    page = _PARTS.part(
        "page", title=title, style=style, mark=_mark(simulated=simulated), content=lines(content)
    )
    return f"{page}\n"


def _mark(*, simulated: bool) -> Html:
    return lines([_PARTS.part("mark", text=NOBODY_ASKED)] if simulated else [])


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
) -> Html:
    """Return the first page: sentences, each with where it comes from, then the figures side by side."""
    report = findings.report
    return _PARTS.part(
        "findings",
        name=report.name,
        title=report.title,
        findings=lines(
            _PARTS.part(
                "finding",
                subject=finding.subject,
                text=finding.text,
                number=addresses[finding.report][0],
                address=addresses[finding.report][1],
            )
            for finding in findings.listed
        ),
        figures=lines(_figure(figure, report.name, numbers) for figure in report.figures),
        notes=_notes(report, []),
    )


def _contents(
    sections: Sequence[tuple[str, Section]], findings: Findings | None, *, own: bool = False
) -> Html:
    """Return the contents; those of a page of its own lead nowhere else, and name no settings."""
    entries = []
    if findings is not None:
        entries.append(_entry(f"#{findings.report.name}", findings.report.title))
    for number, section in sections:
        page = "" if own else _file(section)
        called = f"Appendix {number}" if section.appendix else number
        entries.append(
            _PARTS.part(
                "section entry",
                address=f"{page}#{section.name}",
                title=f"{called} {section.title}",
                reports=lines(
                    _entry(f"{page}#{report.name}", f"{number}.{index} {report.title}")
                    for index, report in enumerate(section.reports, start=1)
                ),
            )
        )
    if not own:
        entries.append(_entry("#settings", "How this was computed"))
    return _PARTS.part("contents", entries=lines(entries))


def _entry(address: str, title: str) -> Html:
    return _PARTS.part("entry", address=address, title=title)


def _section(section: Section, number: str, numbers: _Numbers, *, simulated: bool) -> Html:
    called = f"Appendix {number}." if section.appendix else f"{number}."
    return _PARTS.part(
        "section",
        name=section.name,
        title=f"{called} {section.title}",
        mark=_mark(simulated=simulated),
        text=_paragraph(section.text),
        reports=lines(
            _report(report, f"{number}.{index}", numbers, whole=section.appendix)
            for index, report in enumerate(section.reports, start=1)
        ),
    )


def _report(report: SubReport, number: str, numbers: _Numbers, *, whole: bool) -> Html:
    """Return a sub-report; one that is not shown `whole` leaves further figures to their files."""
    reasons = list[str]()
    tables = [
        _table(table, report.title, reasons, numbers, folded=not whole) for table in report.tables
    ]
    shown = [figure for figure in report.figures if whole or not figure.folded]
    further = [figure for figure in report.figures if figure not in shown]
    return _PARTS.part(
        "report",
        name=report.name,
        title=f"{number} {report.title}",
        text=lines(map(_paragraph, report.text)),
        figures=lines(_figure(figure, report.name, numbers) for figure in shown),
        tables=lines(tables),
        further=lines([_further(report, further, numbers)] if further else []),
        notes=_notes(report, reasons),
    )


def _further(report: SubReport, figures: Sequence[Figure], numbers: _Numbers) -> Html:
    """Return links to figures that stand in files alone."""
    links = (
        _link(f"{report.name}/{figure.name}.{numbers.forms[0]}", figure.caption)
        for figure in figures
    )
    return _PARTS.part("further figures", links=joined(links, ", "))


def _notes(report: SubReport, reasons: Sequence[str]) -> Html:
    notes = [*numbered(reasons), *report.notes]
    return _PARTS.part(
        "notes",
        notes=lines(_PARTS.part("note", text=note) for note in notes),
        files=joined((_link(f"{report.name}/{file}", form) for file, form in _FILES), ", "),
    )


def _link(address: str, text: str) -> Html:
    return _PARTS.part("link", address=address, text=text)


def _table(
    table: Table, title: str, reasons: list[str], numbers: _Numbers, *, folded: bool
) -> Html:
    """Return a table; a long one is folded away if it may be."""
    name = table.title or title
    if not table.rows:
        return _paragraph(f"{name}: there is nothing to show.")
    label = f"{numbers.next('Table')}. {name}"
    shown = _PARTS.part(
        "table",
        label=label,
        heads=joined(
            _PARTS.part(f"{_kind(index, table.left)} head", text=column or Html("&nbsp;"))
            for index, column in enumerate(table.names)
        ),
        rows=lines(
            _row(cells, table.left, columns=len(table.names))
            for cells in numbered_cells(table, reasons)
        ),
    )
    if folded and len(table.rows) > LONG_TABLE:
        summary = f"{label} ({counted(len(table.rows), 'row')})"
        return _PARTS.part("folded", summary=summary, content=shown)
    return shown


def _row(cells: Sequence[str], left: int, *, columns: int) -> Html:
    """Return a row; the first cell of one that has no other is the heading of those below."""
    first, *others = cells
    if others and not any(others):
        return _PARTS.part("group", columns=str(columns), text=first)
    listed = (
        _PARTS.part(f"{_kind(index, left)} cell", text=cell)
        for index, cell in enumerate(others, start=1)
    )
    return _PARTS.part("row", first=first, others=joined(listed))


def _kind(index: int, left: int) -> str:
    return "text" if index < max(left, 1) else "number"


def _figure(figure: Figure, folder: str, numbers: _Numbers) -> Html:
    files = (_link(f"{folder}/{figure.name}.{form}", form.upper()) for form in numbers.forms)
    return _PARTS.part(
        "figure",
        picture=b64encode(figure.svg.encode()).decode(),
        alternative=figure.alternative,
        caption=f"{numbers.next('Figure')}. {figure.caption}",
        files=joined(files, " or "),
    )


def _settings(settings: Mapping[str, str]) -> Html:
    rows = (_PARTS.part("setting", name=name, value=value) for name, value in settings.items())
    return _PARTS.part("settings", rows=lines(rows))


def _paragraph(text: str) -> Html:
    return _PARTS.part("paragraph", text=text)
