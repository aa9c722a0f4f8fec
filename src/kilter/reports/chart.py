"""Charts as SVG: values with intervals, and lines."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Okabe-Ito: distinguishable for colour-blind readers; lines also differ in their dashes.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
_STYLE = (
    "text{font-family:sans-serif;font-size:12px;fill:#222}"
    ".grid{stroke:#ddd;stroke-width:1}.axis{stroke:#888;stroke-width:1}"
    ".title{font-size:14px;font-weight:bold}"
)
_WIDTH = 720
_ROW = 22
_TOP = 40
_PLOT = 320
_CHARACTER = 7


def interval_chart(rows: Sequence[tuple[str, float, float, float]], *, title: str) -> str:
    """Return a picture of values with their intervals: label, value, low, high, one row each.

    >>> "<svg" in interval_chart([("pef", 0.2, 0.1, 0.3)], title="tau")
    True
    """
    left = 20 + _CHARACTER * max((len(label) for label, *_ in rows), default=0)
    low = min((row[2] for row in rows), default=0.0)
    high = max((row[3] for row in rows), default=1.0)
    scale = _Scale(low, high, left, _WIDTH - 20)
    bottom = _TOP + _ROW * len(rows)
    parts = [*_grid(scale, bottom)]
    for place, (label, value, start, end) in enumerate(rows):
        y = _TOP + _ROW * place + _ROW / 2
        colour = _COLOURS[0]
        parts += [
            f'<text x="{left - 8}" y="{y + 4:g}" text-anchor="end">{escape(label)}</text>',
            (
                f'<line x1="{scale(start):.2f}" y1="{y:g}" x2="{scale(end):.2f}" y2="{y:g}" '
                f'stroke="{colour}" stroke-width="2"/>'
            ),
            f'<circle cx="{scale(value):.2f}" cy="{y:g}" r="4" fill="{colour}"/>',
        ]
    return _picture(parts, bottom + 40, title)


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
    points = [point for line in series.values() for point in line]
    across = _Scale(*_bounds([at for at, _ in points]), 70, _WIDTH - 20, margin=not labels)
    upward = _Scale(*_bounds([value for _, value in points]), _TOP + _PLOT, _TOP)
    parts = [_frame(across, upward, labels)]
    for number, (name, line) in enumerate(series.items()):
        colour, dash = (
            _COLOURS[number % len(_COLOURS)],
            _DASHES[number // len(_COLOURS) % len(_DASHES)],
        )
        drawn = " ".join(f"{across(at):.2f},{upward(value):.2f}" for at, value in line)
        parts.append(
            f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        row = _TOP + _PLOT + 60 + _ROW * number
        parts.append(
            f'<line x1="70" y1="{row}" x2="100" y2="{row}" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/><text x="108" y="{row + 4}">{escape(name)}</text>'
        )
    middle = (_TOP + _TOP + _PLOT) / 2
    parts += [
        f'<text x="{_WIDTH / 2:g}" y="{_TOP + _PLOT + 38}" text-anchor="middle">{escape(x)}</text>',
        (
            f'<text x="16" y="{middle:g}" text-anchor="middle" '
            f'transform="rotate(-90 16 {middle:g})">{escape(y)}</text>'
        ),
    ]
    return _picture(parts, _TOP + _PLOT + 70 + _ROW * len(series), title)


class _Scale:
    """Maps values to places, with round ticks that enclose them."""

    def __init__(
        self, low: float, high: float, start: float, end: float, *, margin: bool = True
    ) -> None:
        step = _step(high - low)
        self.low = floor(low / step) * step if margin else low
        self.high = ceil(high / step) * step if margin else high
        if self.high <= self.low:
            self.high = self.low + step
        self.start, self.end = start, end
        count = round((self.high - self.low) / step)
        self.ticks = [self.low + step * place for place in range(count + 1)]

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def _step(spread: float) -> float:
    """Return 1, 2 or 5 times a power of ten, so that about five steps cover the spread."""
    if spread <= 0:
        return 1.0
    power = 10.0 ** floor(log10(spread / 5))
    return next(factor * power for factor in (1, 2, 5, 10) if spread / (factor * power) <= 6)


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)


def _grid(scale: _Scale, bottom: float) -> list[str]:
    parts = []
    for tick in scale.ticks:
        at = scale(tick)
        parts.append(
            f'<line class="grid" x1="{at:.2f}" y1="{_TOP}" x2="{at:.2f}" y2="{bottom:g}"/>'
        )
        parts.append(
            f'<text x="{at:.2f}" y="{bottom + 18:g}" text-anchor="middle">{tick:.4g}</text>'
        )
    return parts


def _frame(across: _Scale, upward: _Scale, labels: Sequence[str]) -> str:
    bottom, right = _TOP + _PLOT, _WIDTH - 20
    parts = []
    for tick in upward.ticks:
        at = upward(tick)
        parts.append(f'<line class="grid" x1="70" y1="{at:.2f}" x2="{right}" y2="{at:.2f}"/>')
        parts.append(f'<text x="62" y="{at + 4:.2f}" text-anchor="end">{tick:.4g}</text>')
    named = list(enumerate(labels)) if labels else [(tick, f"{tick:.4g}") for tick in across.ticks]
    for place, label in named:
        at = across(place)
        parts.append(f'<line class="grid" x1="{at:.2f}" y1="{_TOP}" x2="{at:.2f}" y2="{bottom}"/>')
        parts.append(
            f'<text x="{at:.2f}" y="{bottom + 18}" text-anchor="middle">{escape(label)}</text>'
        )
    parts.append(f'<line class="axis" x1="70" y1="{bottom}" x2="{right}" y2="{bottom}"/>')
    return "\n".join(parts)


def _picture(parts: Sequence[str], height: float, title: str) -> str:
    head = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height:g}" '
            f'viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-labelledby="title">'
        ),
        f'<title id="title">{escape(title)}</title>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{height:g}" fill="#fff"/>',
        f'<text class="title" x="20" y="24">{escape(title)}</text>',
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"
