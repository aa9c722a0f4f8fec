"""Judgments of a study made from stated effects, so that analyses meet a known truth. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from kilter.survey.collected import Collected
    from kilter.survey.item import Item, Questionnaire
    from kilter.survey.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEffect:
    """What moves the answers to one question, on the scale from 0, the worst, to 1."""

    base: float = 0.95
    order: float = 0.0
    choice: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What simulated participants do.

    An answer is base - order x (order damage) - choice x (choice damage) + sentence + participant + noise,
    rounded to the nearest level. Careless participants answer at random.
    """

    questions: Mapping[str, QuestionEffect]
    participant_deviation: float = 0.1
    sentence_deviation: float = 0.1
    noise_deviation: float = 0.15
    careless: float = 0.0
    missing: float = 17 / 1800


@dataclass(frozen=True, kw_only=True, eq=False)
class SimulatedStudy:
    """The data, as if it had been collected, and the truth: offsets and carelessness by participant."""

    data: Collected
    seed: int
    effects: Effects
    offsets: NDArray[np.float64]
    careless: NDArray[np.bool_]


def read_effects(path: Path) -> Effects:
    """Return effects from a TOML file with schema = "kilter.effects/1"."""
    raise NotImplementedError


def simulate(
    study: Study,
    items: Mapping[str, Item],
    questionnaires: Sequence[Questionnaire],
    *,
    seed: int,
    effects: Effects | None = None,
    participants: int = 36,
) -> SimulatedStudy:
    """Return judgments of so many participants, who take the questionnaires in turn."""
    raise NotImplementedError
