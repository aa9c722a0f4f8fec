"""Pictures as a reader sees them: texts with their boxes, by the widths of a real font."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

# Of Vera: letters reach so far above and below the base, in font sizes.
_ABOVE, _BELOW = 0.76, 0.24


@dataclass(frozen=True)
class Box:
    text: str
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own picture


def texts(picture: str) -> list[str]:
    return [text.text or "" for text in parsed(picture).findall(".//{*}text")]


@cache
def font(name: str) -> str:
    fonts = Path(reportlab.__file__).parent / "fonts"
    pdfmetrics.registerFont(TTFont(name, str(fonts / f"{name}.ttf")))
    return name


def boxes(picture: str) -> list[Box]:
    """Return the box of every text."""
    root = parsed(picture)
    size_of_all = float(root.get("font-size", ""))
    return [_box(text, size_of_all) for text in root.findall(".//{*}text")]


def _box(element: ET.Element, size_of_all: float) -> Box:
    text = element.text or ""
    x, y = float(element.get("x", "")), float(element.get("y", ""))
    size = float(element.get("font-size", size_of_all))
    used = font("VeraBd" if element.get("font-weight") == "bold" else "Vera")
    width = pdfmetrics.stringWidth(text, used, size)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")] * width
    above, below = _ABOVE * size, _BELOW * size
    turned = element.get("transform", "")
    if turned:
        assert turned == f"rotate(-90 {element.get('x')} {element.get('y')})"
        return Box(text, x - above, y - width + before, x + below, y + before)
    return Box(text, x - before, y - above, x - before + width, y + below)


def overlaps(picture: str) -> list[tuple[str, str]]:
    """Return texts that touch one another."""
    found = []
    ordered = sorted(boxes(picture), key=lambda box: box.top)
    for place, box in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.top >= box.bottom:
                break
            if box.touches(other):
                found.append((box.text, other.text))
    return found


def outside(picture: str) -> list[str]:
    """Return texts that reach beyond the picture."""
    root = parsed(picture)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    return [
        box.text
        for box in boxes(picture)
        if box.left < 0 or box.top < 0 or box.right > width or box.bottom > height
    ]


def rises(values: list[float]) -> bool:
    return all(first < second for first, second in pairwise(values))
