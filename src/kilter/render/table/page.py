"""Tables and notes for people on one page: names that fit, columns continued below, notes beneath."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from kilter.render.markup import latex_text, markdown_text, text_width, visible
from kilter.render.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    Column = tuple[str, Sequence[str]]

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


PAGE = 100
"""Columns of a page where no terminal says otherwise."""
# Wider tables of documents are hard to read, on paper and on a screen.
_DOCUMENT_COLUMNS = 8
# The last character of Latin Extended-A: pdflatex sets these without further packages.
_LAST_LATIN = "\u017f"


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence beneath a table, or a signature, which is never broken, with a remark behind it."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Where a result is written, in one of the formats for people."""

    out: TextIO
    form: TableFormat
    width: int = PAGE

    def start(self, names: Iterable[str]) -> None:
        """Write what the names and the format ask of a document; nothing for most."""
        if self.form is TableFormat.LATEX:
            self.out.write("% The tables need \\usepackage{booktabs}.\n")
            if any(character > _LAST_LATIN for name in names for character in name):
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

    def table(
        self,
        corner: str,
        labels: Sequence[str],
        columns: Sequence[Column],
        *,
        most: int | None = None,
    ) -> None:
        """Write columns beside the labels of their rows, as many at a time as fit or `most`."""
        for place, band in enumerate(self._bands(corner, labels, columns, most)):
            if place:
                self.out.write("\n")
            rows = zip(labels, *(cells for _, cells in band), strict=True)
            write_cells(self.form, self.out, [corner, *(name for name, _ in band)], list(rows))

    def matrix(self, names: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
        """Write a square of cells, rows against columns; columns of long names are numbered."""
        labels, headings = self.labels(names), [visible(name) for name in names]
        if max(map(text_width, headings)) > 9:
            headings = [str(number) for number in range(1, len(names) + 1)]
            widest = len(headings[-1])
            pad = widest if self.form is TableFormat.TEXT else 0
            labels = [f"{n:>{pad}} {label}" for n, label in zip(headings, labels, strict=True)]
        columns = [(heading, [row[k] for row in cells]) for k, heading in enumerate(headings)]
        most = None if self.form is TableFormat.TEXT else _DOCUMENT_COLUMNS
        self.table("", labels, columns, most=most)

    def notes(self, notes: Iterable[Note]) -> None:
        """Write notes beneath the tables."""
        listed = list(notes)
        if not listed:
            return
        self.out.write("\n")
        if self.form is TableFormat.MD:
            self.out.writelines(f"- {_markdown(note)}\n" for note in listed)
        elif self.form is TableFormat.LATEX:
            text = "\\par\n".join(map(_latex, listed))
            self.out.write(f"\\par\\noindent{{\\footnotesize\\raggedright\n{text}\\par}}\n")
        else:
            self.out.writelines(f"{line}\n" for note in listed for line in self._lines(note))

    def full_names(self, names: Sequence[str]) -> Iterator[Note]:
        """Yield the names that labels cut."""
        for name, label in zip(names, self.labels(names), strict=True):
            if label != visible(name):
                yield Note(f": {visible(name)}", label)

    def _bands(
        self, corner: str, labels: Sequence[str], columns: Sequence[Column], most: int | None
    ) -> Iterator[list[Column]]:
        first = max(map(text_width, [corner, *labels]))
        band: list[Column] = []
        used = first
        for name, cells in columns:
            needed = 2 + max(map(text_width, [name, *cells]))
            full = self.form is TableFormat.TEXT and used + needed > self.width
            if band and (full or len(band) == most):
                yield band
                band, used = [], first
            band.append((name, cells))
            used += needed
        if band:
            yield band

    def _lines(self, note: Note) -> list[str]:
        if note.signature:
            return [note.signature + note.text]
        if text_width(note.text) == len(note.text):
            return wrap(note.text, self.width, break_long_words=False, break_on_hyphens=False)
        return _wrapped(note.text.split(), self.width)


def _wrapped(words: Sequence[str], width: int) -> list[str]:
    """Return lines of words that are as wide as a terminal shows them.

    >>> _wrapped(["日本語", "の", "文"], 6)
    ['日本語', 'の 文']
    """
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _markdown(note: Note) -> str:
    return (f"`{note.signature}`" if note.signature else "") + markdown_text(note.text)


def _latex(note: Note) -> str:
    """Return a note as LaTeX; a signature may break after the bars and commas it is made of."""
    signature = latex_text(note.signature).replace("\\textbar{}", "\\textbar\\allowbreak{}")
    return signature.replace(",", ",\\allowbreak{}") + latex_text(note.text)


_THRESHOLDS = (0.05, 0.01)
"""What marks and their legends go by: below one of them a p-value is marked, at it not."""


def p_cell(p: float | None, *, digits: int = 4) -> str:
    """Return a p-value with so many decimals; none is ever written as 0, and a missing one is a dash.

    One that would be rounded up to .05 or .01 gets as many decimals as tell it from that.

    >>> p_cell(0.0312), p_cell(0.00002), p_cell(0.0, digits=3), p_cell(None)
    ('0.0312', '< 0.0001', '< 0.001', '-')
    >>> p_cell(10 / 1001), p_cell(10 / 1001, digits=3), p_cell(0.01)
    ('0.00999', '0.00999', '0.0100')
    """
    if p is None:
        return "-"
    least = 10.0**-digits
    if p < least:
        return f"< {least:.{digits}f}"
    while any(p < threshold <= float(f"{p:.{digits}f}") for threshold in _THRESHOLDS):
        digits += 1
    return f"{p:.{digits}f}"
