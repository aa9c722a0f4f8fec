"""A store under test: what it takes for the time, and somebody in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from kilter.study.store.participant import Participant
    from kilter.study.store.running_study import RunningStudy

_KEEPERS_OF_TIME = (
    "action",
    "admission",
    "analysis_run",
    "answer",
    "attempt",
    "closing",
    "erasure",
    "participant_table",
    "session",
)


class Clock:
    """What the store takes for the time, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, now: float) -> None:
        self.now = now
        for module in _KEEPERS_OF_TIME:
            monkeypatch.setattr(
                f"kilter.study.store.{module}.time", SimpleNamespace(time=lambda: self.now)
            )


def joined(running_study: RunningStudy) -> Participant:
    """Return somebody who has just come in by open recruitment."""
    person = running_study.store.participants.find(running_study.store.participants.join())
    assert person is not None
    return person
