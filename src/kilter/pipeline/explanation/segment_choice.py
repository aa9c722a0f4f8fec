"""Which segments of which systems are explained: by number, by a low score, by a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.options.argument import check_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEW = 10
"""How many segments a difference between two systems shows, unless said otherwise."""


@dataclass(frozen=True, kw_only=True)
class SegmentChoice:
    """One way to choose segments: their numbers from 1, the worst, or those in which two systems differ most.

    With none of them, the only segment is chosen.
    """

    segments: tuple[int, ...] = ()
    worst: int | None = None
    """How many segments of each system, those with its lowest scores by the first metric."""
    largest_difference: tuple[str, str] | None = None
    """Two systems; segments in which the first is furthest behind or ahead of the second come first."""
    count: int = FEW
    """How many of these."""

    def __post_init__(self) -> None:
        check_fields(self)
        given = [bool(self.segments), self.worst is not None, self.largest_difference is not None]
        if sum(given) > 1:
            raise OptionError(
                "segments are chosen by number, as the worst, or by the largest difference; choose one way"
            )
        for name, number in (("worst", self.worst), ("count", self.count)):
            if number is not None and number < 1:
                raise OptionError(f"{name} is {number}; it must be 1 or more")

    def chosen(
        self,
        systems: Sequence[str],
        scores: Sequence[NDArray[np.float64]],
        *,
        higher_is_better: bool,
    ) -> list[tuple[int, int]]:
        """Return places of systems and of segments, both from 0; `scores` are those of each system."""
        total = len(scores[0])
        everyone = range(len(systems))
        if self.worst is not None:
            sign = 1.0 if higher_is_better else -1.0
            return [
                (system, int(segment))
                for system in everyone
                for segment in np.argsort(sign * scores[system], kind="stable")[: self.worst]
            ]
        if self.largest_difference is not None:
            pair = [_place(name, systems) for name in self.largest_difference]
            if pair[0] == pair[1]:
                raise OptionError(f"{systems[pair[0]]} is named twice; name two different systems")
            gap = np.abs(scores[pair[0]] - scores[pair[1]])
            order = np.argsort(-gap, kind="stable")[: self.count]
            return [(system, int(segment)) for segment in order for system in pair]
        if not self.segments and total != 1:
            raise OptionError(
                f"there are {counted(total, 'segment')}; choose some by their numbers, the worst, or those with "
                "the largest difference between two systems"
            )
        for number in self.segments:
            if not 1 <= number <= total:
                raise InputError(
                    f"there is no segment {number}; the texts have {counted(total, 'segment')}, counted from 1"
                )
        listed = [number - 1 for number in dict.fromkeys(self.segments)] or [0]
        return [(system, segment) for segment in listed for system in everyone]


def _place(name: str, systems: Sequence[str]) -> int:
    if name not in systems:
        raise OptionError(f"there is no system {name!r}; the systems are: {', '.join(systems)}")
    return systems.index(name)
