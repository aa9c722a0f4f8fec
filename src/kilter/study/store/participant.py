"""Participants: by which way in they came, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import KilterError
from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS = ("informed_at", "consented_at", "described_at", "sampled_at", "submitted_at")
"""Columns with the time of each step, in their order."""


class FullError(KilterError):
    """Open recruitment has reached its limit, is paused, or was never open."""


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
    personal: Mapping[str, object] | None
    informed_at: float | None
    consented_at: float | None
    described_at: float | None
    sampled_at: float | None
    submitted_at: float | None
    withdrawn_at: float | None
    created_at: float
    code_seed: str | None = None
    consent_version: str | None = None
    recruitment_group: str | None = None

    @property
    def code_name(self) -> str:
        """What the code in exported data is made of: the number, until a withdrawal renews it."""
        return self.code_seed or str(self.id)

    @property
    def stage(self) -> Stage:
        """Where the participant is."""
        steps = (
            (self.informed_at, Stage.INFORMATION),
            (self.consented_at, Stage.CONSENT),
            (self.described_at, Stage.ABOUT),
            (self.sampled_at, Stage.SAMPLE),
        )
        if self.withdrawn_at is not None:
            return Stage.WITHDRAWN
        if self.submitted_at is not None:
            return Stage.SUBMITTED
        return next((stage for done, stage in steps if done is None), Stage.ITEMS)
