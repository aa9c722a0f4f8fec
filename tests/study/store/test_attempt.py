"""Attempts of addresses."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import inspect, text

from kilter.study.store.attempt import AttemptKind
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock

LINK, JOIN = AttemptKind.WRONG_LINK, AttemptKind.JOIN


def rows(running_study: RunningStudy) -> list[tuple[object, ...]]:
    with running_study.store._database.reading() as connection:
        assert inspect(connection).has_table("attempt")
        return [tuple(row) for row in connection.execute(text("SELECT * FROM attempt"))]


@on_every_database
def test_attempts_are_counted_by_kind_and_address_and_forgotten(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, 1_000_000.0)
    attempts = running_study.store.attempts
    assert [attempts.attempt(LINK, "10.0.0.1", most=2, seconds=60) for _ in range(3)] == [
        True,
        True,
        False,
    ]
    assert attempts.attempt(LINK, "10.0.0.2", most=2, seconds=60)
    assert attempts.attempt(JOIN, "10.0.0.1", most=2, seconds=60)
    assert attempts.count(LINK, "10.0.0.1", seconds=60) == 2
    clock.now += 61
    assert attempts.count(LINK, "10.0.0.1", seconds=60) == 0
    assert attempts.attempt(LINK, "10.0.0.1", most=2, seconds=60)
    assert attempts.count(LINK, "10.0.0.1", seconds=3600) == 3
    assert not any("10.0.0" in str(row) for row in rows(running_study))
    clock.now += 3590
    running_study.store.settle()
    assert len(rows(running_study)) == 1
    clock.now += 11
    running_study.store.settle()
    assert rows(running_study) == []


@on_every_database
def test_attempts_at_the_same_time_are_all_counted(running_study: RunningStudy) -> None:
    def attempt(_: int) -> bool:
        return running_study.store.attempts.attempt(JOIN, "10.0.0.1", most=5, seconds=60)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(40))) == 5
