"""Rows of a chart: labels, marks and numbers beside one another, whatever their groups."""

from xml.etree import ElementTree as ET

import pytest

from kilter.render.chart.frame import Caption
from kilter.render.chart.mark import Bar, Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.stats.undefined import Undefined
from tests.render.chart.test_frame import extent
from tests.render.picture import boxes, outside, overlaps, parsed, texts

CAPTION = Caption(title="A title")
AXIS, GRID = "#777", "#ddd"


def rows(count: int, text: str = "") -> list[Row]:
    return [Row(f"row {place}", [Bar(value=1.0 + place, text=text)]) for place in range(count)]


def drawn(*groups: RowGroup, rule: float | None = None) -> str:
    return row_chart(groups, caption=CAPTION, axis="an axis", rule=rule)


def lines(picture: str, colour: str) -> list[ET.Element]:
    found = parsed(picture).findall(".//{*}line")
    return [line for line in found if line.get("stroke") == colour]


def plot(picture: str) -> tuple[float, float]:
    """Return where the horizontal axis begins and ends."""
    (axis,) = [line for line in lines(picture, AXIS) if line.get("y1") == line.get("y2")]
    (start, end), _ = extent(axis)
    return start, end


def test_groups_without_a_heading_are_drawn_as_if_they_were_one() -> None:
    first, second, third = rows(3)
    one = drawn(RowGroup("", [first, second, third]))
    assert drawn(RowGroup("", [first]), RowGroup("", [second, third])) == one


def test_without_numbers_the_plot_reaches_the_margin_that_the_title_keeps() -> None:
    picture = drawn(RowGroup("", rows(2)))
    (title,) = [box for box in boxes(picture) if box.text == CAPTION.title]
    assert float(parsed(picture).get("width", "")) - plot(picture)[1] == title.left


def test_labels_end_as_far_from_the_plot_as_numbers_begin() -> None:
    picture = drawn(RowGroup("", rows(2, text="0.25")))
    start, end = plot(picture)
    found = parsed(picture).findall(".//{*}text")
    labels = [float(text.get("x", "")) for text in found if (text.text or "").startswith("row")]
    numbers = [float(text.get("x", "")) for text in found if text.text == "0.25"]
    assert len(labels) == len(numbers) == 2
    assert {round(start - at, 2) for at in labels} == {round(at - end, 2) for at in numbers}
    assert max(box.right for box in boxes(picture)) <= 720 - 20


def test_the_grid_and_the_rule_stand_from_the_first_row_to_the_axis() -> None:
    picture = drawn(RowGroup("", rows(3)), rule=2.0)
    grid = [extent(line)[1] for line in lines(picture, GRID)]
    (rule,) = [line for line in lines(picture, AXIS) if line.get("stroke-dasharray")]
    (axis,) = [extent(line)[1] for line in lines(picture, AXIS) if not line.get("stroke-dasharray")]
    assert {tuple(down) for down in grid} == {tuple(extent(rule)[1])}
    assert grid[0][1] == axis[0]
    for bar in parsed(picture).findall(".//{*}rect")[1:]:
        top, bottom = extent(bar)[1]
        assert grid[0][0] <= top < bottom <= grid[0][1]


def test_many_rows_have_the_numbers_of_the_axis_above_them_too() -> None:
    assert texts(drawn(RowGroup("", rows(4)))).count("2") == 1
    assert texts(drawn(RowGroup("", rows(60)))).count("20") == 2


@pytest.mark.parametrize("heading", ["", "a heading"])
def test_a_reason_stands_on_white_where_a_mark_or_all_rows_are_missing(heading: str) -> None:
    reason = Undefined("nobody answered")
    for group in (
        RowGroup(heading, [Row("row", [reason])]),
        RowGroup(heading, reason),
        RowGroup(heading, [Row("row", [reason, Dot(value=1.0, text="one")])]),
    ):
        picture = drawn(RowGroup("", rows(2)), group)
        (said,) = [box for box in boxes(picture) if box.text == str(reason)]
        grounds = [
            extent(box)
            for box in parsed(picture).findall(".//{*}rect")[1:]
            if box.get("fill") == "#fff"
        ]
        assert any(
            across[0] <= said.left < said.right <= across[1]
            and down[0] <= said.top < said.bottom <= down[1]
            for across, down in grounds
        )
        assert overlaps(picture) == []
        assert outside(picture) == []


def test_a_label_stands_beside_the_middle_of_its_marks() -> None:
    marks = [Dot(value=float(place), text=f"n{place}") for place in range(3)]
    picture = drawn(RowGroup("", [Row("row", marks)]))
    found = {box.text: (box.top + box.bottom) / 2 for box in boxes(picture)}
    assert found["row"] == pytest.approx(found["n1"], abs=1.0)
    steps = found["n1"] - found["n0"], found["n2"] - found["n1"]
    assert steps[0] == pytest.approx(steps[1])
    assert steps[0] >= marks[0].height
