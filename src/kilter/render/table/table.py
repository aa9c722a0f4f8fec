"""Tables written row by row, in every output format."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from kilter.core.estimate import MISSING
from kilter.core.markup import escaped_latex, latex_text, markdown_text, text_table
from kilter.core.table import people_text
from kilter.render.table.parquet import ParquetWriter
from kilter.render.table.writer import TableWriter, cell_text, row_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from kilter.core.table import Table
    from kilter.render.table.writer import ArrayColumn


class TableFormat(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    TSV = "tsv"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"
    PARQUET = "parquet"


# The formats that programs read carry every column; those for people carry the ones that fit a page.
FULL_FORMATS = frozenset(TableFormat) - {TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX}
# Of these, the ones that hold rows and nothing else.
ROW_FORMATS = FULL_FORMATS - {TableFormat.JSON}
# Of these, the ones that tables of a study are exported in.
EXPORT_FORMATS = (TableFormat.CSV, TableFormat.JSONL, TableFormat.PARQUET)


class TsvWriter(TableWriter):
    """Tab-separated, with a header line; numbers in full precision."""

    def start(self) -> None:
        self.out.write("\t".join(self.names) + "\n")

    def cell(self, value: object) -> str:
        return cell_text(value).replace("\t", " ").replace("\n", " ")

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return ["", *["\t"] * (len(columns) - 1), "\n"]


class CsvWriter(TableWriter):
    """Comma-separated, with a header line; a text with commas, quotes or line ends is quoted."""

    def start(self) -> None:
        self.out.write(",".join(map(self.cell, self.names)) + "\n")

    def cell(self, value: object) -> str:
        text = cell_text(value)
        if not any(mark in text for mark in ',"\r\n'):
            return text
        return '"' + text.replace('"', '""') + '"'

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return ["", *[","] * (len(columns) - 1), "\n"]


class JsonlWriter(TableWriter):
    """One JSON object a line."""

    missing: ClassVar[str] = "null"
    list_separator: ClassVar[str] = ", "
    row_start: ClassVar[str] = "{"
    row_end: ClassVar[str] = "}\n"

    def cell(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        pieces = [self.row_start]
        for place, (name, column) in enumerate(zip(self.names, columns, strict=True)):
            listed = isinstance(column, tuple)
            shown = json.dumps(name, ensure_ascii=False)
            pieces[-1] += (", " if place else "") + shown + (": [" if listed else ": ")
            pieces.append("]" if listed else "")
        pieces[-1] += self.row_end
        return pieces


class JsonWriter(JsonlWriter):
    """One JSON document: the header's fields, then the rows."""

    row_start: ClassVar[str] = ",\n{"
    row_end: ClassVar[str] = "}"

    def start(self) -> None:
        self._empty = True
        opening = json.dumps(dict(self.header), ensure_ascii=False)[:-1]
        self.out.write(f'{opening}, "rows": [')

    def rows(self, columns: Mapping[str, ArrayColumn]) -> None:
        if self._empty and self.names and row_count(columns[self.names[0]]):
            # The first row has no comma before it.
            first = {name: _first_row(columns[name]) for name in self.names}
            rest = {name: _other_rows(columns[name]) for name in self.names}
            self._empty = False
            self.row_start = "\n{"  # type: ignore[misc]
            super().rows(first)
            self.row_start = ",\n{"  # type: ignore[misc]
            super().rows(rest)
        else:
            super().rows(columns)

    def end(self) -> None:
        self.out.write("\n]}\n")


class _PeopleWriter(TableWriter):
    """Numbers as people read them."""

    missing: ClassVar[str] = MISSING
    people: ClassVar[bool] = True

    def cell(self, value: object) -> str:
        return people_text(value)


class TextWriter(_PeopleWriter):
    """Aligned columns. Widths come from the names, so that rows can be written as they come."""

    def __init__(self, out: TextIO, names: Sequence[str], *, header: Mapping[str, object]) -> None:
        super().__init__(out, names, header=header)
        self.widths = [max(len(name), 7) for name in names]

    def start(self) -> None:
        padded = [name.rjust(width) for name, width in zip(self.names, self.widths, strict=True)]
        self.out.write(" ".join(padded) + "\n")

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return ["", *[" "] * (len(columns) - 1), "\n"]


class MarkdownWriter(_PeopleWriter):
    """A pipe table."""

    def start(self) -> None:
        self.out.write("| " + " | ".join(self.names) + " |\n")
        self.out.write("|" + "|".join(" ---: " for _ in self.names) + "|\n")

    def cell(self, value: object) -> str:
        return markdown_text(super().cell(value))

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return ["| ", *[" | "] * (len(columns) - 1), " |\n"]


class LatexWriter(_PeopleWriter):
    """A booktabs table."""

    def start(self) -> None:
        self.out.write(f"\\begin{{tabular}}{{{'r' * len(self.names)}}}\n\\toprule\n")
        self.out.write(" & ".join(map(escaped_latex, self.names)) + " \\\\\n\\midrule\n")

    def cell(self, value: object) -> str:
        return escaped_latex(super().cell(value))

    def literals(self, columns: Sequence[ArrayColumn]) -> list[str]:
        return ["", *[" & "] * (len(columns) - 1), " \\\\\n"]

    def end(self) -> None:
        self.out.write("\\bottomrule\n\\end{tabular}\n")


_WRITERS: dict[TableFormat, type[TableWriter]] = {
    TableFormat.TEXT: TextWriter,
    TableFormat.JSON: JsonWriter,
    TableFormat.JSONL: JsonlWriter,
    TableFormat.TSV: TsvWriter,
    TableFormat.CSV: CsvWriter,
    TableFormat.MD: MarkdownWriter,
    TableFormat.LATEX: LatexWriter,
    TableFormat.PARQUET: ParquetWriter,
}


def table_writer(
    form: TableFormat, out: TextIO, names: Sequence[str], *, header: Mapping[str, object]
) -> TableWriter:
    """Return the writer of a format; `header` is what a JSON document says before its rows."""
    return _WRITERS[form](out, names, header=header)


def write_rows(table: Table, out: TextIO, form: TableFormat) -> None:
    """Write a table in one of the formats for programs."""
    names, rows = table.names, table.flat_rows()
    writer = table_writer(form, out, names, header={})
    writer.start()
    writer.rows({name: [row[place] for row in rows] for place, name in enumerate(names)})
    writer.end()


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
        lines = text_table([names, *rows], numbers=range(left, len(names)))
        out.writelines(f"{line}\n" for line in lines)
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


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(markdown_text, cells)) + " |\n"


def _latex_line(cells: Sequence[str]) -> str:
    # After the end of a line, LaTeX takes a bracket or a star for an option of it.
    guard = "{}" if cells[0][:1] in ("[", "*") else ""
    return guard + " & ".join(map(latex_text, cells)) + " \\\\\n"


def _first_row(column: ArrayColumn) -> ArrayColumn:
    if isinstance(column, tuple):
        values, offsets = column
        return values[: offsets[1]], offsets[:2]
    return column[:1]


def _other_rows(column: ArrayColumn) -> ArrayColumn:
    if isinstance(column, tuple):
        values, offsets = column
        return values[offsets[1] :], offsets[1:] - offsets[1]
    return column[1:]
