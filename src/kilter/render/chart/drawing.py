"""Pictures as SVG, shape by shape: legible in print, by colour-blind readers and screen readers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING
from zlib import crc32

from kilter.core.markup import visible
from kilter.render.chart.text_box import broken_lines, text_length

if TYPE_CHECKING:
    from collections.abc import Sequence

INK = "#222"
FAINT = "#ddd"
AXIS = "#777"
SIZE = 13
"""Font size of labels: 8 points where a picture of the usual width is printed 16 cm wide."""
SMALL = 12
TITLE = 15
LINE = 1.25
"""Distance of lines in font sizes."""
# Stands for the name of the picture until all of it is known; no text can hold it.
_KEY = "\x00"
_UNREADABLE = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


@dataclass(frozen=True, slots=True)
class Style:
    """How one series differs from others: in colour, dashes, marker and hatching."""

    colour: str
    dash: str
    marker: str
    hatch: str


# Okabe-Ito: distinguishable for colour-blind readers. Series that share a colour differ in all else.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")
_MARKERS = ("circle", "square", "triangle", "diamond", "cross")
_HATCHES = ("full", "rising", "dots", "falling", "crossed", "level")


def style(number: int) -> Style:
    """Return the style of a series by its number, from 0; the first 210 are different."""
    return Style(
        colour=_COLOURS[number % len(_COLOURS)],
        dash=_DASHES[number % len(_DASHES)],
        marker=_MARKERS[number % len(_MARKERS)],
        hatch=_HATCHES[number % len(_HATCHES)],
    )


class Drawing:
    """Shapes in the order in which they are drawn; places count from the upper left corner."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._hatches: dict[tuple[str, str], None] = {}

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        *,
        colour: str = INK,
        width: float = 1.0,
        dash: str = "",
    ) -> None:
        """Draw a line between two points."""
        (x1, y1), (x2, y2) = start, end
        self._parts.append(
            f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" '
            f'stroke="{colour}" stroke-width="{_n(width)}"{_dashed(dash)}/>'
        )

    def polyline(
        self,
        points: Sequence[tuple[float, float]],
        *,
        colour: str,
        width: float = 2.0,
        dash: str = "",
    ) -> None:
        """Draw a line through points."""
        places = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" '
            f'stroke-width="{_n(width)}"{_dashed(dash)}/>'
        )

    def polygon(self, points: Sequence[tuple[float, float]], *, fill: str) -> None:
        """Draw a full shape with these corners."""
        places = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{places}" fill="{fill}"/>')

    def box(
        self,
        corner: tuple[float, float],
        extent: tuple[float, float],
        *,
        fill: str = "none",
        stroke: str = "none",
    ) -> None:
        """Draw a rectangle from its upper left corner, so wide and so high."""
        self._parts.append(
            f'<rect x="{_n(corner[0])}" y="{_n(corner[1])}" width="{_n(extent[0])}" '
            f'height="{_n(extent[1])}" fill="{fill}" stroke="{stroke}"/>'
        )

    def hatched_box(
        self, corner: tuple[float, float], extent: tuple[float, float], *, colour: str, hatch: str
    ) -> None:
        """Draw a rectangle in the colour and hatching of a series."""
        fill = colour
        if hatch != "full":
            self._hatches[colour, hatch] = None
            fill = f"url(#{_KEY}-{hatch}-{colour[1:]})"
        self.box(corner, extent, fill=fill, stroke=colour)

    def marker(
        self,
        shape: str,
        centre: tuple[float, float],
        *,
        colour: str,
        radius: float = 4.0,
        inside: str = "#fff",
    ) -> None:
        """Draw a marker: circle and triangle are full, square and diamond hollow, or a cross."""
        x, y = centre
        r = radius
        if shape == "circle":
            self._parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{colour}"/>')
        elif shape == "square":
            self.box((x - r * 0.9, y - r * 0.9), (r * 1.8, r * 1.8), fill=inside, stroke=colour)
        elif shape == "cross":
            self.line((x - r, y - r), (x + r, y + r), colour=colour, width=1.8)
            self.line((x - r, y + r), (x + r, y - r), colour=colour, width=1.8)
        else:
            corners = {
                "triangle": [(x, y - r * 1.2), (x + r * 1.1, y + r), (x - r * 1.1, y + r)],
                "diamond": [(x, y - r * 1.3), (x + r, y), (x, y + r * 1.3), (x - r, y)],
            }[shape]
            fill = colour if shape == "triangle" else inside
            places = " ".join(f"{_n(at)},{_n(below)}" for at, below in corners)
            self._parts.append(
                f'<polygon points="{places}" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
            )

    def text(
        self,
        place: tuple[float, float],
        text: str,
        *,
        size: float = SIZE,
        anchor: str = "start",
        bold: bool = False,
        colour: str = INK,
        upward: bool = False,
    ) -> None:
        """Write one line; `place` is at its base, at the start, middle or end of the line."""
        x, y = _n(place[0]), _n(place[1])
        look = f' font-size="{_n(size)}"' if size != SIZE else ""
        look += f' text-anchor="{anchor}"' if anchor != "start" else ""
        look += ' font-weight="bold"' if bold else ""
        look += f' fill="{colour}"' if colour != INK else ""
        look += f' transform="rotate(-90 {x} {y})"' if upward else ""
        self._parts.append(f'<text x="{x}" y="{y}"{look}>{_readable(text)}</text>')

    def paragraph(
        self,
        place: tuple[float, float],
        text: str,
        *,
        room: float,
        size: float = SIZE,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "start",
    ) -> float:
        """Write a text in as many lines as it needs, from the top of the first; return the height."""
        x, top = place
        lines = broken_lines(visible(text), size, room, bold=bold)
        for number, line in enumerate(lines):
            base = top + size * (LINE * number + 1.0)
            self.text((x, base), line, size=size, bold=bold, colour=colour, anchor=anchor)
        return _height(len(lines), size)

    def document(self, width: float, height: float, *, title: str, description: str) -> str:
        """Return the picture; `description` says in words what it shows.

        Nothing in it reaches beyond it: looks stand at the shapes, and names are those of this picture,
        so that a page can hold several.
        """
        body = "\n".join(self._parts)
        key = f"k{crc32(chr(10).join((title, description, body)).encode()):08x}"
        patterns = [_pattern(colour, hatch) for colour, hatch in self._hatches]
        size = f'width="{_n(width)}" height="{_n(height)}"'
        lines = [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
                f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" '
                f'aria-labelledby="{key}-title" aria-describedby="{key}-description" '
                f'font-family="sans-serif" font-size="{SIZE}" fill="{INK}">'
            ),
            f'<title id="{key}-title">{_readable(title)}</title>',
            f'<desc id="{key}-description">{_readable(description)}</desc>',
            *(["<defs>", *patterns, "</defs>"] if patterns else []),
            f'<rect {size} fill="#fff"/>',
            body,
            "</svg>",
        ]
        return "\n".join(lines).replace(_KEY, key) + "\n"


def height_of(text: str, *, room: float, size: float = SIZE, bold: bool = False) -> float:
    """Return how high `paragraph` makes a text."""
    return _height(len(broken_lines(visible(text), size, room, bold=bold)), size)


def widest(texts: Sequence[str], *, most: float, size: float = SIZE) -> float:
    """Return the width of the widest text, or `most` if that is less: longer texts are broken."""
    lengths = [text_length(visible(text), size) for text in texts]
    return min(most, max(lengths, default=0.0))


def _pattern(colour: str, hatch: str) -> str:
    shapes = {
        "rising": '<path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2"/>',
        "falling": '<path d="M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2"/>',
        "crossed": '<path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2 M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2"/>',
        "level": '<path d="M0,1.5 h6 M0,4.5 h6"/>',
        "dots": '<circle cx="1.5" cy="1.5" r="0.8"/><circle cx="4.5" cy="4.5" r="0.8"/>',
    }
    return (
        f'<pattern id="{_KEY}-{hatch}-{colour[1:]}" width="6" height="6" '
        f'patternUnits="userSpaceOnUse" fill="{colour}" stroke="{colour}" stroke-width="1.3">'
        f'<rect width="6" height="6" fill="#fff" stroke="none"/>{shapes[hatch]}</pattern>'
    )


def _height(lines: int, size: float) -> float:
    return size * (LINE * lines + 0.1)


def _n(value: float) -> str:
    """Return a coordinate: two places at most, never a minus zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _readable(text: str) -> str:
    return escape(visible(text).translate(_UNREADABLE))
