"""Plots of a report as SVG: bars on a logarithmic scale, and lines on two."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STYLE = (
    "<style>text{font:13px sans-serif;fill:#222}.axis{stroke:#999}.own{fill:#0b6e4f}.peer{fill:#9a9a9a}"
    ".line{fill:none;stroke:#0b6e4f;stroke-width:2}.dot{fill:#0b6e4f}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.peer{fill:#777}.axis{stroke:#777}}</style>"
)


def bars(title: str, values: Sequence[tuple[str, float]], *, own: str) -> str:
    """Return bars of rates, each ten times as long for a rate a thousand times as high, with its number."""
    row, left, width = 26, 210, 420
    lowest = math.floor(math.log10(min(value for _, value in values))) - 0.5
    highest = math.ceil(math.log10(max(value for _, value in values)))
    height = 40 + row * len(values)
    parts = [_opened(left + width + 130, height, title)]
    for place, (name, value) in enumerate(values):
        top = 34 + row * place
        length = width * (math.log10(value) - lowest) / (highest - lowest)
        kind = "own" if name == own else "peer"
        parts += [
            f'<text x="{left - 8}" y="{top + 14}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{kind}" x="{left}" y="{top}" width="{length:.1f}" height="18"/>',
            f'<text x="{left + length + 6:.1f}" y="{top + 14}">{shown(value)}</text>',
        ]
    return "".join([*parts, "</svg>\n"])


def line(title: str, sizes: Sequence[int], costs: Sequence[float], *, below: str, unit: str) -> str:
    """Return costs by size on two logarithmic scales, every point with its number."""
    width, height, left, top = 560, 300, 60, 40
    xs, ys = [math.log10(size) for size in sizes], [math.log10(cost) for cost in costs]
    low, high = math.floor(min(ys)), math.ceil(max(ys) + 1e-9)
    high = max(high, low + 1)
    places = [
        (
            left + (width - 80) * (x - xs[0]) / (xs[-1] - xs[0]),
            top + (height - 90) * (high - y) / (high - low),
        )
        for x, y in zip(xs, ys, strict=True)
    ]
    bottom = top + height - 90
    parts = [
        _opened(width + 60, height, title),
        f'<path class="axis" fill="none" d="M{left} {top}V{bottom}H{width}"/>',
        f'<path class="line" d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in places)}"/>',
    ]
    for (x, y), size, cost in zip(places, sizes, costs, strict=True):
        parts += [
            f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
            f'<text x="{x:.1f}" y="{y - 9:.1f}" text-anchor="middle">{shown(cost)}</text>',
            f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{size:,}</text>',
        ]
    parts.append(
        f'<text x="{left}" y="{bottom + 38}">{escape(f"{below} (across), {unit} (up), both logarithmic")}</text>'
    )
    return "".join([*parts, "</svg>\n"])


def shown(value: float) -> str:
    """Return a number with three figures.

    >>> shown(1234567.0), shown(12.345), shown(0.012345)
    ('1,230,000', '12.3', '0.0123')
    """
    if value >= 1000:
        digits = len(str(int(value))) - 3
        return f"{round(value / 10**digits) * 10**digits:,}"
    return f"{value:.3g}"


def _opened(width: int, height: int, title: str) -> str:
    named = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'role="img" aria-label="{named}"><title>{named}</title>{_STYLE}<text x="8" y="20">{named}</text>'
    )
