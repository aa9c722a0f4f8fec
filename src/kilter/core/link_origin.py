"""Where links come from, so that messages can say it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.link import Link

SIDES = ("first sentence", "second sentence")
HYPOTHESIS_REFERENCE = ("hypothesis", "reference")
SOURCE_HYPOTHESIS = ("source", "hypothesis")
SOURCE_REFERENCE = ("source", "reference")


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """What made or holds links, what they join, and how the first word of a sentence is numbered there.

    Links and segments are zero-based here as everywhere; only what is shown counts from `base`.

    >>> origin = LinkOrigin("aligner hmm", sides=("hypothesis", "reference"))
    >>> origin.where(2, (7, 3))
    'aligner hmm, segment 3'
    >>> origin.outside((7, 3), (5, 9))
    'link 7-3 points past the 5 words of the hypothesis, counted from 0; links and texts must belong \
together, split into the same words'
    """

    name: str = ""
    sides: tuple[str, str] = SIDES
    base: int = 0

    def where(self, segment: int, link: Link | None = None) -> str:  # noqa: ARG002 - for files
        """Return the place of a link, or of a segment's links."""
        number = f"segment {segment + 1}"
        return f"{self.name}, {number}" if self.name else number

    def shown(self, link: Link) -> str:
        """Return a link as its origin writes it."""
        first, second = link
        return f"{first + self.base}-{second + self.base}"

    def outside(self, link: Link, lengths: tuple[int, int]) -> str:
        """Return what is wrong with a link that joins words which sentences of these lengths lack."""
        if min(link) < 0:
            return (
                f"link {self.shown(link)} has a negative position; positions count from {self.base}"
            )
        side = int(link[0] < lengths[0])
        return (
            f"link {self.shown(link)} points past the {counted(lengths[side], 'word')} of the "
            f"{self.sides[side]}, counted from {self.base}; links and texts must belong together, "
            "split into the same words"
        )


@dataclass(frozen=True, slots=True)
class PickedOrigin(LinkOrigin):
    """Links of which some segments were picked."""

    rows: tuple[int, ...] = ()
    whole: LinkOrigin = field(default_factory=LinkOrigin)

    @classmethod
    def of(cls, whole: LinkOrigin, rows: Sequence[int]) -> PickedOrigin:
        """Return the origin of these segments of a whole."""
        return cls(whole.name or "links", whole.sides, whole.base, tuple(rows), whole)

    def where(self, segment: int, link: Link | None = None) -> str:
        """Return where the links of a segment are in the whole."""
        return self.whole.where(self.rows[segment], link)
