"""Where metrics find what word vectors say about a hypothesis and a reference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.core.corpus import TextColumn
    from kilter.core.meaning_batch import MeaningBatch


@dataclass(frozen=True, kw_only=True)
class MeaningOptions:
    """How soft links are made of word vectors, and whose vectors these are.

    Two words are similar by s: the cosine of their vectors, plus `context` times the mean cosine of the
    words before and of the words after them, less `position` times the distance of their relative
    places. With e = exp((s - 1) / temperature) and e0 = exp((floor - 1) / temperature), their soft link
    has the mass e^2 / ((sum of e over its first word + e0) (sum of e over its second word + e0)).
    """

    context: float = 0.3
    position: float = 0.05
    temperature: float = 0.06
    floor: float = 0.6
    folder: str = ""
    """The folder of another model; empty: the installed one."""

    def numbers(self) -> str:
        """Return all options but the folder, as signatures write them.

        >>> MeaningOptions(floor=0.5).numbers()
        'context:0.3,position:0.05,temperature:0.06,floor:0.5'
        """
        named = [entry.name for entry in fields(self) if entry.name != "folder"]
        return ",".join(f"{name}:{getattr(self, name)!r}" for name in named)


class MeaningSource(ABC):
    """Says what word vectors say about a text and another one, segment by segment.

    Metrics reach it through an `Evaluation`, so that nothing is encoded that no metric looks at.
    """

    @abstractmethod
    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what is said about each segment; first words are those of the hypothesis."""
