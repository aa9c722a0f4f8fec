"""What every picture of an explanation owes its readers."""

from collections import Counter
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from kilter.render.chart.text_box import text_length
from tests.render.picture import Box, outside, overlaps, parsed, texts


def lines(picture: str, *, width: str | None = None) -> list[ET.Element]:
    """Return the lines of a picture, or those of one width."""
    return [
        line
        for line in parsed(picture).findall(".//{*}line")
        if width is None or line.get("stroke-width") == width
    ]


def ends(line: ET.Element) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = (float(line.get(name, "")) for name in ("x1", "y1", "x2", "y2"))
    return x1, y1, x2, y2


def words_of(picture: str, words: Iterable[str]) -> Counter[str]:
    """Return how often these words stand in a picture."""
    wanted = set(words)
    return Counter(text for text in texts(picture) if text in wanted)


def place_of(picture: str, word: str) -> tuple[float, float]:
    (element,) = [e for e in parsed(picture).findall(".//{*}text") if e.text == word]
    return float(element.get("x", "")), float(element.get("y", ""))


def element_of(picture: str, word: str) -> ET.Element:
    return next(e for e in parsed(picture).findall(".//{*}text") if e.text == word)


def wide_boxes(picture: str) -> list[Box]:
    """Return boxes of upright texts by the widths that layouts reckon with, whatever the script."""
    found = []
    for element in parsed(picture).findall(".//{*}text"):
        if element.get("transform"):
            continue
        text, size = element.text or "", float(element.get("font-size", "13"))
        length = text_length(text, size, bold=element.get("font-weight") == "bold")
        x, y = float(element.get("x", "")), float(element.get("y", ""))
        left = (
            x
            - {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
            * length
        )
        found.append(Box(text, left, y - 0.76 * size, left + length, y + 0.24 * size))
    return found


def check(picture: str) -> None:
    """Check what holds of every picture: told to those who do not see it, nothing cut, nothing hidden."""
    root = parsed(picture)
    title, description = root.find("{*}title"), root.find("{*}desc")
    assert title is not None
    assert title.text
    assert description is not None
    assert description.text
    assert root.get("aria-labelledby") == title.get("id")
    assert overlaps(picture) == []
    assert outside(picture) == []
    boxes = wide_boxes(picture)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert [b.text for b in boxes if b.left < -0.01 or b.right > width + 0.01] == []
    assert [b.text for b in boxes if b.top < 0 or b.bottom > height] == []
    touching = [
        (box.text, other.text)
        for place, box in enumerate(boxes)
        for other in boxes[place + 1 :]
        if box.touches(other)
    ]
    assert touching == []
    for element in root.iter():
        for name, most in (("x1", width), ("x2", width), ("y1", height), ("y2", height)):
            assert 0 <= float(element.get(name, "0")) <= most
        for point in element.get("points", "0,0").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
