"""Tables and notes for people on one page: names that fit, columns continued below, notes beneath."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import StringIO
from types import MappingProxyType
from typing import TYPE_CHECKING

from kilter.core.markup import latex_text, markdown_text, text_width, visible, wrapped
from kilter.core.table import NAME, PAGE, Note, Table
from kilter.render.table.table import ROW_FORMATS, TableFormat, write_cells, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from kilter.results.document import Result

_CUT = "…"


def short_names(names: Sequence[str], *, width: int) -> list[str]:
    """Return the names, the long ones with their middle left out; where two clash, numbered. A name is cut once.

    >>> short_names(["online-A", "newstest2019-online-B", "newstest2020-online-B"], width=9)
    ['online-A', 'newst…e-B', 'news…e-B2']
    """
    taken = {name for name in names if text_width(name) <= width}
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        cut, number = name, 1
        if text_width(name) > width:
            cut = _cut(name, width)
            while cut in taken:
                number += 1
                cut = _cut(name, width - len(str(number))) + str(number)
            taken.add(cut)
        short[name] = cut
    return [short[name] for name in names]


def _cut(name: str, width: int) -> str:
    """Return the start, an ellipsis and the last three characters, within the width."""
    tail = name[-3:] if width > 6 else ""
    room = max(width - text_width(tail) - 1, 0)
    head = ""
    for character in name:
        if text_width(head + character) > room:
            break
        head += character
    return head + _CUT + tail


# Wider tables of documents are hard to read, on paper and on a screen.
_DOCUMENT_COLUMNS = 8
# The last character of Latin Extended-A: pdflatex sets these without further packages.
_LAST_LATIN = "\u017f"
# Longer names stand above no column of a matrix: they are numbered.
_LONGEST_HEADING = 9


@dataclass(frozen=True, slots=True)
class Page:
    """Where a result is written, in one of the formats for people."""

    out: TextIO
    form: TableFormat
    width: int = PAGE

    def write(self, tables: Sequence[Table]) -> None:
        """Write tables with their notes; names that a terminal cuts are spelled out beneath the last."""
        self.start(text for table in tables for text in _texts(table))
        names = list(dict.fromkeys(name for table in tables for name in _names(table)))
        labels = dict(zip(names, self.labels(names), strict=True))
        cut = [
            Note(f": {visible(name)}", label)
            for name, label in labels.items()
            if label != visible(name)
        ]
        for number, table in enumerate(tables, start=1):
            text = table.text if self.form is TableFormat.TEXT or not table.columns else ""
            if number > 1 and (table.title or (table.columns and not text)):
                self.out.write("\n")
            if table.title:
                self.heading(self._fitted(table.title, labels))
            if text:
                self.out.write(f"{text}\n")
            else:
                self.table(table, labels)
            opens = number == 1 and not (table.title or table.columns or text)
            self.notes([*table.notes, *(cut if number == len(tables) else [])], opens=opens)

    def _fitted(self, title: str, labels: Mapping[str, str]) -> str:
        """Return a title, with its names cut where it would be wider than the page."""
        if self.form is TableFormat.TEXT and text_width(title) > self.width:
            for name, label in labels.items():
                title = title.replace(name, label)
        return title

    def start(self, texts: Iterable[str]) -> None:
        """Write what the texts and the format ask of a document; nothing for most."""
        if self.form is TableFormat.LATEX:
            self.out.write("% The tables need \\usepackage{booktabs}.\n")
            if any(character > _LAST_LATIN for text in texts for character in text):
                self.out.write("% Some characters need xelatex or lualatex and a font with them.\n")

    def heading(self, text: str) -> None:
        """Write the title of a table."""
        if self.form is TableFormat.MD:
            self.out.write(f"### {markdown_text(text)}\n\n")
        elif self.form is TableFormat.LATEX:
            self.out.write(
                f"\\par\\medskip\\noindent\\textbf{{{latex_text(text)}}}\\par\\smallskip\n"
            )
        else:
            self.out.write(f"{visible(text)}\n")

    def labels(self, names: Sequence[str]) -> list[str]:
        """Return how a table names its rows: long names are cut in a terminal."""
        shown = [visible(name) for name in names]
        if self.form is TableFormat.TEXT:
            return short_names(shown, width=max(16, self.width // 4))
        return shown

    def table(self, table: Table, labels: Mapping[str, str] = MappingProxyType({})) -> None:
        """Write columns and rows, as many columns at a time as fit; `labels` are names as they are cut."""
        if not table.columns:
            return
        heads, *rows = [[visible(cell) for cell in cells] for cells in table.cells()]
        for cells, row in zip(rows, table.rows, strict=True):
            for place, column in enumerate(table.columns):
                if column.kind == NAME and row[place] is not None:
                    cells[place] = labels.get(str(row[place]), cells[place])
        if table.matrix:
            heads = self._numbered(heads, rows, table)
        for number, band in enumerate(self._bands(heads, rows, table)):
            if number:
                self.out.write("\n")
            shown = [[row[place] for place in band] for row in rows]
            write_cells(
                self.form, self.out, [heads[place] for place in band], shown, left=table.left
            )

    def _numbered(self, heads: list[str], rows: list[list[str]], table: Table) -> list[str]:
        """Return the headings of a matrix; long names are numbered there, and in the rows."""
        names = list(dict.fromkeys([*heads[1:], *(visible(str(row[0])) for row in table.rows)]))
        if max(map(text_width, names)) <= _LONGEST_HEADING:
            return heads
        numbers = {name: str(number) for number, name in enumerate(names, start=1)}
        pad = len(str(len(names))) if self.form is TableFormat.TEXT else 0
        for cells, row in zip(rows, table.rows, strict=True):
            cells[0] = f"{numbers[visible(str(row[0]))]:>{pad}} {cells[0]}"
        return [heads[0], *(numbers[name] for name in heads[1:])]

    def notes(self, notes: Iterable[Note], *, opens: bool = False) -> None:
        """Write notes beneath the tables, or those that open the page."""
        listed = list(notes)
        if not listed:
            return
        if not opens:
            self.out.write("\n")
        if self.form is TableFormat.MD:
            self.out.writelines(f"- {_markdown(note)}\n" for note in listed)
        elif self.form is TableFormat.LATEX:
            text = "\\par\n".join(map(_latex, listed))
            self.out.write(f"\\par\\noindent{{\\footnotesize\\raggedright\n{text}\\par}}\n")
        else:
            self.out.writelines(f"{line}\n" for note in listed for line in self._lines(note))

    def _bands(
        self, heads: Sequence[str], rows: Sequence[Sequence[str]], table: Table
    ) -> Iterator[list[int]]:
        """Yield places of columns that fit the page beside the first; tables with more texts stay whole."""
        widths = [max(map(text_width, column)) for column in zip(heads, *rows, strict=True)]
        most = _DOCUMENT_COLUMNS if table.matrix else len(heads)
        band, used = [0], widths[0]
        for place in range(1, len(heads)):
            wide = table.left == 1 and used + 2 + widths[place] > self.width
            full = wide if self.form is TableFormat.TEXT else len(band) > most
            if len(band) > 1 and full:
                yield band
                band, used = [0], widths[0]
            band.append(place)
            used += 2 + widths[place]
        yield band

    def _lines(self, note: Note) -> list[str]:
        if note.signature:
            return [note.signature + note.text]
        return wrapped(visible(note.text), self.width)


def _markdown(note: Note) -> str:
    return (f"`{note.signature}`" if note.signature else "") + markdown_text(note.text)


def _latex(note: Note) -> str:
    """Return a note as LaTeX; a signature may break after the bars and commas it is made of."""
    signature = latex_text(note.signature).replace("\\textbar{}", "\\textbar\\allowbreak{}")
    return signature.replace(",", ",\\allowbreak{}") + latex_text(note.text)


def _texts(table: Table) -> Iterator[str]:
    """Yield every text of a table that LaTeX may need a font for."""
    yield table.title
    for cells in table.cells():
        yield from cells


def _names(table: Table) -> Iterator[str]:
    """Yield the names that a narrow terminal may cut."""
    places = [place for place, column in enumerate(table.columns) if column.kind == NAME]
    yield from (str(row[place]) for row in table.rows for place in places if row[place] is not None)


def result_text(result: Result | Table, form: TableFormat) -> str:
    """Return a result in any format of text."""
    out = StringIO()
    write_result(result, out, form)
    return out.getvalue()


def write_result(
    result: Result | Table,
    out: TextIO,
    form: TableFormat,
    *,
    width: int = PAGE,
    details: bool = False,
) -> None:
    """Write a result in any format; only what the format needs is made of it.

    JSON is one line of every command, as programs read it. A table alone is a list of its rows there. People see
    everything with `details`.
    """
    if form is TableFormat.JSON:
        found = result.records() if isinstance(result, Table) else result.to_dict()
        json.dump(found, out, ensure_ascii=False, allow_nan=False)
        out.write("\n")
    elif form in ROW_FORMATS:
        write_rows(result if isinstance(result, Table) else result.data(), out, form)
    elif isinstance(result, Table):
        Page(out, form, width).write([result])
    else:
        Page(out, form, width).write(result.detailed_tables() if details else result.tables())
