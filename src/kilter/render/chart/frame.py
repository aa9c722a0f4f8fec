"""What every figure has around it: title, mark of simulated data, legend, notes, description."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from kilter.core.markup import visible
from kilter.render.chart.drawing import INK, LINE, SIZE, SMALL, TITLE, Drawing, Style
from kilter.render.chart.text_box import text_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.stats.undefined import Undefined

WIDTH = 720.0
MARGIN = 20.0
ROOM = WIDTH - 2 * MARGIN
"""How wide texts can be."""
SIMULATED = "SIMULATED DATA"
_SYMBOL = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """The words around a figure: title above, notes below; simulated data is marked as such."""

    title: str
    notes: Sequence[str] = ()
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of the legend: `marker`, `line`, `curve` (both), `box`, `shade` or `stroke` of a look."""

    name: str
    shape: str
    look: Style

    @property
    def room(self) -> float:
        """How much of a line it takes."""
        return min(_SYMBOL + 8 + text_length(visible(self.name), SIZE), ROOM)


def head(drawing: Drawing, caption: Caption, keys: Sequence[Key] = ()) -> float:
    """Draw title, mark and legend; return where the plot may begin."""
    y = 10.0
    y += drawing.paragraph((MARGIN, y), caption.title, room=ROOM, size=TITLE, bold=True)
    if caption.simulated:
        length = text_length(SIMULATED, SIZE, bold=True) + 16
        drawing.box((MARGIN, y + 3), (length, SIZE * 1.6), stroke=INK)
        drawing.text((MARGIN + 8, y + 3 + SIZE * 1.18), SIMULATED, bold=True)
        y += SIZE * 1.6 + 6
    if keys:
        y = _legend(drawing, keys, y + 4)
    return y + 8


def _legend(drawing: Drawing, keys: Sequence[Key], top: float) -> float:
    """Draw the entries of a legend from left to right, in as many lines as they need."""
    x, y = MARGIN, top
    below = y
    for key in keys:
        if x > MARGIN and x + key.room > WIDTH - MARGIN:
            x, y = MARGIN, below + 2
        _symbol(drawing, key, x, y + SIZE * 0.65)
        height = drawing.paragraph(
            (x + _SYMBOL + 8, y), key.name, room=WIDTH - MARGIN - x - _SYMBOL - 8
        )
        below = max(below, y + height)
        x += key.room + 18
    return below


def _symbol(drawing: Drawing, key: Key, x: float, y: float) -> None:
    look, end = key.look, x + _SYMBOL
    if key.shape == "box":
        drawing.hatched_box((x + 4, y - 6), (_SYMBOL - 8, 12), colour=look.colour, hatch=look.hatch)
    elif key.shape == "shade":
        drawing.box((x + 4, y - 6), (_SYMBOL - 8, 12), fill=look.colour, stroke=INK)
    elif key.shape == "stroke":
        drawing.line((x + 15, y - 7), (x + 15, y + 7), colour=look.colour, width=2)
    else:
        if key.shape != "marker":
            drawing.line((x, y), (end, y), colour=look.colour, width=2, dash=look.dash)
        if key.shape != "line":
            drawing.marker(look.marker, (x + _SYMBOL / 2, y), colour=look.colour)


def finish(drawing: Drawing, y: float, caption: Caption, described: Iterable[str]) -> str:
    """Write the notes below a plot that ends at y, and return the picture."""
    for note in caption.notes:
        y += drawing.paragraph((MARGIN, y), note, room=ROOM, size=SMALL)
    mark = [SIMULATED] if caption.simulated else []
    description = "; ".join([*mark, *described, *caption.notes])
    return drawing.document(
        WIDTH, y + SMALL * LINE - 4, title=caption.title, description=description
    )


def statement(caption: Caption, reason: Undefined) -> str:
    """Return a figure that says why there is none; notes on how to read it are left out."""
    caption = replace(caption, notes=())
    drawing = Drawing()
    y = head(drawing, caption)
    y += drawing.paragraph((MARGIN, y), str(reason), room=ROOM) + 6
    return finish(drawing, y, caption, [str(reason)])


class Scale:
    """Maps values to places, with round ticks that enclose them, `least` apart or more.

    >>> scale = Scale(3, 49, 0, 100)
    >>> scale(25), scale.ticks
    (50.0, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0])
    """

    def __init__(
        self,
        low: float,
        high: float,
        start: float,
        end: float,
        *,
        margin: bool = True,
        least: float = 0.0,
    ) -> None:
        step = max(_step(high - low), least)
        first, last = floor(low / step), ceil(high / step)
        if last <= first:
            last = first + 1
        self.ticks = [step * place for place in range(first, last + 1)]
        self.low, self.high = (self.ticks[0], self.ticks[-1]) if margin else (low, high)
        if self.high <= self.low:
            self.high = self.low + step
        self.ticks = [tick for tick in self.ticks if self.low <= tick <= self.high]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


class LogScale(Scale):
    """A scale on which equal ratios are equally far apart; values are above 0.

    >>> LogScale(7, 90, 0, 100).ticks
    [5.0, 10.0, 20.0, 50.0, 100.0]
    """

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        round_numbers = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        below = [tick for tick in round_numbers if tick <= low]
        above = [tick for tick in round_numbers if tick >= high and tick > below[-1]]
        self.low, self.high = below[-1], above[0]
        self.ticks = [tick for tick in round_numbers if self.low <= tick <= self.high]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = log10(value / self.low) / log10(self.high / self.low)
        return self.start + share * (self.end - self.start)


def bounds(values: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest value; 0 and 1 if there is none."""
    return (min(values), max(values)) if values else (0.0, 1.0)


def tick_label(tick: float) -> str:
    """Return how an axis writes a number."""
    return f"{tick:.4g}"


def _step(spread: float) -> float:
    """Return 1, 2 or 5 times a power of ten, so that four to eight steps cover the spread."""
    if spread <= 0:
        return 1.0
    power = 10.0 ** floor(log10(spread / 5))
    return next(factor * power for factor in (1, 2, 5, 10) if spread / (factor * power) <= 8)
