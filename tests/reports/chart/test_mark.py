"""The marks of a row reach as far as their values and stand in the middle of the row."""

import pytest

from kilter.reports.chart.drawing import Drawing, Style
from kilter.reports.chart.mark import Histogram
from kilter.reports.chart.scale import Scale
from tests.reports.chart.test_frame import extent
from tests.reports.picture import parsed

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
    assert max(heights) - min(heights) <= HISTOGRAM.height
    assert (max(heights) + min(heights)) / 2 == pytest.approx(middle, abs=1.0)
