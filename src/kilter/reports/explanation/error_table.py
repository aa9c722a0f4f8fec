"""The order errors of a segment as a table: the words, where they belong, what each costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.markup import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.structures.result.order_error import OrderError, SegmentErrors


def error_headings(found: SegmentErrors) -> list[str]:
    """Return the headings of the columns, one for the cost in each metric."""
    metrics = [*found.errors[0].cost] if found.errors else []
    return ["error", "words", "belongs", *(f"costs {name}" for name in metrics), "share"]


def error_numbers(found: SegmentErrors) -> set[int]:
    """Return which columns hold numbers."""
    return {*range(3, len(error_headings(found)))}


def error_cells(error: OrderError, words: Sequence[str], *, coarse: bool = False) -> list[str]:
    """Return an error as the texts of its row; `words` are those of the hypothesis."""
    return [
        str(error.kind),
        " ".join(visible(words[place]) for place in error.words),
        _rearranged_text(error) if coarse else belongs_text(error, words),
        # Sums of many parts: what is left of a zero is no cost.
        *(f"{round(cost, 12):.6g}" for cost in error.cost.values()),
        f"{error.share:.0%}",
    ]


def belongs_text(error: OrderError, words: Sequence[str]) -> str:
    """Return where the words of an error belong, in words."""
    moved = " ".join(visible(words[place]) for place in error.moved)
    where = "at the end"
    if error.belongs_before < len(words):
        where = f'before "{visible(words[error.belongs_before])}"'
    return f'"{moved}" {where}, {counted(error.distance, "word")} to the {error.direction}'


def _rearranged_text(error: OrderError) -> str:
    """Return where the words of a coarse error belong."""
    return f"in another order, up to {counted(error.distance, 'word')} away"


def size_text(found: SegmentErrors) -> str:
    """Return how many moves restore the order, and whether fewer could."""
    count = counted(found.moves, "move")
    verb = "restores" if found.moves == 1 else "restore"
    if found.exact:
        return f"{count} {verb} the order; no fewer do"
    return f"{count} {verb} the order; {found.lower} at least are needed"
