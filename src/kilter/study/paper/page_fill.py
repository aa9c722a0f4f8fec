"""Blocks over pages: what belongs together stays together, and pages are filled evenly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.paper.block import Column, PaperBlock
    from kilter.study.paper.type.typesetter import Typesetter


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """Blocks that stay on one page; a line is drawn above, if something is there."""

    blocks: tuple[PaperBlock, ...]
    has_line: bool = False

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of all blocks."""
        return sum(block.height(setter, width) for block in self.blocks)

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw the blocks one beneath the other, and leave the column's top beneath them."""
        for block in self.blocks:
            block.draw(setter, column)
            column.top -= block.height(setter, column.width)


@dataclass(frozen=True, slots=True)
class Gap:
    """The room between groups in points: at least, and at most where a page has more than it needs."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class FilledPage:
    """Groups of a page, and the room between them."""

    groups: tuple[BlockGroup, ...]
    gap: float

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw the groups from the top of a column."""
        for number, group in enumerate(self.groups):
            if number:
                if group.has_line:
                    column.rule(0, self.gap / 2, column.width)
                column.top -= self.gap
            group.draw(setter, column)


def fill_pages(
    groups: Sequence[BlockGroup], setter: Typesetter, *, width: float, height: float, gap: Gap
) -> list[FilledPage]:
    """Return groups on as few pages as possible, with what stays empty shared among the pages.

    A group that is higher than a page is an `InputError`.
    """
    heights = [group.height(setter, width) for group in groups]
    for group, high in zip(groups, heights, strict=True):
        if high > height:
            first = next((text for block in group.blocks for _, text in block.texts()), "")
            raise InputError(
                f"what begins with {first[:60]!r} is higher than a page; shorten its texts"
            )
    return [
        FilledPage(tuple(groups[first:end]), _room(heights[first:end], height, gap))
        for first, end in _even(heights, height, gap.least)
    ]


def _room(heights: Sequence[float], height: float, gap: Gap) -> float:
    """Return the room between the groups of a page: as much as there is, within what looks good."""
    between = len(heights) - 1
    return min(max((height - sum(heights)) / max(between, 1), gap.least), gap.most)


def _even(heights: Sequence[float], height: float, gap: float) -> list[tuple[int, int]]:
    """Return the first group and the end of each page: the fewest pages, then the evenest.

    What is least is the number of pages, then the sum of squares of what is empty, by dynamic programming.
    """
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    for end in range(1, len(heights) + 1):
        options = []
        used = -gap
        for first in range(end - 1, -1, -1):
            used += heights[first] + gap
            if used > height and first < end - 1:
                break
            pages, waste, _ = best[first]
            options.append((pages + 1, waste + (height - used) ** 2, first))
        best.append(min(options))
    parts = []
    end = len(heights)
    while end:
        first = best[end][2]
        parts.append((first, end))
        end = first
    return parts[::-1]
