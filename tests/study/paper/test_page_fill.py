"""Blocks over pages."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from kilter.core.errors import InputError
from kilter.study.paper.block import Column
from kilter.study.paper.page_fill import BlockGroup, Gap, fill_pages
from kilter.study.paper.type.typeface import built_in
from kilter.study.paper.type.typeface_choice import TypefacePair
from kilter.study.paper.type.typesetter import Typesetter
from tests.thorough import tried

SETTER = Typesetter([TypefacePair(built_in(), None)])


@dataclass(frozen=True)
class Brick:
    """A block of a height."""

    high: float

    def texts(self) -> Iterable[tuple[str, str]]:
        yield "en", f"a brick of {self.high:g}"

    def height(self, setter: Typesetter, width: float) -> float:
        assert setter
        assert width
        return self.high

    def draw(self, setter: Typesetter, column: Column) -> None:
        raise AssertionError((setter, column))


def pages(heights: Sequence[float]) -> list[list[float]]:
    high, gap = 100.0, Gap(4, 20)
    groups = [BlockGroup((Brick(height),)) for height in heights]
    filled = fill_pages(groups, SETTER, width=1, height=high, gap=gap)
    for page in filled:
        used = sum(block.high for group in page.groups for block in group.blocks)  # type: ignore[attr-defined]
        between = len(page.groups) - 1
        assert used + between * page.gap <= high + 1e-9 or page.gap == gap.least
        assert gap.least <= page.gap <= gap.most
    return [[group.blocks[0].high for group in page.groups] for page in filled]  # type: ignore[attr-defined]


def every_way(heights: Sequence[float], high: float, gap: float) -> list[list[list[float]]]:
    """Return all ways to lay groups on pages that fit."""
    if not heights:
        return [[]]
    ways = []
    for end in range(1, len(heights) + 1):
        page = [*heights[:end]]
        if sum(page) + gap * (end - 1) <= high:
            ways += [[page, *rest] for rest in every_way(heights[end:], high, gap)]
    return ways


@pytest.mark.parametrize("seed", range(tried(40, quick=8)))
def test_pages_are_few_and_what_is_empty_is_shared_among_them(seed: int) -> None:
    chance = random.Random(seed)
    heights = [float(chance.randint(10, 60)) for _ in range(chance.randint(1, 10))]

    def worth(way: list[list[float]]) -> tuple[int, float]:
        used = [sum(page) + 4 * (len(page) - 1) for page in way]
        return len(way), sum((100 - high) ** 2 for high in used)

    best = min(map(worth, every_way(heights, 100, 4)))
    assert worth(pages(heights)) == pytest.approx(best)


def test_room_that_is_left_lies_between_groups_up_to_what_looks_good() -> None:
    groups = [BlockGroup((Brick(20.0),)) for _ in range(3)]
    for gap, expected in ((Gap(4, 50), 20.0), (Gap(4, 15), 15.0)):
        (page,) = fill_pages(groups, SETTER, width=1, height=100, gap=gap)
        assert page.gap == expected


def test_what_is_higher_than_a_page_is_named() -> None:
    with pytest.raises(InputError, match="what begins with 'a brick of 101' is higher than a page"):
        pages([10.0, 101.0])
