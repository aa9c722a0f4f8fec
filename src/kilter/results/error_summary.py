"""Order errors of a system summed up: by kind, word, tag, relation, construction, distance and length."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document

SCHEMA = "kilter.order-errors/1"


class ErrorGrouping(StrEnum):
    """By what errors are grouped.

    `word`, `tag` and `relation` are those of the words that are to move, `construction` is relation and
    tag of the word on which the others of the block hang: known where there are trees. `length` counts the
    words of the hypothesis, `distance` the linked words that a block passes over.
    """

    KIND = "kind"
    WORD = "word"
    TAG = "tag"
    RELATION = "relation"
    CONSTRUCTION = "construction"
    DISTANCE = "distance"
    LENGTH = "length"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorGroup:
    """Errors that have something in common.

    `loss` is their part of the sum of all segments' losses by the metric; several words that move together
    share it evenly. `occurrences` says how often the word, tag or relation stands in the hypotheses, or how many
    segments have the length; None where there is nothing to count.
    """

    name: str
    errors: int
    loss: float
    occurrences: int | None = None

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.order-errors/1`."""
        return {
            "name": self.name,
            "errors": self.errors,
            "loss": self.loss,
            "occurrences": self.occurrences,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSummary:
    """All order errors of a system; groups of the greatest loss come first."""

    system: str
    metric: str
    segments: int
    faulty: int
    """Segments with an order error."""
    proved: int
    """Segments in which no smaller set of errors would do."""
    errors: int
    left_out: int
    """Further errors that are doubtful, or were to be ignored."""
    loss: float
    """What is lost by the errors that are counted."""
    groups: Mapping[ErrorGrouping, tuple[ErrorGroup, ...]]

    def to_dict(self) -> Document:
        """Return the document `kilter.order-errors/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "system": self.system,
            "metric": self.metric,
            "segments": self.segments,
            "faulty": self.faulty,
            "proved": self.proved,
            "errors": self.errors,
            "left_out": self.left_out,
            "loss": self.loss,
            "groups": {
                str(grouping): [group.to_dict() for group in groups]
                for grouping, groups in self.groups.items()
            },
        }
