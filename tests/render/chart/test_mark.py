"""The marks of a row reach as far as their values and stand in the middle of the row."""

import pytest

from kilter.render.chart.drawing import Drawing, Style
from kilter.render.chart.frame import Scale
from kilter.render.chart.mark import Bar, Dot, Histogram, Mark, Points, Stack
from tests.render.chart.test_frame import extent
from tests.render.picture import boxes, parsed

HISTOGRAM = Histogram(edges=[1.0, 2.0, 4.0], counts=[1, 3], median=2.5, text="")


def test_a_histogram_reaches_from_its_first_to_its_last_edge() -> None:
    assert HISTOGRAM.reach == [1.0, 4.0]


@pytest.mark.parametrize("middle", [50.0, 80.0])
def test_a_histogram_stands_in_the_middle_of_its_row(middle: float) -> None:
    drawing = Drawing()
    HISTOGRAM.draw(drawing, Scale(0.0, 5.0, 0.0, 100.0), middle, Style("#0072b2", "", "", ""))
    picture = parsed(drawing.document(100, 100, title="", description=""))
    columns = [extent(box) for box in picture.findall(".//{*}rect") if box.get("fill") == "#0072b2"]
    drawn = columns + [extent(shape) for shape in picture.findall(".//{*}polygon")]
    heights = [y for _, down in drawn for y in down]
    assert [across for across, _ in columns] == [[20.0, 40.0], [40.0, 80.0]]
    assert [max(down) - min(down) for _, down in columns] == [HISTOGRAM.tall / 3, HISTOGRAM.tall]
    ((_, triangle),) = [extent(shape) for shape in picture.findall(".//{*}polygon")]
    base = max(down[1] for _, down in columns)
    assert 0.0 <= min(triangle) - base <= 1.0  # it points at the line from below
    assert max(heights) - min(heights) <= HISTOGRAM.height
    assert (max(heights) + min(heights)) / 2 == pytest.approx(middle, abs=1.0)


SCALE = Scale(0.0, 5.0, 0.0, 100.0)
AROUND: list[tuple[Mark, str]] = [
    (Dot(value=2.0, low=1.0, high=4.0, strokes=[3.0], text=""), "circle"),
    (Dot(value=2.0, text=""), "square"),
    (Dot(value=2.0, text=""), "diamond"),
    (Dot(value=2.0, text=""), "cross"),
    (Points(values=[2.0, 4.0, None], text=""), "circle"),
    (Bar(value=2.0, least=1.0, text=""), "circle"),
    (Stack(shares=[0.25, 0.5, 0.25], text=""), "circle"),
]


@pytest.mark.parametrize(("mark", "marker"), AROUND)
def test_every_part_of_a_mark_has_its_middle_in_that_of_the_row(mark: Mark, marker: str) -> None:
    drawing = Drawing()
    mark.draw(drawing, SCALE, 50.0, Style("#0072b2", "", marker, "full"))
    picture = parsed(drawing.document(100, 100, title="", description=""))
    kinds = ("line", "rect", "circle", "polygon")
    shapes = [shape for kind in kinds for shape in picture.findall(f"{{*}}{kind}")]
    parts = [
        extent(shape)[1] for shape in shapes if "x" in shape.attrib or shape.tag[-4:] != "rect"
    ]
    assert parts
    for down in parts:
        assert (min(down) + max(down)) / 2 == pytest.approx(50.0, abs=0.011)
        assert max(down) - min(down) <= mark.height


def test_the_strokes_of_a_mark_stand_at_their_values() -> None:
    drawing = Drawing()
    look = Style("#0072b2", "", "circle", "full")
    Dot(value=2.0, low=1.0, high=4.0, strokes=[3.0], text="").draw(drawing, SCALE, 50.0, look)
    Bar(value=2.0, least=0.5, text="").draw(drawing, SCALE, 50.0, look)
    picture = parsed(drawing.document(100, 100, title="", description=""))
    upright = [
        across[0] for across, _ in map(extent, picture.findall("{*}line")) if across[0] == across[1]
    ]
    assert upright == [20.0, 80.0, 60.0, 10.0, 10.0]
    assert [circle.get("cx") for circle in picture.findall("{*}circle")] == ["40"]


@pytest.mark.parametrize("marker", ["circle", "square", "diamond", "cross", "triangle"])
def test_markers_reach_as_far_left_as_right_of_their_value(marker: str) -> None:
    drawing = Drawing()
    drawing.marker(marker, (30.0, 40.0), colour="#0072b2")
    picture = parsed(drawing.document(100, 100, title="", description=""))
    kinds = ("line", "rect", "circle", "polygon")
    found = [
        extent(shape)
        for kind in kinds
        for shape in picture.findall(f"{{*}}{kind}")
        if "#0072b2" in {shape.get("stroke"), shape.get("fill")}
    ]
    for across, down in found:
        assert (min(across) + max(across)) / 2 == pytest.approx(30.0)
        assert min(down) < 40.0 < max(down)
        # A marker is told from others at a glance, and hides none in the next row.
        assert 7.0 <= max(across) - min(across) <= 10.0
        assert 7.0 <= max(down) - min(down) <= 11.0


def test_shares_follow_one_another_and_their_percentages_stand_in_their_middles() -> None:
    drawing = Drawing()
    shares = [0.25, 0.0, 0.5, 0.25]
    Stack(shares=shares, text="").draw(
        drawing, Scale(0.0, 1.0, 0.0, 400.0), 50.0, Style("", "", "", "")
    )
    written = drawing.document(400, 100, title="", description="")
    parts = [extent(box)[0] for box in parsed(written).findall("{*}rect") if "x" in box.attrib]
    assert parts == [[0.0, 100.0], [100.0, 300.0], [300.0, 400.0]]
    said = boxes(written)
    assert [box.text for box in said] == ["25", "50", "25"]
    for (left, right), box in zip(parts, said, strict=True):
        assert (box.left + box.right) / 2 == pytest.approx((left + right) / 2, abs=0.011)
        # Digits are about 0.73 of their size high and stand on the base.
        base = box.bottom - 0.24 * 12
        assert base - 0.365 * 12 == pytest.approx(50.0, abs=0.5)


def test_a_percentage_that_does_not_fit_its_share_is_left_out() -> None:
    drawing = Drawing()
    Stack(shares=[0.05, 0.95], text="").draw(
        drawing, Scale(0.0, 1.0, 0.0, 100.0), 50.0, Style("", "", "", "")
    )
    assert [box.text for box in boxes(drawing.document(9, 9, title="", description=""))] == ["95"]
