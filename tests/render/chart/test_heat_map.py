"""Tables of counts are cells beside one another, the darker the more."""

import pytest

from kilter.render.chart.frame import Caption
from kilter.render.chart.heat_map import heat_map
from tests.render.chart.test_frame import extent
from tests.render.picture import boxes, outside, overlaps, parsed

Across = tuple[float, float]


def cells(picture: str) -> list[tuple[Across, Across, str]]:
    """Return the left and right, the top and bottom, and the fill of every cell."""
    found = []
    for box in parsed(picture).findall("{*}rect")[1:]:  # the first is the ground of the picture
        across, down = extent(box)
        found.append(((across[0], across[1]), (down[0], down[1]), box.get("fill", "")))
    return found


def drawn(counts: list[list[int]]) -> str:
    columns = [f"c{place}" for place in range(len(counts[0]))]
    return heat_map(
        counts,
        caption=Caption(title="A title"),
        rows=("down", [f"r{place}" for place in range(len(counts))]),
        columns=("across", columns),
    )


def test_where_nothing_was_counted_all_is_white() -> None:
    assert {fill for _, _, fill in cells(drawn([[0, 0], [0, 0]]))} == {"#ffffff"}


def test_shades_follow_the_counts_from_white_to_the_darkest() -> None:
    fills = [fill for _, _, fill in cells(drawn([[0, 2, 4]]))]
    assert fills == ["#ffffff", "#8498b5", "#08306b"]


@pytest.mark.parametrize("width", [1, 3, 20])
def test_cells_fill_their_table_without_gaps_and_hold_numbers_in_their_middles(width: int) -> None:
    picture = drawn([[100 * row + place for place in range(width)] for row in range(3)])
    found = cells(picture)
    numbers = {box.text: box for box in boxes(picture)}
    for place, ((left, right), (top, bottom), _) in enumerate(found):
        row, column = divmod(place, width)
        assert (left, right) == pytest.approx(found[column][0])
        assert bottom - top == found[0][1][1] - found[0][1][0]
        # The first row stands at the bottom.
        assert bottom == pytest.approx(found[0][1][1] - row * (bottom - top))
        if column:
            assert left == pytest.approx(found[place - 1][0][1], abs=0.011)
        number, name = numbers[str(100 * row + column)], numbers[f"c{column}"]
        for text in (number, name):
            assert (text.left + text.right) / 2 == pytest.approx((left + right) / 2, abs=0.011)
        assert top < number.top < number.bottom < bottom
        assert numbers[f"r{row}"].right < found[0][0][0]
        assert top < numbers[f"r{row}"].top < numbers[f"r{row}"].bottom < bottom
    assert outside(picture) == []
    assert overlaps(picture) == []
