"""Pictures of how a study went so far: people and answered items over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.study.store.study_course import StudyCourse


def course_pictures(course: StudyCourse, tell: Callable[[str], str]) -> tuple[str, str]:
    """Return two pictures as SVG, people and answered items over time, with texts that `tell` finds by name."""
    people = [_curve(tell(name), getattr(course, name)) for name in ("started", "submitted")]
    items = [_curve(tell("items_answered"), course.answered)]
    return (
        _picture(people, tell("course_people"), tell("participants"), course, tell),
        _picture(items, tell("course_items"), tell("items_answered"), course, tell),
    )


def _curve(name: str, values: Sequence[int]) -> Curve:
    return Curve(name=name, points=[(float(at), float(n)) for at, n in enumerate(values)])


def _picture(
    curves: Sequence[Curve],
    title: str,
    upward: str,
    course: StudyCourse,
    tell: Callable[[str], str],
) -> str:
    return curve_chart(
        curves,
        caption=Caption(title=title),
        x=tell("course_time"),
        y=upward,
        labels=course.labels,
        reach=[0.0],
    )
