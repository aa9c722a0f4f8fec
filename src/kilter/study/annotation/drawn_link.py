"""One link as an annotator sees it: sure or only possible, drawn or only proposed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class DrawnLink:
    """A link between a word of the source and one of the translation, both counted from 0.

    A link that is `proposed` was made by a program, and nobody has accepted it yet. `certainty`, above 0 and
    at most 1, is what the program says; None if it says nothing, or if somebody drew the link.
    """

    source: int
    target: int
    sure: bool = True
    proposed: bool = False
    certainty: float | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """The two words."""
        return self.source, self.target
