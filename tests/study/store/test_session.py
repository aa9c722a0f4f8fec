"""Sessions of researchers."""

import pytest

from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock


@on_every_database
def test_a_session_ends_twelve_hours_after_it_began(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 1e9), running_study.store
    first = store.sessions.begin("anna")
    clock.now += 6 * 3600
    second = store.sessions.begin("anna")
    assert [store.sessions.holder(token) == "anna" for token in (first, second, "guess")] == [
        True,
        True,
        False,
    ]
    clock.now = 1e9 + 12 * 3600 + 1
    assert [store.sessions.holder(token) == "anna" for token in (first, second)] == [False, True]
    third = store.sessions.begin("anna")
    store.sessions.forget()
    clock.now = 1e9  # should the clock be set back, what is over stays over
    assert [store.sessions.holder(token) == "anna" for token in (first, second, third)] == [
        False,
        True,
        True,
    ]
    store.sessions.end(second)
    assert [store.sessions.holder(token) == "anna" for token in (second, third)] == [False, True]


@on_every_database
def test_sessions_end_account_by_account(running_study: RunningStudy) -> None:
    sessions = running_study.store.sessions
    tokens = [sessions.begin(name) for name in ("anna", "otto", "anna")]
    assert [sessions.holder(token) for token in tokens] == ["anna", "otto", "anna"]
    sessions.end_of("anna")
    assert [sessions.holder(token) for token in tokens] == [None, "otto", None]
