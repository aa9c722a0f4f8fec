"""What a row of a chart shows: bars, dots with intervals, shares, histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kilter.render.chart.drawing import AXIS, INK, SMALL, style
from kilter.render.chart.text_box import text_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.render.chart.drawing import Drawing, Style
    from kilter.render.chart.frame import Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A value as a marker, with an interval if there is one, and further values as small strokes."""

    value: float
    low: float | None = None
    high: float | None = None
    strokes: Sequence[float] = ()
    text: str

    height = 18.0

    @property
    def reach(self) -> Sequence[float]:
        """The value, the interval and the strokes."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return [self.value, *ends, *self.strokes]

    def draw(self, drawing: Drawing, scale: Scale, middle: float, look: Style) -> None:
        """Draw the interval as a line with ends, and the marker on it."""
        if self.low is not None and self.high is not None:
            start, end = scale(self.low), scale(self.high)
            drawing.line((start, middle), (end, middle), colour=look.colour, width=2)
            for at in (start, end):
                drawing.line((at, middle - 4), (at, middle + 4), colour=look.colour, width=1.5)
        for at in map(scale, self.strokes):
            drawing.line((at, middle - 5), (at, middle + 5), colour=look.colour, width=1.2)
        drawing.marker(look.marker, (scale(self.value), middle), colour=look.colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The values of several series on one line, each with the marker of its series; None leaves one out."""

    values: Sequence[float | None]
    text: str

    height = 18.0

    @property
    def reach(self) -> Sequence[float]:
        """The values."""
        return [value for value in self.values if value is not None]

    def draw(self, drawing: Drawing, scale: Scale, middle: float, look: Style) -> None:
        """Draw a thin line from the smallest to the largest value, and the markers on it, seen through one another."""
        del look  # every value has its own
        ends = [(scale(end), middle) for end in (min(self.reach), max(self.reach))]
        drawing.line(ends[0], ends[1], colour=AXIS)
        for number, value in enumerate(self.values):
            if value is not None:
                own = style(number)
                drawing.marker(
                    own.marker,
                    (scale(value), middle),
                    colour=own.colour,
                    radius=5.0 if number else 3.5,
                    inside="none",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A value as a bar from 0; `least` is a second value as a stroke across it."""

    value: float
    least: float | None = None
    text: str

    height = 16.0

    @property
    def reach(self) -> Sequence[float]:
        """0, the value and the stroke."""
        return [0.0, self.value, *([] if self.least is None else [self.least])]

    def draw(self, drawing: Drawing, scale: Scale, middle: float, look: Style) -> None:
        """Draw the bar, and the stroke in black on white, seen on any hatching."""
        start, end = sorted((scale(0.0), scale(self.value)))
        drawing.hatched_box(
            (start, middle - 6), (end - start, 12), colour=look.colour, hatch=look.hatch
        )
        if self.least is not None:
            at = scale(self.least)
            drawing.line((at, middle - 8), (at, middle + 8), colour="#fff", width=3.5)
            drawing.line((at, middle - 8), (at, middle + 8), colour=INK, width=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Shares one after another, from the worst level to the best."""

    shares: Sequence[float]
    text: str

    height = 18.0

    @property
    def reach(self) -> Sequence[float]:
        """All of it."""
        return [0.0, 1.0]

    def draw(self, drawing: Drawing, scale: Scale, middle: float, look: Style) -> None:
        """Draw the shares, with their percentages where these fit; shades run from dark to light."""
        del look  # levels differ, not series
        below = 0.0
        for place, share in enumerate(self.shares):
            start, end = scale(below), scale(min(1.0, below + share))
            below += share
            if share <= 0.0:
                continue
            level = shade_of(place, len(self.shares))
            drawing.box((start, middle - 8), (end - start, 16), fill=level.fill, stroke=INK)
            percent = f"{100 * share:.0f}"
            if text_length(percent, SMALL) + 4 <= end - start:
                drawing.text(
                    ((start + end) / 2, middle + 4.5),
                    percent,
                    size=SMALL,
                    anchor="middle",
                    colour=level.ink,
                )


@dataclass(frozen=True, slots=True)
class Shade:
    """A fill and the colour of text on it."""

    fill: str
    ink: str


def shade_of(place: int, count: int) -> Shade:
    """Return the shade of a level by its place, from 0: dark blue for the first, white for the last.

    >>> shade_of(0, 5).ink, shade_of(4, 5).fill
    ('#fff', '#ffffff')
    """
    return shade(1.0 - place / max(1, count - 1))


def shade(darkness: float) -> Shade:
    """Return a shade between white, 0, and a dark blue, 1."""
    channels = (round(255 + (dark - 255) * darkness) for dark in (8, 48, 107))
    return Shade("#" + "".join(f"{channel:02x}" for channel in channels), _ink(darkness))


def _ink(darkness: float) -> str:
    return "#fff" if darkness > 0.5 else INK


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How many values lie between each two edges, and the middle one."""

    edges: Sequence[float]
    counts: Sequence[int]
    median: float
    tall: float = 24.0
    text: str

    @property
    def height(self) -> float:
        """The columns, and the triangle below."""
        return self.tall + 12

    @property
    def reach(self) -> Sequence[float]:
        """The first and the last edge."""
        return [self.edges[0], self.edges[-1]]

    def draw(self, drawing: Drawing, scale: Scale, middle: float, look: Style) -> None:
        """Draw columns on a line, the most frequent `tall`, and a triangle below the median."""
        base, most = middle + self.tall / 2 - 3, max(self.counts)
        for place, count in enumerate(self.counts):
            start, end = scale(self.edges[place]), scale(self.edges[place + 1])
            tall = self.tall * count / most
            if count:
                drawing.box(
                    (start, base - tall), (end - start, tall), fill=look.colour, stroke="#fff"
                )
        drawing.line((scale(self.edges[0]), base), (scale(self.edges[-1]), base), colour=AXIS)
        drawing.marker("triangle", (scale(self.median), base + 4), colour=INK, radius=3)


Mark: TypeAlias = Dot | Points | Bar | Stack | Histogram
"""One value of a row, or several that belong together: `text` says them in numbers, `reach` is what the
scale must cover, and `draw` draws them around a height."""
