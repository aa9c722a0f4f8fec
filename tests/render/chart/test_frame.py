"""A legend shows what its words mean: each symbol beside its name, in its line."""

from xml.etree import ElementTree as ET

import pytest

from kilter.render.chart.drawing import Drawing, Style
from kilter.render.chart.frame import Caption, Key, finish, head
from tests.render.picture import boxes, parsed

SYMBOLS = [
    *[(shape, "circle") for shape in ("line", "box", "shade", "stroke")],
    *[("marker", marker) for marker in ("circle", "square", "cross", "triangle", "diamond")],
    ("curve", "circle"),
]


def extent(element: ET.Element) -> tuple[list[float], list[float]]:
    """Return all x and all y that an element of a picture reaches."""
    has = {name: float(value) for name, value in element.items() if name in _NUMBERS}
    match element.tag.rpartition("}")[2]:
        case "line":
            return [has["x1"], has["x2"]], [has["y1"], has["y2"]]
        case "rect":
            return [has["x"], has["x"] + has["width"]], [has["y"], has["y"] + has["height"]]
        case "circle":
            x, y, r = has["cx"], has["cy"], has["r"]
            return [x - r, x + r], [y - r, y + r]
        case _:
            points = [point.split(",") for point in element.get("points", "").split()]
            return [float(x) for x, _ in points], [float(y) for _, y in points]


_NUMBERS = {"x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"}
_KINDS = ("line", "rect", "circle", "polygon", "polyline")


@pytest.mark.parametrize(("shape", "marker"), SYMBOLS)
def test_a_symbol_stands_in_the_line_of_its_name_and_before_it(shape: str, marker: str) -> None:
    keys = [Key(name, shape, Style("#0072b2", "", marker, "full")) for name in ("one", "two")]
    drawing = Drawing()
    caption = Caption(title="A title")
    picture = finish(drawing, head(drawing, caption, keys), caption, [])
    names = [box for box in boxes(picture) if box.text in {"one", "two"}]
    symbols = [
        extent(element)
        for kind in _KINDS
        for element in parsed(picture).findall(f".//{{*}}{kind}")
        if "#0072b2" in {element.get("stroke"), element.get("fill")}
    ]
    assert len(symbols) >= 2
    for across, down in symbols:
        (name,) = [box for box in names if 0 < box.left - max(across) < 40]
        assert max(across) - min(across) + max(down) - min(down) > 0
        middle = (name.top + name.bottom) / 2
        assert abs((min(down) + max(down)) / 2 - middle) < 3
        assert max(down) - min(down) < 20
        assert min(across) >= name.left - 40
