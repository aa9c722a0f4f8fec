"""The edits between two dependency trees as a table with its sums. [TH] table 4.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.dependency_tree_edit import EditModel
from kilter.render.chart.drawing import AXIS, INK, SIZE, Drawing
from kilter.render.chart.text_box import text_length
from kilter.render.markup import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.edit_table import EditedWord, EditRow, EditTable

HEADINGS = ("edit", "hypothesis", "relation", "reference", "relation", "linked", "cost")
_MARGIN = 12.0
_GAP = 22.0
_ROW = 22.0
_RULE = 1.2
_NUMBERS = frozenset({6})
_HEAVY = "#b34700"


def edit_table_picture(table: EditTable, *, title: str = "Edits between the trees") -> str:
    """Return the table as SVG: an edit in each row, and below what they add up to.

    Edits that cost something are bold and in colour.
    """
    drawing = Drawing()
    width, height = draw_table(
        drawing,
        (_MARGIN, _MARGIN),
        HEADINGS,
        [edit_cells(row) for row in table.rows],
        table_sums(table),
        heavy=[row.cost > 0 for row in table.rows],
        numbers=_NUMBERS,
    )
    return drawing.document(
        width + 2 * _MARGIN, height + 2 * _MARGIN, title=title, description=_description(table)
    )


def edit_cells(row: EditRow) -> tuple[str, ...]:
    """Return an edit as the texts of its row; a dash where there is no word."""
    return (
        str(row.kind),
        *_word_cells(row.hypothesis),
        *_word_cells(row.reference),
        "yes" if row.aligned else "no",
        str(row.cost),
    )


def _word_cells(word: EditedWord | None) -> tuple[str, str]:
    return ("-", "-") if word is None else (word.text, word.relation)


def table_sums(table: EditTable) -> list[tuple[str, str]]:
    """Return what the costs add up to, by name."""
    sums = [("distance", str(table.distance))]
    if table.model in (EditModel.OPERATION, EditModel.NODE):
        sums = [
            ("dist_a: linked words", str(table.aligned_distance)),
            ("dist_na: other words", str(table.unaligned_distance)),
        ]
    return sums


def _description(table: EditTable) -> str:
    told = [f"{counted(len(table.rows), 'edit')}."]
    for row in table.rows:
        words = [word.text for word in (row.hypothesis, row.reference) if word]
        told.append(f"{row.kind} {' to '.join(words)}: {row.cost}.")
    told += [f"{name}: {value}." for name, value in table_sums(table)]
    return " ".join(told)


def draw_table(
    drawing: Drawing,
    corner: tuple[float, float],
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    sums: Sequence[tuple[str, str]],
    *,
    heavy: Sequence[bool],
    numbers: frozenset[int],
    heavy_colour: str = _HEAVY,
) -> tuple[float, float]:
    """Draw a table from its upper left corner, heavy rows bold; return its width and height."""
    left, top = corner
    widths = [
        max(text_length(visible(text), SIZE, bold=True) for text in column)
        for column in zip(headings, *rows, strict=True)
    ]
    starts = [left + sum(widths[:place]) + _GAP * place for place in range(len(widths))]
    right = starts[-1] + widths[-1]
    named = max((text_length(name, SIZE) for name, _ in sums), default=0.0)
    counted_width = max((text_length(value, SIZE, bold=True) for _, value in sums), default=0.0)
    right = max(right, left + named + _GAP + counted_width)

    def write(row: Sequence[str], base: float, *, bold: bool, colour: str) -> None:
        for place, text in enumerate(row):
            last = place in numbers
            end = right if place == len(row) - 1 else starts[place] + widths[place]
            x = end if last else starts[place]
            drawing.text(
                (x, base), text, bold=bold, colour=colour, anchor="end" if last else "start"
            )

    base = top + SIZE
    write(headings, base, bold=False, colour=AXIS)
    drawing.line((left, base + 7), (right, base + 7), colour=INK, width=_RULE)
    for row, bold in zip(rows, heavy, strict=True):
        base += _ROW
        write(row, base + 2, bold=bold, colour=heavy_colour if bold else INK)
    drawing.line((left, base + 9), (right, base + 9), colour=INK, width=_RULE)
    for name, value in sums:
        base += _ROW
        drawing.text((left, base + 4), name)
        drawing.text((right, base + 4), value, bold=True, anchor="end")
    return right - left, base + 10 - top
