"""Two metrics compared by their agreement with people. Section 14.5"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.results.document import Document

from dataclasses import dataclass, replace
from typing import NamedTuple

from kilter.core.choice import Choice


class Verdict(Choice):
    """Which of two metrics agrees better with people on a language pair, if that is certain."""

    NEW = "new"
    BASELINE = "baseline"
    DRAW = "draw"


class NewBaselineDraw(NamedTuple):
    """On how many language pairs the new metric is better, the baseline is, or neither. [PC] table 3"""

    new: int
    baseline: int
    draw: int

    @property
    def wins(self) -> bool:
        """Whether the new metric is better more often than the baseline."""
        return self.new > self.baseline

    def __str__(self) -> str:
        return f"{self.new}/{self.baseline}/{self.draw}"


@dataclass(frozen=True, kw_only=True)
class MetricPair:
    """Two metrics by one measure; the difference is second less first, None where undefined.

    Agreement on pairs of translations is compared on those that neither metric ties: `first_value` and
    `second_value` are their agreement there, `shared` says how many there are.
    """

    first: str
    second: str
    first_value: float | None
    second_value: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    significant: bool
    shared: int | None

    @property
    def verdict(self) -> Verdict:
        """Which of the two agrees better, if that is certain; the second is the new metric."""
        if not self.significant or self.difference is None:
            return Verdict.DRAW
        return Verdict.NEW if self.difference > 0 else Verdict.BASELINE

    def reversed(self) -> MetricPair:
        """Return the same two metrics the other way round."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_value=self.second_value,
            second_value=self.first_value,
            difference=None if self.difference is None else -self.difference,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
        )

    def to_dict(self) -> Document:
        """Return the part of the JSON document that is about these two metrics."""
        return {
            "first": self.first,
            "second": self.second,
            "first_value": self.first_value,
            "second_value": self.second_value,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "significant": self.significant,
            "shared": self.shared,
        }
