"""Charts as SVG: values with intervals, lines and points in a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.markup import visible
from kilter.render.chart.drawing import AXIS, FAINT, LINE, SIZE, Drawing, style, widest
from kilter.render.chart.frame import (
    MARGIN,
    WIDTH,
    Caption,
    Key,
    LogScale,
    Scale,
    bounds,
    finish,
    head,
    tick_label,
)
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, axis_label, row_chart, tick_labels
from kilter.render.chart.text_box import broken_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.render.chart.drawing import Style

_PLOT = 320.0
# More markers on a line than this hide it.
_MOST_MARKERS = 60
_LONGEST_LABEL = 200.0
# Room for markers at the first and the last place.
_INSET = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Points of one series: joined by a line unless not `joined`, with intervals if there are any."""

    name: str
    points: Sequence[tuple[float, float]]
    intervals: Sequence[tuple[float, float]] = ()
    joined: bool = True
    marked: bool = True
    sizes: Sequence[float] = ()
    aside: float = 0.0
    """How far right of their places points are drawn, so that intervals do not hide one another."""


def interval_chart(rows: Sequence[tuple[str, float, float, float]], *, title: str) -> str:
    """Return a picture of values with their intervals: label, value, low, high, one row each.

    >>> "<svg" in interval_chart([("pef", 0.2, 0.1, 0.3)], title="tau")
    True
    """
    dots = [
        Row(
            label,
            [Dot(value=value, low=low, high=high, text=f"{value:.4f} [{low:.4f}, {high:.4f}]")],
        )
        for label, value, low, high in rows
    ]
    return row_chart([RowGroup("", dots)], caption=Caption(title=title), axis=title)


def line_chart(
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    x: str,
    y: str,
    labels: Sequence[str] = (),
) -> str:
    """Return a picture of lines by name; `labels` name the places 0, 1, ... of the horizontal axis.

    >>> "<polyline" in line_chart({"pef": [(0.0, 1.0), (1.0, 2.0)]}, title="t", x="beta", y="tau")
    True
    """
    curves = [Curve(name=name, points=points) for name, points in series.items()]
    return curve_chart(curves, caption=Caption(title=title), x=x, y=y, labels=labels)


def curve_chart(
    curves: Sequence[Curve],
    *,
    caption: Caption,
    x: str,
    y: str,
    labels: Sequence[str] = (),
    reach: Sequence[float] = (),
    rule: float | None = None,
    log: bool = False,
) -> str:
    """Return a picture of curves.

    The vertical scale covers all values and `reach`, in powers of ten if `log`; `rule` is a value at which
    a dashed line stands.
    """
    drawing = Drawing()
    keys = [
        Key(curve.name, shape=_shape(curve), look=style(number))
        for number, curve in enumerate(curves)
    ]
    top = head(drawing, caption, keys) + 4
    covered = [*reach, *([] if rule is None else [rule])]
    frame = _Frame(curves, top, y=y, labels=labels, reach=covered, log=log)
    bottom = frame.draw(drawing, x, labels)
    if rule is not None:
        at = frame.upward(rule)
        drawing.line((frame.left, at), (frame.right, at), colour=AXIS, width=1.5, dash="5 3")
    for number, curve in enumerate(curves):
        frame.curve(drawing, curve, style(number))
    return finish(drawing, bottom, caption, _described(curves, x, y, labels))


class _Frame:
    """The two scales of a plane, from the values and the lengths of their numbers."""

    def __init__(
        self,
        curves: Sequence[Curve],
        top: float,
        *,
        y: str,
        labels: Sequence[str],
        reach: Sequence[float],
        log: bool,
    ) -> None:
        points = [point for curve in curves for point in curve.points]
        ends = [end for curve in curves for interval in curve.intervals for end in interval]
        low, high = bounds([*(value for _, value in points), *ends, *reach])
        self.top, self.bottom = top, top + _PLOT
        self.upward = (LogScale if log else Scale)(low, high, self.bottom, top)
        numbers = widest([tick_label(tick) for tick in self.upward.ticks], most=_LONGEST_LABEL)
        self.upright = broken_lines(visible(y), SIZE, _PLOT)
        self.left = MARGIN + SIZE * LINE * len(self.upright) + numbers + 12
        self.right = WIDTH - MARGIN
        places = (-0.5, len(labels) - 0.5) if labels else bounds([at for at, _ in points])
        inside = (self.left + _INSET, self.right - _INSET)
        self.across = Scale(*places, *inside, margin=not labels)

    def draw(self, drawing: Drawing, x: str, labels: Sequence[str]) -> float:
        """Draw grid, axes and their labels; return where notes may begin."""
        left, right = self.left, self.right
        for tick in self.upward.ticks:
            at = self.upward(tick)
            drawing.line((left, at), (right, at), colour=FAINT)
            drawing.text((left - 8, at + SIZE * 0.35), tick_label(tick), anchor="end")
        for at in map(self.across, range(len(labels)) if labels else self.across.ticks):
            drawing.line((at, self.top), (at, self.bottom), colour=FAINT)
        drawing.line((left, self.bottom), (right, self.bottom), colour=AXIS)
        below = self._names(drawing, labels) if labels else SIZE + 8
        if not labels:
            tick_labels(drawing, self.across, self.bottom + SIZE + 4)
        height = axis_label(drawing, self.across, self.bottom + below, x)
        middle = (self.top + self.bottom) / 2
        for number, line in enumerate(self.upright):
            at = MARGIN + SIZE * (LINE * number + 0.7)
            drawing.text((at, middle), line, anchor="middle", upward=True)
        return self.bottom + below + height + 6

    def _names(self, drawing: Drawing, labels: Sequence[str]) -> float:
        """Write names below their places: across where they fit, else upwards; return their height."""
        room = (self.across.end - self.across.start) / len(labels) - 6
        if widest(labels, most=WIDTH) <= room:
            for place, label in enumerate(labels):
                at = self.across(place)
                drawing.text((at, self.bottom + SIZE + 4), label, anchor="middle")
            return SIZE + 8
        long = widest(labels, most=WIDTH)
        every = 1 + int(SIZE * LINE // (room + 6))
        for place, label in list(enumerate(labels))[::every]:
            base = (self.across(place) + SIZE * 0.35, self.bottom + 6)
            drawing.text(base, label, anchor="end", upward=True)
        return long + 10

    def curve(self, drawing: Drawing, curve: Curve, look: Style) -> None:
        """Draw one series."""
        places = [(self.across(at) + curve.aside, self.upward(value)) for at, value in curve.points]
        if curve.joined:
            drawing.polyline(places, colour=look.colour, dash=look.dash)
        for (at, _), (low, high) in zip(places, curve.intervals, strict=False):
            start, end = self.upward(low), self.upward(high)
            drawing.line((at, start), (at, end), colour=look.colour, width=1.5)
            for edge in (start, end):
                drawing.line((at - 4, edge), (at + 4, edge), colour=look.colour, width=1.5)
        if curve.marked:
            every = 1 + len(places) // _MOST_MARKERS if curve.joined else 1
            sizes = list(curve.sizes) or [4.0] * len(places)
            for place, size in list(zip(places, sizes, strict=True))[::every]:
                drawing.marker(look.marker, place, colour=look.colour, radius=size)


def _shape(curve: Curve) -> str:
    if not curve.joined:
        return "marker"
    return "curve" if curve.marked else "line"


def _described(curves: Sequence[Curve], x: str, y: str, labels: Sequence[str]) -> Iterator[str]:
    yield f"{y} by {x}"
    for curve in curves:
        points = [
            f"{labels[round(at)] if labels else tick_label(at)}: {tick_label(value)}"
            for at, value in curve.points
        ]
        yield f"{curve.name}: {', '.join(points)}"
