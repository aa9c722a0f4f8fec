"""Visits of participants: they end by themselves, and lead to no personal link."""

import pytest

from kilter.study.store.participant_session import VISIT_SECONDS
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock


@on_every_database
def test_a_visit_ends_two_hours_after_the_last_request(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 1e9), running_study.store
    assert VISIT_SECONDS == 2 * 3600
    link = store.participants.join()
    person = store.participants.find(link)
    assert person is not None
    busy, idle = store.visits.begin(person.id), store.visits.begin(person.id)
    assert len({link, busy, idle}) == 3
    assert store.visits.find(link) is None, "a link is no session"
    assert store.participants.find(busy) is None, "a session is not a link"
    for _ in range(5):
        clock.now += VISIT_SECONDS * 0.75
        visit = store.visits.find(busy)
        assert visit is not None
        assert visit.participant == person
    assert store.visits.find(idle) is None
    clock.now += VISIT_SECONDS + 1
    assert store.visits.find(busy) is None
    store.settle()
    clock.now = 1e9  # should the clock be set back, what is over stays over
    assert store.visits.find(busy) is None
    assert store.visits.find(idle) is None


@on_every_database
def test_a_visit_is_ended_alone_and_a_withdrawal_ends_all(running_study: RunningStudy) -> None:
    store = running_study.store
    people = [store.participants.find(store.participants.join()) for _ in range(2)]
    first, second = (person.id for person in people if person is not None)
    visits = [store.visits.begin(number) for number in (first, first, first, second)]
    store.visits.end(visits[0])
    found = [store.visits.find(token) for token in visits]
    assert [None if each is None else each.participant.id for each in found] == [
        None,
        first,
        first,
        second,
    ]
    store.erase(first, judgments=False)
    found = [store.visits.find(token) for token in visits]
    assert [None if each is None else each.participant.id for each in found] == [
        None,
        None,
        None,
        second,
    ]
