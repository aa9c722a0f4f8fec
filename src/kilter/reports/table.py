"""Tables written row by row, in every output format."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO


class TableFormat(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    TSV = "tsv"
    MD = "md"
    LATEX = "latex"


# The formats that programs read carry every column; those for people carry the ones that fit a page.
FULL_FORMATS = frozenset({TableFormat.JSON, TableFormat.JSONL, TableFormat.TSV})


class TableWriter(ABC):
    """Writes columns block by block, so that a table of any length needs little memory.

    A value of None is missing: null in JSON, an empty field in TSV, a dash for people.
    """

    missing: ClassVar[str] = ""

    def __init__(self, out: TextIO, names: Sequence[str], *, header: Mapping[str, Any]) -> None:
        self.out = out
        self.names = list(names)
        self.header = header

    def start(self) -> None:  # noqa: B027 - some formats begin with their rows
        """Write what stands before the first row."""

    def rows(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Write one row for each place of the columns."""
        cells = [self.cells(name, columns[name]) for name in self.names]
        lines = [self.line(row) for row in zip(*cells, strict=True)]
        if lines:
            self.out.write("".join(lines))

    def end(self) -> None:  # noqa: B027 - some formats end with their rows
        """Write what stands after the last row."""

    def cells(self, _name: str, values: Iterable[Any]) -> list[str]:
        """Return the values of one column as text."""
        return [self.missing if value is None else self.cell(value) for value in values]

    @abstractmethod
    def cell(self, value: Any) -> str:
        """Return one value as text."""

    @abstractmethod
    def line(self, cells: Sequence[str]) -> str:
        """Return one row as text, with its line end."""


class TsvWriter(TableWriter):
    """Tab-separated, with a header line; numbers in full precision."""

    def start(self) -> None:
        self.out.write("\t".join(self.names) + "\n")

    def cell(self, value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return " ".join(map(str, value))
        return repr(value) if isinstance(value, float) else str(value)

    def line(self, cells: Sequence[str]) -> str:
        return "\t".join(cells) + "\n"


class JsonlWriter(TableWriter):
    """One JSON object a line."""

    missing: ClassVar[str] = "null"

    def __init__(self, out: TextIO, names: Sequence[str], *, header: Mapping[str, Any]) -> None:
        super().__init__(out, names, header=header)
        keys = (json.dumps(name).replace("%", "%%") for name in names)
        self.template = "{" + ", ".join(f"{key}: %s" for key in keys) + "}"

    def cell(self, value: Any) -> str:
        # What json.dumps writes, without its cost for the two commonest types.
        if isinstance(value, float):
            return repr(value)
        return json.dumps(value, ensure_ascii=False)

    def line(self, cells: Sequence[str]) -> str:
        return self.template % tuple(cells) + "\n"


class JsonWriter(JsonlWriter):
    """One JSON document: the header's fields, then the rows."""

    def start(self) -> None:
        self._first = True
        opening = json.dumps(dict(self.header), ensure_ascii=False)[:-1]
        self.out.write(f'{opening}, "rows": [')

    def rows(self, columns: Mapping[str, Sequence[Any]]) -> None:
        cells = [self.cells(name, columns[name]) for name in self.names]
        for row in zip(*cells, strict=True):
            self.out.write("\n" if self._first else ",\n")
            self._first = False
            self.out.write(self.template % row)

    def end(self) -> None:
        self.out.write("\n]}\n")


class _PeopleWriter(TableWriter):
    """Four decimals are enough to read; what is smaller than that shows its size."""

    missing: ClassVar[str] = "-"

    def cell(self, value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return f"{value:.1e}" if 0 < abs(value) < 5e-5 else f"{value:.4f}"
        return str(value)


class TextWriter(_PeopleWriter):
    """Aligned columns. Widths come from the names, so that rows can be written as they come."""

    def __init__(self, out: TextIO, names: Sequence[str], *, header: Mapping[str, Any]) -> None:
        super().__init__(out, names, header=header)
        self.widths = [max(len(name), 7) for name in names]

    def start(self) -> None:
        self.out.write(self.line(self.names))

    def line(self, cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(cells, self.widths, strict=True)]
        return " ".join(padded).rstrip() + "\n"


class MarkdownWriter(_PeopleWriter):
    """A pipe table."""

    def start(self) -> None:
        self.out.write(self.line(self.names))
        self.out.write("|" + "|".join(" ---: " for _ in self.names) + "|\n")

    def line(self, cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


class LatexWriter(_PeopleWriter):
    """A booktabs table."""

    def start(self) -> None:
        self.out.write(f"\\begin{{tabular}}{{{'r' * len(self.names)}}}\n\\toprule\n")
        self.out.write(self.line(self.names))
        self.out.write("\\midrule\n")

    def line(self, cells: Sequence[str]) -> str:
        return " & ".join(map(_latex, cells)) + " \\\\\n"

    def end(self) -> None:
        self.out.write("\\bottomrule\n\\end{tabular}\n")


_MINUS = re.compile(r"(?<!\w)-(?=[\d.*])")
_SPECIAL = {
    "\\": "\\textbackslash{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
_WRITERS: dict[TableFormat, type[TableWriter]] = {
    TableFormat.TEXT: TextWriter,
    TableFormat.JSON: JsonWriter,
    TableFormat.JSONL: JsonlWriter,
    TableFormat.TSV: TsvWriter,
    TableFormat.MD: MarkdownWriter,
    TableFormat.LATEX: LatexWriter,
}


def table_writer(
    form: TableFormat, out: TextIO, names: Sequence[str], *, header: Mapping[str, Any]
) -> TableWriter:
    """Return the writer of a format; `header` is what a JSON document says before its rows."""
    return _WRITERS[form](out, names, header=header)


def write_cells(
    form: TableFormat,
    out: TextIO,
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
) -> None:
    """Write a finished table of text for people; the first `left` columns are set flush left."""
    if form is TableFormat.TEXT:
        _write_aligned(out, [names, *rows], left)
    elif form is TableFormat.MD:
        rule = [" :--- "] * left + [" ---: "] * (len(names) - left)
        out.write(_markdown_line(names) + "|" + "|".join(rule) + "|\n")
        out.writelines(_markdown_line(row) for row in rows)
    elif form is TableFormat.LATEX:
        columns = "l" * left + "r" * (len(names) - left)
        out.write(f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_latex_line(names)}\\midrule\n")
        out.writelines(_latex_line(row) for row in rows)
        out.write("\\bottomrule\n\\end{tabular}\n")
    else:
        raise ValueError(f"{form} is written by a TableWriter")


def _write_aligned(out: TextIO, rows: Sequence[Sequence[str]], left: int) -> None:
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - text_width(cell))
            cells.append(cell + blanks if place < left else blanks + cell)
        out.write("  ".join(cells).rstrip() + "\n")


def _markdown_line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("*", "\\*") for cell in cells)
    return "| " + " | ".join(escaped) + " |\n"


def _latex_line(cells: Sequence[str]) -> str:
    # After the end of a line, LaTeX takes a bracket or a star for an option of it.
    guard = "{}" if cells[0][:1] in ("[", "*") else ""
    return guard + " & ".join(map(latex_text, cells)) + " \\\\\n"


def text_width(text: str) -> int:
    """Return how many terminal columns a text takes: two for wide characters, none for accents."""
    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def latex_text(text: str) -> str:
    """Return a text as LaTeX: special characters escaped, the minus of a number as a minus sign."""
    return _MINUS.sub("$-$", _latex(text))


def _latex(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
