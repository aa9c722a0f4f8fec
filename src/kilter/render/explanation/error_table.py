"""The order errors of a segment as a table: the words, where they belong, what each costs."""

from __future__ import annotations

from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.dependency_tree_edit import EditModel
from kilter.core.markup import isolated, visible
from kilter.render.chart.drawing import AXIS, INK, SIZE, Drawing
from kilter.render.chart.text_box import text_length
from kilter.results.explanation import Direction, ErrorKind, left_out_note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.core.dependency_tree_edit import EditedWord, EditRow, EditTable
    from kilter.results.explanation import Explanation, OrderError, RepairStep, SegmentErrors

MOST_STEPS = 20
"""Steps of a repair that are shown, each with the whole sentence; `Explanation.repair` has all."""
MISSING = "missing"
"""What stands for a score that there is not."""
ROUNDING = 1e-12
"""Sums of many parts: what is left of a zero."""


def steps_left(repair: Sequence[RepairStep]) -> str:
    """Return how many steps of a repair are not shown, in words; nothing where all are."""
    left = len(repair) - 1 - MOST_STEPS
    return f"and {counted(left, 'step')} more" if left > 0 else ""


MOST_ERRORS = 20
"""Errors that are shown at once."""


def errors_left(found: SegmentErrors) -> str:
    """Return how many errors are not shown at once, in words; nothing where all are."""
    left = len(found.errors) - MOST_ERRORS
    return f"and {counted(left, 'error')} more" if left > 0 else ""


def loss_text(explanation: Explanation) -> str:
    """Return what the score lacks of its best, and by what, in words; nothing where it lacks nothing."""
    found = explanation.errors
    count, words = len(explanation.unlinked_reference), len(explanation.reference)
    have = "has" if count == 1 else "have"
    missing = f"{count} of {counted(words, 'word')} of the reference"
    parts = [] if found is None or not explanation.links else [
        (found.loss, "order"),
        (found.crossed_loss, "equal words that are linked crosswise"),
        (found.missing_loss, f"{missing}, which {have} no counterpart"),
    ]  # fmt: skip
    told = [f"{loss:.6g} by {why}" for loss, why in parts if loss > ROUNDING]
    score = None if found is None else explanation.metrics.get(found.metric)
    if found is None or not told or (score is not None and isnan(score.score)):
        return f"{missing} {have} no counterpart" if count else ""
    whole = f"{sum(loss for loss, _ in parts):.6g}: " if len(told) > 1 else ""
    return f"{found.metric} loses {whole}{', '.join(told)}"


def below_text(found: SegmentErrors) -> str:
    """Return why a cost is less than 0, where one is."""
    if all(cost > -ROUNDING for error in found.errors for cost in error.cost.values()):
        return ""
    return (
        "a cost below 0: the score would fall if this error alone were repaired, because others are still out "
        "of place"
    )


def error_headings(found: SegmentErrors) -> list[str]:
    """Return the headings of the columns, one for the cost in each metric."""
    metrics = [*found.errors[0].cost] if found.errors else []
    return [
        "error",
        "words",
        "belongs",
        *(f"costs {name}" for name in metrics),
        f"share ({found.metric})",
        "certainty",
    ]


def error_numbers(found: SegmentErrors) -> set[int]:
    """Return which columns hold numbers."""
    return {*range(3, len(error_headings(found)))}


def error_cells(
    error: OrderError, words: Sequence[str], misplaced: Collection[int] = ()
) -> list[str]:
    """Return an error as the texts of its row; `words` are those of the hypothesis."""
    return [
        str(error.kind),
        _phrase(error.words, words),
        belongs_text(error, words, misplaced),
        *(f"{round(cost, 12):.6g}" for cost in error.cost.values()),
        f"{error.share:.0%}",
        f"{error.certainty:.2f}",
    ]


def short_error_text(
    error: OrderError, words: Sequence[str], misplaced: Collection[int] = ()
) -> str:
    """Return an error in a line: where its words belong, and what that costs by the first metric."""
    if error.kind is ErrorKind.COMPLEX:
        where = f'"{_phrase(error.words, words)}" belongs {belongs_text(error, words, misplaced)}'
    else:
        where = f'"{_phrase(error.moved, words)}" belongs {_where(error, words, misplaced)}'
    costs = [f"costs {cost:.2f} {name}" for name, cost in [*error.cost.items()][:1]]
    doubt = [] if error.likely else ["doubtful"]
    return f"{where} ({', '.join(costs + doubt)})" if costs or doubt else where


def belongs_text(error: OrderError, words: Sequence[str], misplaced: Collection[int] = ()) -> str:
    """Return where the words of an error belong, in words; `misplaced` are those that any error moves."""
    if error.kind is ErrorKind.COMPLEX:
        return f"in another order, up to {counted(error.distance, 'linked word')} away"
    return f'"{_phrase(error.moved, words)}" {_where(error, words, misplaced)}'


def _where(error: OrderError, words: Sequence[str], misplaced: Collection[int]) -> str:
    where = "at the end"
    if error.belongs_before < len(words):
        where = f'before "{isolated(visible(words[error.belongs_before]))}"'
        if error.belongs_before in misplaced:
            where += " (also moved)"
    # Words of Arabic and Hebrew run to the left: neither side is the one for all.
    turn = "earlier" if error.direction is Direction.LEFT else "later"
    way = f"{counted(error.distance, 'linked word')} {turn}"
    return f"{where}, {way}"


def _phrase(places: Sequence[int], words: Sequence[str]) -> str:
    """Return words of a text, with dots where others stand between them."""
    parts = [visible(words[places[0]])]
    for before, place in pairwise(places):
        parts.append(" " if place == before + 1 else " … ")
        parts.append(visible(words[place]))
    return isolated("".join(parts))


def size_text(found: SegmentErrors) -> str:
    """Return how many moves restore the order, and whether fewer could."""
    count = counted(found.moves, "move")
    verb = "restores" if found.moves == 1 else "restore"
    least = " (the minimum)" if found.exact else f"; at least {found.lower} are needed"
    every = len(found.errors) + found.left_out
    tangled = "" if every == found.moves else "; those that share words are one error"
    return f"{count} {verb} the order{least}{tangled}"


def left_out_text(found: SegmentErrors) -> str:
    """Return how many errors are not shown because they are doubtful; nothing where there are none."""
    return left_out_note(found.left_out) if found.left_out else ""


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
