"""Charts are well-formed pictures in which every value has its place."""

import pytest

from kilter.render.chart.chart import interval_chart, line_chart
from tests.render.picture import outside, overlaps, parsed, texts


def test_larger_values_lie_further_right() -> None:
    rows = [("a", 0.1, 0.05, 0.2), ("b<&>", 0.3, 0.2, 0.35)]
    picture = parsed(interval_chart(rows, title="tau"))
    first, second = (float(dot.get("cx", "")) for dot in picture.findall(".//{*}circle"))
    assert first < second
    assert "b<&>" in [text.text for text in picture.findall(".//{*}text")]


def test_values_and_ends_of_intervals_have_as_many_decimals() -> None:
    picture = interval_chart(
        [("pef", 0.31584, 0.26621, 0.364), ("ulam", 0.0, -0.5, 1)], title="tau"
    )
    assert {"0.3158 [0.2662, 0.3640]", "0.0000 [-0.5000, 1.0000]"} <= set(texts(picture))


def test_lines_go_through_their_points_in_order() -> None:
    picture = parsed(
        line_chart({"up": [(0, 0), (1, 1)], "down": [(0, 1), (1, 0)]}, title="t", x="x", y="y")
    )
    lines = [line.get("points", "").split() for line in picture.findall(".//{*}polyline")]
    heights = [[float(point.split(",")[1]) for point in line] for line in lines]
    assert heights[0] == heights[1][::-1]
    assert heights[0][0] > heights[0][1]  # heights count downwards


def test_places_can_have_names() -> None:
    picture = parsed(
        line_chart({"m": [(0, 1), (1, 2)]}, title="t", x="pair", y="y", labels=["de-en", "fr-en"])
    )
    texts = [text.text for text in picture.findall(".//{*}text")]
    assert {"de-en", "fr-en", "pair", "m"} <= set(texts)


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5], [-1e-9, 1e-9], [1e6, 2e6]])
def test_any_spread_of_values_has_a_scale(values: list[float]) -> None:
    points = [(float(place), value) for place, value in enumerate(values)]
    picture = line_chart({"m": points}, title="t", x="x", y="y")
    assert "nan" not in picture
    assert parsed(picture).find(".//{*}polyline") is not None


def test_nothing_to_draw_is_an_empty_picture() -> None:
    assert parsed(interval_chart([], title="nothing")).findall(".//{*}circle") == []


def test_long_names_of_places_stand_upright() -> None:
    labels = [f"deutsch-englisch {place}" for place in range(12)]
    points = [(float(place), 0.5) for place in range(12)]
    picture = line_chart({"m": points}, title="t", x="pair", y="y", labels=labels)
    assert overlaps(picture) == []
    assert outside(picture) == []
    assert set(labels) <= set(texts(picture))


def test_more_places_than_lines_of_text_leave_names_out_and_none_touch() -> None:
    labels = [f"pair {place}" for place in range(90)]
    points = [(float(place), 0.5) for place in range(90)]
    picture = line_chart({"m": points}, title="t", x="pair", y="y", labels=labels)
    assert overlaps(picture) == []
    assert {"pair 0", "pair 3"} <= set(texts(picture))


@pytest.mark.parametrize("size", [1.0, 1e-7, 123456.0])
def test_numbers_of_an_axis_never_touch(size: float) -> None:
    long = "a metric with a name that is too long for any line of text in any chart whatsoever"
    rows = [(long, 1.234 * size, -2.5 * size, 3.25 * size)]
    picture = interval_chart(rows, title="tau")
    assert overlaps(picture) == []
    assert outside(picture) == []
