"""The order errors of a segment as a table: the words, where they belong, what each costs."""

from __future__ import annotations

from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.markup import isolated, visible
from kilter.results.order_error import Direction, ErrorKind, left_out_note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.results.explanation import Explanation, RepairStep
    from kilter.results.order_error import OrderError, SegmentErrors

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


def belongs_text(error: OrderError, words: Sequence[str], misplaced: Collection[int] = ()) -> str:
    """Return where the words of an error belong, in words; `misplaced` are those that any error moves."""
    if error.kind is ErrorKind.COMPLEX:
        return f"in another order, up to {counted(error.distance, 'linked word')} away"
    where = "at the end"
    if error.belongs_before < len(words):
        where = f'before "{isolated(visible(words[error.belongs_before]))}"'
        if error.belongs_before in misplaced:
            where += " (which moves, too)"
    # Words of Arabic and Hebrew run to the left: neither side is the one for all.
    turn = "earlier" if error.direction is Direction.LEFT else "later"
    way = f"{counted(error.distance, 'linked word')} {turn}"
    return f'"{_phrase(error.moved, words)}" {where}, {way}'


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
    least = "no fewer do" if found.exact else f"{found.lower} at least are needed"
    every = len(found.errors) + found.left_out
    tangled = "" if every == found.moves else "; those that share words are one error"
    return f"{count} {verb} the order; {least}{tangled}"


def left_out_text(found: SegmentErrors) -> str:
    """Return how many errors are not shown because they are doubtful; nothing where there are none."""
    return left_out_note(found.left_out) if found.left_out else ""
