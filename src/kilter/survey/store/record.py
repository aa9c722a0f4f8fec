"""Rows of the database as the rest of the survey sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kilter.options.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping


class Stage(Choice):
    """What a participant does next."""

    INFORMATION = "information"
    CONSENT = "consent"
    ABOUT = "about"
    SAMPLE = "sample"
    ITEMS = "items"
    SUBMITTED = "submitted"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """One participant; times are seconds since 1970, None for what has not happened."""

    id: int
    link: int | None
    origin: str
    questionnaire: int
    consent: Mapping[str, bool] | None
    personal: Mapping[str, Any] | None
    informed_at: float | None
    consented_at: float | None
    described_at: float | None
    sampled_at: float | None
    submitted_at: float | None
    withdrawn_at: float | None
    created_at: float

    @property
    def stage(self) -> Stage:
        """Where the participant is."""
        steps = (
            (self.informed_at, Stage.INFORMATION),
            (self.consented_at, Stage.CONSENT),
            (self.described_at, Stage.ABOUT),
            (self.sampled_at, Stage.SAMPLE),
            (self.submitted_at, Stage.ITEMS),
        )
        if self.withdrawn_at is not None:
            return Stage.WITHDRAWN
        return next((stage for done, stage in steps if done is None), Stage.SUBMITTED)


@dataclass(frozen=True, slots=True)
class State:
    """What the researcher has set."""

    paused: bool
    open_limit: int
    links: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one question about the item at a position, counted from 1."""

    participant: int
    position: int
    question: str
    value: int
    saved_at: float


@dataclass(slots=True)
class PaperAnswers:
    """What one participant wrote on paper."""

    name: str
    questionnaire: int
    answers: dict[int, dict[str, int | None]] = field(default_factory=dict)
    personal: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """One look at an item: what names it, and when the page was made."""

    visit: str
    opened_at: float


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure removed, and what is left.

    `log_emptied` is False if somebody who reads the database keeps what was erased in its write-ahead log.
    """

    judgments_removed: int
    judgments_left: int
    log_emptied: bool
