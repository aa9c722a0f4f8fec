"""Answers on a page: what is clear, and what somebody has to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.study.paper.scan.mark import BoxMark, has_writing, measure
from kilter.study.paper.scan.registration import POINTS_PER_MM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.study.paper.form import Box, Field, Form
    from kilter.study.paper.scan.mark import BoxMeasure
    from kilter.study.paper.scan.registration import FlatPage
    from kilter.study.paper.scan.sheet import Image

Key = tuple[int, str]
"""Position of an item in its questionnaire, from 1, or 0 for what is about the participant; and a question."""

_SHOWN_BESIDE = 40 * POINTS_PER_MM
_SHOWN_ABOVE = 5 * POINTS_PER_MM


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one picture of a page says about one question.

    `value` None is a question without an answer. `doubt` says why somebody has to look; then there is no
    value.
    """

    scan: str
    value: int | None
    doubt: str
    picture: Image

    @property
    def is_clear(self) -> bool:
        """Whether nobody has to look."""
        return not self.doubt


def read_page(page: FlatPage, form: Form, number: int) -> dict[Key, Reading]:
    """Return the answers on a page of a questionnaire."""
    rows: dict[Key, list[Box]] = {}
    for box in form.boxes:
        if box.page == number:
            rows.setdefault((box.position, box.question), []).append(box)
    readings = {key: _read_boxes(page, boxes) for key, boxes in rows.items()}
    for place in form.fields:
        if place.page == number:
            readings[place.position, place.question] = _read_field(page, place)
    return readings


def _read_boxes(page: FlatPage, boxes: Sequence[Box]) -> Reading:
    value, doubt = decide({box.value: measure(page, box) for box in boxes})
    left, right = min(box.x for box in boxes), max(box.x + box.size for box in boxes)
    low, high = min(box.y for box in boxes), max(box.y + box.size for box in boxes)
    return Reading(page.name, value, doubt, _shown(page, left, low, right - left, high - low))


def decide(boxes: dict[int, BoxMeasure]) -> tuple[int | None, str]:
    """Return the value of the one marked box, None if there is no mark, or the reason for a doubt.

    A filled box takes an answer back, so that it counts only beside a marked one.
    """
    marks = {value: box.mark for value, box in boxes.items()}
    by_mark = {mark: [value for value in marks if marks[value] is mark] for mark in BoxMark}
    marked, filled = by_mark[BoxMark.MARKED], by_mark[BoxMark.FILLED]
    if by_mark[BoxMark.DOUBTFUL]:
        return None, f"unclear: {_listed(by_mark[BoxMark.DOUBTFUL])}"
    if len(marked) > 1:
        return None, f"several are marked: {_listed(marked)}"
    if filled and not marked:
        return None, f"filled, and none is marked: {_listed(filled)}"
    beside = [value for value in by_mark[BoxMark.EMPTY] if boxes[value].has_strokes_beside]
    if beside:
        return None, f"something is written beside: {_listed(beside)}"
    return (marked[0] if marked else None), ""


def _read_field(page: FlatPage, place: Field) -> Reading:
    doubt = "written by hand" if has_writing(page, place) else ""
    return Reading(
        page.name, None, doubt, _shown(page, place.x, place.y, place.width, place.height)
    )


def _shown(page: FlatPage, x: float, y: float, width: float, height: float) -> Image:
    """Return a picture for people: the boxes with their labels."""
    return np.ascontiguousarray(
        page.rectangle(x - _SHOWN_BESIDE, y, width + 2 * _SHOWN_BESIDE, height, around=_SHOWN_ABOVE)
    )


def joined(readings: Sequence[Reading]) -> Reading:
    """Return what several pictures of one page say together; a contradiction is a doubt."""
    clear = {reading.value: reading for reading in readings if reading.is_clear}
    if not clear:
        return readings[0]
    first = next(iter(clear.values()))
    if len(clear) == 1:
        return first
    said = (
        f"{'nothing' if reading.value is None else reading.value} in {reading.scan}"
        for reading in clear.values()
    )
    return Reading(first.scan, None, f"pictures differ: {', '.join(said)}", first.picture)


def _listed(values: Iterable[int]) -> str:
    return f"box {', '.join(map(str, values))}"
