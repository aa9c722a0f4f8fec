"""Places of systems as lines."""

import re

from kilter.render.chart.frame import Caption
from kilter.render.chart.row_chart import rank_chart


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
