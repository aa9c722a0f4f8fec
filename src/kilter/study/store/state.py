"""What the researcher has set for a study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """What the researcher has set."""

    paused: bool
    open_limit: int
    links: int
    closed_at: float | None = None
