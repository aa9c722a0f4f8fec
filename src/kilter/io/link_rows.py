"""Links as files write them, before they are checked against texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LARGEST = 2**31 - 1
LONGEST_PHRASE = 255
"""Words of a phrase, all of which are linked with all of another."""


class LinkFault(NamedTuple):
    """What is wrong in a line, counted from 1."""

    line: int
    reason: str


class SentenceWidths(NamedTuple):
    """How many words the file itself gives the two sentences of a segment; -1 for unknown."""

    line: int
    segment: int
    first: int
    second: int


@dataclass(slots=True)
class LinkRows:
    """Links as a file writes them: numbers in the file's counting, each with its segment and line."""

    links: NDArray[np.int32]
    owners: NDArray[np.int64]
    possible: NDArray[np.bool_]
    lines: NDArray[np.int64]
    segments: int
    faults: list[LinkFault]
    widths: list[SentenceWidths] = field(default_factory=list)


def position(word: bytes) -> int | None:
    """Return the number of a word; None for what is no number, or too large for any sentence."""
    digits = word.lstrip(b"0") or word[-1:]
    if not digits.isdigit() or len(digits) > 10:
        return None
    number = int(digits)
    return number if number <= _LARGEST else None
