"""Hypotheses about variants of a metric from ranges of correlations over configurations. [TH] 7.1"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.structures.undefined import Number, Undefined

Correlations = Mapping[str, Sequence[float]]
"""Correlations over configurations, by variant: b c co cl fb fc fco fcl derp fderp, or by baseline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisResult:
    """One row of the table: whether the alternative is supported, by which variants, and the numbers."""

    id: str
    alternative: str
    supported: bool | Undefined
    variants: tuple[str, ...]
    numbers: Mapping[str, Number]

    @property
    def result(self) -> str:
        """What the table prints: null rejected, or not rejected."""
        if not isinstance(self.supported, bool):
            return str(self.supported)
        return "null rejected" if self.supported else "not rejected"


def outperforms(first: Sequence[float], second: Sequence[float]) -> bool:
    """Return whether the smallest of the first is above the largest of the second."""
    raise NotImplementedError


def at_least_as_accurate(first: Sequence[float], second: Sequence[float]) -> bool:
    """Return whether ranges overlap or the first lies above: its largest above the smallest of the second."""
    raise NotImplementedError


def hypotheses(
    order: Correlations, holistic: Correlations, baselines: Correlations
) -> tuple[HypothesisResult, ...]:
    """Return the nine hypotheses; `baselines` are correlations with the question of order."""
    raise NotImplementedError
