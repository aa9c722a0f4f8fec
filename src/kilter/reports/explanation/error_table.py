"""The order errors of a segment as a table: the words, where they belong, what each costs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.markup import visible
from kilter.structures.result.order_error import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.structures.result.explanation import Explanation, RepairStep
    from kilter.structures.result.order_error import OrderError, SegmentErrors

MOST_STEPS = 20
"""Steps of a repair that are shown, each with the whole sentence; `Explanation.repair` has all."""


def steps_left(repair: Sequence[RepairStep]) -> str:
    """Return how many steps of a repair are not shown, in words; nothing where all are."""
    left = len(repair) - 1 - MOST_STEPS
    return f"and {counted(left, 'step')} more" if left > 0 else ""


def missing_text(explanation: Explanation) -> str:
    """Return what is lost beside order, in words: words of the reference without counterpart; or nothing."""
    count, words = len(explanation.unlinked_reference), len(explanation.reference)
    if not count:
        return ""
    have = "has" if count == 1 else "have"
    told = f"{count} of {counted(words, 'word')} of the reference {have} no counterpart"
    ordered = explanation.errors is not None and not explanation.errors.errors
    if ordered and explanation.links:
        return f"{told}: this, and not the order, lowers the scores"
    return f"{told}, which lowers scores beside what is out of order" if explanation.links else told


def error_headings(found: SegmentErrors) -> list[str]:
    """Return the headings of the columns, one for the cost in each metric."""
    metrics = [*found.errors[0].cost] if found.errors else []
    return ["error", "words", "belongs", *(f"costs {name}" for name in metrics), "share"]


def error_numbers(found: SegmentErrors) -> set[int]:
    """Return which columns hold numbers."""
    return {*range(3, len(error_headings(found)))}


def error_cells(error: OrderError, words: Sequence[str]) -> list[str]:
    """Return an error as the texts of its row; `words` are those of the hypothesis."""
    return [
        str(error.kind),
        _phrase(error.words, words),
        belongs_text(error, words),
        # Sums of many parts: what is left of a zero is no cost.
        *(f"{round(cost, 12):.6g}" for cost in error.cost.values()),
        f"{error.share:.0%}",
    ]


def belongs_text(error: OrderError, words: Sequence[str]) -> str:
    """Return where the words of an error belong, in words."""
    if error.kind is ErrorKind.COMPLEX:
        return f"in another order, up to {counted(error.distance, 'linked word')} away"
    where = "at the end"
    if error.belongs_before < len(words):
        where = f'before "{visible(words[error.belongs_before])}"'
    way = f"{counted(error.distance, 'linked word')} to the {error.direction}"
    return f'"{_phrase(error.moved, words)}" {where}, {way}'


def _phrase(places: Sequence[int], words: Sequence[str]) -> str:
    """Return words of a text, with dots where others stand between them."""
    parts = [visible(words[places[0]])]
    for before, place in pairwise(places):
        parts.append(" " if place == before + 1 else " … ")
        parts.append(visible(words[place]))
    return "".join(parts)


def size_text(found: SegmentErrors) -> str:
    """Return how many moves restore the order, and whether fewer could."""
    count = counted(found.moves, "move")
    verb = "restores" if found.moves == 1 else "restore"
    least = "no fewer do" if found.exact else f"{found.lower} at least are needed"
    tangled = "" if len(found.errors) == found.moves else "; those that share words are one error"
    return f"{count} {verb} the order; {least}{tangled}"
