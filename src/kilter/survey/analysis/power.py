"""The power of a study that has not been run yet, by simulation. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.survey.simulation import Effects


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How many participants judge how many sentences, so many of them the same for all."""

    participants: int = 36
    sentences: int = 25
    shared: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The share of simulated studies with a significant correlation, with a 95% interval of the share."""

    question: str
    level: float
    repetitions: int
    share: float
    low: float
    high: float
    mean_rho: float
    rho_deviation: float


def simulated_power(
    design: Design,
    *,
    effects: Effects,
    question: str,
    accuracy: float,
    level: float = 0.05,
    repetitions: int = 1000,
    seed: int = 1,
) -> Power:
    """Return the power to show that a tool, correlated so well with order damage, correlates with answers."""
    raise NotImplementedError
