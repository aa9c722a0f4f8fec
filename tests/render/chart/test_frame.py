"""A legend shows what its words mean: each symbol beside its name, in its line."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.render.chart.drawing import Drawing, Style
from kilter.render.chart.frame import Caption, Key, LogScale, Scale, finish, head, tick_label
from kilter.render.chart.row_chart import rank_chart
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


# Places of systems as lines.


def drawn(**ranks: list[int | None]) -> str:
    columns = [f"m{place}" for place in range(len(next(iter(ranks.values()))))]
    return rank_chart(ranks, caption=Caption(title="t"), columns=columns)


def heights(picture: str) -> list[list[float]]:
    lines = re.findall(r'<polyline points="([^"]*)"', picture)
    return [[float(point.split(",")[1]) for point in line.split()] for line in lines]


def test_better_places_are_higher_and_equal_ones_equally_high() -> None:
    a, b, c = heights(drawn(a=[1, 3], b=[2, 1], c=[3, 1]))
    assert a[0] < b[0] < c[0]
    assert b[1] == c[1] < a[1]


def test_a_missing_place_ends_a_line_and_begins_another() -> None:
    assert [len(line) for line in heights(drawn(a=[1, None, 1, 1]))] == [1, 2]


def test_places_are_told_in_words() -> None:
    assert "a: m0 1, m1 none" in drawn(a=[1, None])


def test_long_names_of_columns_stand_upright() -> None:
    columns = [f"a long name of a metric, number {place}" for place in range(9)]
    picture = rank_chart({"a": [1] * 9}, caption=Caption(title="t"), columns=columns)
    assert picture.count("rotate(-90") == 9


# Scales put values in order and enclose them with round numbers.


FINITE = st.floats(-1e12, 1e12)


@given(FINITE, FINITE)
def test_values_lie_between_the_first_and_the_last_tick(first: float, second: float) -> None:
    low, high = sorted((first, second))
    scale = Scale(low, high, 0, 100)
    assert -1e-6 <= scale(low) <= scale(high) <= 100 + 1e-6
    assert 2 <= len(scale.ticks) <= 10


def test_ticks_hold_an_exact_zero() -> None:
    assert "0" in [tick_label(tick) for tick in Scale(-0.3, 0.3, 0, 1).ticks]


@pytest.mark.parametrize(("low", "high"), [(1, 1), (16, 2100), (0.002, 0.9), (5, 5.1)])
def test_logarithmic_scales_enclose_their_values(low: float, high: float) -> None:
    scale = LogScale(low, high, 0, 100)
    assert 0 <= scale(low) <= scale(high) <= 100
    assert scale(scale.ticks[0]) == 0


def test_equal_ratios_are_equally_far_apart() -> None:
    scale = LogScale(1, 100, 0, 100)
    assert scale(10) - scale(1) == pytest.approx(scale(100) - scale(10))
