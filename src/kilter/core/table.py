"""Tables: what a result shows to people and to programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from kilter.core.estimate import MISSING, Estimate, p_text, signed
from kilter.core.markup import text_table, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind: TypeAlias = "str | Callable[[Any], str]"

PAGE = 100
"""Columns of a page where no terminal says otherwise."""
NAME = "name"
"""The kind of a column of names, which a narrow terminal may cut."""
P = "p"
"""The kind of a column of p-values; with a digit behind it, so many decimals."""


def people_text(value: object) -> str:
    """Return a value for people: four decimals are enough; what is smaller than that shows its size.

    >>> people_text(0.12345), people_text(0.00001), people_text(None), people_text(True)
    ('0.1235', '1.0e-05', '-', 'yes')
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 5e-5 else f"{value:.4f}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name for programs, how people see its values, and the title above it for people.

    A kind is a format specification of Python or of `Estimate`, `NAME`, `P`, a function, or nothing for what
    `people_text` shows well. People see `missing` where there is no value, or what it makes of the value.

    >>> Column("score", ".4f±").text(Estimate(0.5, 0.4, 0.6)), Column("p", P).text(0.00001), Column("n").text(3)
    ('0.5000 ±0.1000', '< 0.0001', '3')
    """

    name: str
    kind: Kind = ""
    title: str | None = None
    missing: str | Callable[[Any], str] = MISSING

    @property
    def heading(self) -> str:
        """What people read above the column."""
        return self.name if self.title is None else self.title

    @property
    def has_bounds(self) -> bool:
        """Whether programs get the interval too, in two further columns."""
        return isinstance(self.kind, str) and self.kind.endswith(("±", "[]"))

    def text(self, value: Any) -> str:
        """Return a value for people."""
        if callable(self.kind):
            return self.kind(value)
        if value is None or (isinstance(value, Estimate) and value.value is None):
            return self.missing(value) if callable(self.missing) else self.missing
        if self.kind.rstrip("0123456789") == P:
            return p_text(value, digits=int(self.kind[1:] or 4))
        if isinstance(value, str) or self.kind in ("", NAME):
            return people_text(value.value if isinstance(value, Estimate) else value)
        return format(value, self.kind) if isinstance(value, Estimate) else signed(value, self.kind)

    def flat(self, value: Any) -> dict[str, Any]:
        """Return a value for programs, by the names of its columns."""
        if not self.has_bounds:
            return {self.name: value.value if isinstance(value, Estimate) else value}
        return (value or Estimate()).flat(self.name)


def score_column(
    name: str,
    kind: str = ".4f",
    *,
    percent: bool = False,
    missing: str | Callable[[Any], str] = MISSING,
) -> Column:
    """Return a column of scores from 0 to 1, which people see in percent if asked.

    >>> score_column("bleu", percent=True).text(0.56583), score_column("bleu", "+.4f", percent=True).text(0.1)
    ('56.58', '+10.00')
    """
    if not percent:
        return Column(name, kind, missing=missing)
    shown = Column(name, kind.replace(".4f", ".2f"), missing=missing)
    return Column(name, lambda value: shown.text(in_percent(value)))


def in_percent(value: Any) -> Any:
    """Return a number or an estimate times 100; what is missing stays so."""
    if value is None:
        return None
    return value.scaled(100.0) if isinstance(value, Estimate) else 100.0 * value


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence beneath a table, or a signature, which is never broken, with a remark behind it."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True, init=False)
class Table:
    """Columns, rows of as many values (None where there is none), and notes beneath.

    The first `left` columns are flush left. A `matrix` has a row and a column for each of several names: long
    names are numbered, and documents continue it below after a few columns. A terminal shows `text` instead of
    columns and rows, and so does every format if there are no columns.

    >>> table = Table("scores", ["system", Column("kendall", ".2f±")], [["A", Estimate(0.5, 0.4, 0.6)]])
    >>> table.cells()
    [['system', 'kendall'], ['A', '0.50 ±0.10']]
    >>> table.records()
    [{'system': 'A', 'kendall': 0.5, 'kendall_low': 0.4, 'kendall_high': 0.6}]
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[Note, ...]
    left: int
    matrix: bool
    text: str

    def __init__(
        self,
        title: str = "",
        columns: Iterable[Column | str] = (),
        rows: Iterable[Iterable[Any]] = (),
        notes: Iterable[Note | str] = (),
        *,
        left: int = 1,
        matrix: bool = False,
        text: str = "",
    ) -> None:
        set_field = partial(object.__setattr__, self)
        set_field("title", title)
        set_field("columns", tuple(Column(c) if isinstance(c, str) else c for c in columns))
        set_field("rows", tuple(map(tuple, rows)))
        set_field("notes", tuple(Note(n) if isinstance(n, str) else n for n in notes))
        set_field("left", left)
        set_field("matrix", matrix)
        set_field("text", text)

    @classmethod
    def of(
        cls,
        columns: Iterable[Column | str],
        records: Iterable[object],
        *,
        title: str = "",
        notes: Iterable[Note | str] = (),
        left: int = 1,
        text: str = "",
    ) -> Table:
        """Return a row for each record, whose attributes or keys are called as the columns.

        >>> Table.of(["b", "a"], [{"a": 1, "b": 2, "unused": 3}]).rows
        ((2, 1),)
        """
        listed = [Column(each) if isinstance(each, str) else each for each in columns]
        rows = [[_value(record, column.name) for column in listed] for record in records]
        return cls(title, listed, rows, notes, left=left, text=text)

    def noted(self, *notes: Note | str) -> Table:
        """Return the table with more notes beneath it."""
        return Table(
            self.title, self.columns, self.rows, (*self.notes, *notes), left=self.left, matrix=self.matrix,
            text=self.text,
        )  # fmt: skip

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that programs get."""
        return tuple(name for column in self.columns for name in column.flat(None))

    def flat_rows(self) -> list[list[Any]]:
        """Return the rows that programs get."""
        return [list(record.values()) for record in self.records()]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows that programs get, by the names of columns."""
        return [
            {
                name: flat
                for column, value in zip(self.columns, row, strict=True)
                for name, flat in column.flat(value).items()
            }
            for row in self.rows
        ]

    def cells(self) -> list[list[str]]:
        """Return the titles of columns and all values as people see them."""
        return [
            [column.heading for column in self.columns],
            *(
                [column.text(value) for column, value in zip(self.columns, row, strict=True)]
                for row in self.rows
            ),
        ]

    def __str__(self) -> str:
        title = [self.title] if self.title else []
        body = (
            text_table(self.cells(), numbers=range(self.left, len(self.columns)))
            if self.columns
            else []
        )
        notes = [line for note in self.notes for line in _note_lines(note)]
        return "\n".join(
            [
                *title,
                *([self.text] if self.text else body),
                *([""] if body and notes else []),
                *notes,
            ]
        )

    def _repr_html_(self) -> str:
        return html_table(self)


def matrix(title: str, names: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    """Return a square of cells, the first name's in the first row and in the first column."""
    rows = [[name, *row] for name, row in zip(names, cells, strict=True)]
    return Table(title, [Column("", NAME), *names], rows, matrix=True)


def html_table(table: Table) -> str:
    """Return a table as HTML that needs no style sheet."""
    head, *body = table.cells()
    sides = ["left"] * table.left + ["right"] * (len(head) - table.left)

    def row(cells: Sequence[str], tag: str) -> str:
        listed = zip(cells, sides, strict=True)
        return "<tr>{}</tr>".format(
            "".join(
                f'<{tag} style="text-align: {side}">{escape(text)}</{tag}>' for text, side in listed
            )
        )

    notes = "".join(f"\n<p>{escape(note.signature + note.text)}</p>" for note in table.notes)
    if not table.columns:
        return notes.lstrip()
    caption = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    rows = "\n".join([row(head, "th"), *(row(cells, "td") for cells in body)])
    return f"<table>\n{caption}{rows}\n</table>{notes}"


def _note_lines(note: Note) -> list[str]:
    return [note.signature + note.text] if note.signature else wrapped(note.text, PAGE)


def _value(record: object, name: str) -> Any:
    return record[name] if isinstance(record, Mapping) else getattr(record, name)
