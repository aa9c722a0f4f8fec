"""What a researcher should look at while a study runs: people, items and questions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from kilter.core.settings import Choice
from kilter.study.store.collected_data import FAST_SHARE, LONG_RUN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.study.store.collected_data import CollectedData
    from kilter.study.store.participant import Participant

SLOW_FACTOR = 3.0
SLOW_LOOKS = 3
LOW_AGREEMENT = 0.2


class WarningKind(Choice):
    """What is odd."""

    CONTROLS = "controls"
    RUN = "run"
    FAST = "fast"
    SLOW = "slow"
    AGREEMENT = "agreement"


@dataclass(frozen=True, slots=True)
class StudyWarning:
    """One thing to look at: about a participant, an item or a question, with the numbers that say why."""

    kind: WarningKind
    subject: Participant | str
    numbers: Mapping[str, int | float]


def study_warnings(data: CollectedData) -> list[StudyWarning]:
    """Return what is odd: careless participants, slow items, questions without agreement, in this order.

    A participant is careless who misses a control item, gives the same answers to ten items in a row or more,
    or answers more than half of the items in less than three seconds. An item is slow if at least three people
    have looked at it for a median of more than three times that of all such items. Agreement is low if
    Krippendorff's alpha is less than 0.2, which is little more than chance.
    """
    return [*_careless(data), *_slow(data), *_disagreeing(data)]


def _careless(data: CollectedData) -> list[StudyWarning]:
    found = []
    for sign in data.quality():
        if sign.controls_failed:
            numbers = {"failed": sign.controls_failed, "controls": sign.controls}
            found.append(StudyWarning(WarningKind.CONTROLS, sign.participant, numbers))
        if sign.longest_run >= LONG_RUN:
            numbers = {"items": sign.longest_run}
            found.append(StudyWarning(WarningKind.RUN, sign.participant, numbers))
        if sign.fast is not None and sign.fast > FAST_SHARE:
            numbers = {"percent": round(100 * sign.fast)}
            found.append(StudyWarning(WarningKind.FAST, sign.participant, numbers))
    return found


def _slow(data: CollectedData) -> list[StudyWarning]:
    looks: dict[str, list[float]] = {}
    for person in data.active():
        for judgment in data.judgments(person):
            if judgment.seconds is not None and not judgment.is_empty:
                looks.setdefault(judgment.item.id, []).append(judgment.seconds)
    medians = {name: median(times) for name, times in looks.items() if len(times) >= SLOW_LOOKS}
    if not medians:
        return []
    usual = median(medians.values())
    slow = sorted(
        ((spent, name) for name, spent in medians.items() if spent > SLOW_FACTOR * usual),
        reverse=True,
    )
    return [
        StudyWarning(WarningKind.SLOW, name, {"seconds": round(spent, 1), "usual": round(usual, 1)})
        for spent, name in slow
    ]


def _disagreeing(data: CollectedData) -> list[StudyWarning]:
    return [
        StudyWarning(WarningKind.AGREEMENT, name, {"alpha": round(alpha, 3)})
        for name, alpha in data.agreement().items()
        if alpha is not None and alpha < LOW_AGREEMENT
    ]
