"""What researchers have done."""

import pytest

from kilter.study.store.action import Action, ActionKind, ActionWay
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock


@on_every_database
def test_actions_come_back_in_their_order(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, 1000.0)
    actions = running_study.store.actions
    assert actions.all() == []
    actions.add(ActionKind.EXPORT, way=ActionWay.WEB, detail="items.csv", account="anna")
    clock.now = 999.0  # a clock that was set back
    running_study.note("erase")
    assert actions.all() == [
        Action(1000.0, ActionWay.WEB, ActionKind.EXPORT, "items.csv", "anna"),
        Action(999.0, ActionWay.COMMAND, ActionKind.ERASE, ""),
    ]
