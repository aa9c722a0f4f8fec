"""The end of a study: what led from people to answers is destroyed, and nothing else."""

import json
import re
import time
from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.study.password import participant_code, token_hash
from kilter.study.store.answer import PaperAnswers, Timing
from kilter.study.store.attempt import AttemptKind
from kilter.study.store.participant import FullError, Stage
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock

DAY = 24 * 3600.0
PEOPLE = 12


@pytest.fixture
def tokens(running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let some people come and answer, each an hour after the other; return the tokens of their links."""
    clock, store = Clock(monkeypatch, 1e9), running_study.store
    store.extend(links=PEOPLE)
    found = [store.participants.link_token(link) for link in range(1, PEOPLE + 1)]
    for number, token in enumerate(found):
        clock.now = 1e9 + 3600.0 * number
        person = store.participants.find(token)
        assert person is not None
        steps = dict.fromkeys(("informed_at", "consented_at", "sampled_at"), clock.now)
        store.participants.advance(
            person.id, personal={"age": 20 + number}, described_at=clock.now, **steps
        )
        store.answers.save(
            person.id,
            1 + number % 3,
            {"holistic": 1 + number % 5},
            timing=Timing(f"v{number}", clock.now - 10 - number),
        )
    clock.now = time.time()
    return found


def told(study: RunningStudy) -> list[str]:
    """Return all that people have said, each with how long it took, in an order of its own."""
    store = study.store
    seconds = store.answers.seconds()
    return sorted(
        json.dumps(
            [
                person.questionnaire,
                person.origin,
                person.personal,
                str(person.stage),
                store.answers.of(person.id),
                [round(spent, 3) for (owner, _), spent in seconds.items() if owner == person.id],
            ],
            sort_keys=True,
        )
        for person in store.participants.all()
    )


@on_every_database
def test_what_led_from_people_to_answers_is_destroyed_and_answers_stay(
    running_study: RunningStudy, tokens: list[str]
) -> None:
    store = running_study.store
    before, said = store.participants.all(), told(running_study)
    codes = [participant_code(running_study.keys.secret, p.code_name) for p in before]
    visit = store.visits.begin(before[0].id)
    arrived = [str(p.personal["age"]) for p in before if p.personal]
    assert arrived == sorted(arrived)
    closing = store.close_study(unlink=True)
    assert (closing.unlinked, closing.log_emptied) == (len(before), True)
    assert store.state().closed_at is not None
    after = store.participants.all()
    assert told(running_study) == said
    assert {p.link for p in after} == {None}
    assert {p.id for p in after}.isdisjoint(p.id for p in before)
    assert [store.participants.find(token) for token in tokens] == [None] * PEOPLE
    assert [store.participants.named(code) for code in codes] == [None] * len(codes)
    assert store.visits.find(visit) is None
    came = [str(p.personal["age"]) for p in after if p.personal]
    assert sorted(came) == arrived
    assert came != arrived, "the order of numbers is no longer that in which people came"
    moments = [
        getattr(p, name)
        for p in after
        for name in ("created_at", "informed_at", "consented_at", "described_at", "sampled_at")
    ]
    moments += [answer.saved_at for answer in store.answers.all()]
    assert {moment % DAY for moment in moments if moment is not None} == {0.0}


def test_no_byte_of_the_file_leads_to_anybody(
    running_study: RunningStudy, tokens: list[str]
) -> None:
    store = running_study.store
    path = re.sub("^sqlite:///", "", store.name)
    hashes = [token_hash(token).encode() for token in tokens]

    def stored() -> bytes:
        content = b""
        for end in ("", "-wal"):
            with open(path + end, "rb") as file:  # noqa: PTH123 - a name of the database
                content += file.read()
        return content

    if not store.is_sqlite:
        pytest.skip("a file of SQLite is looked at")
    assert all(hashed in stored() for hashed in hashes)
    store.close_study(unlink=True)
    assert not any(hashed in stored() for hashed in hashes)


@on_every_database
def test_without_a_promise_a_closed_study_keeps_its_links(
    running_study: RunningStudy, tokens: list[str]
) -> None:
    store = running_study.store
    before = store.participants.all()
    assert store.close_study(unlink=False).unlinked == 0
    assert store.participants.all() == before
    person = store.participants.find(tokens[0])
    assert person is not None
    store.erase(person.id, judgments=True)  # who wants to withdraw still can
    assert [p.stage for p in store.participants.all()].count(Stage.WITHDRAWN) == 1


def test_a_closed_study_takes_nobody_and_stays_closed(running_study: RunningStudy) -> None:
    store = running_study.store
    store.close_study(unlink=True)
    closed = store.state().closed_at
    with pytest.raises(FullError):
        store.participants.join()
    refused: list[Any] = [
        lambda: store.extend(links=1),
        lambda: store.answers.enter([PaperAnswers("a", 1, {1: {"order": 2}})]),
    ]
    for act in refused:
        with pytest.raises(InputError, match="was closed, and takes nobody any more"):
            act()
    store.close_study(unlink=True)
    assert store.state().closed_at == closed


@on_every_database
def test_neither_attempts_nor_the_order_of_rows_tell_who_came_when(
    running_study: RunningStudy, tokens: list[str]
) -> None:
    store = running_study.store
    assert store.attempts.attempt(AttemptKind.JOIN, "192.0.2.7", most=9, seconds=3600)
    with store._database.reading() as connection:
        visits = connection.exec_driver_sql("SELECT visit FROM visit").scalars().all()
    assert len(visits) == len(tokens)
    store.close_study(unlink=True)
    place = "rowid" if store.is_sqlite else "ctid"
    with store._database.reading() as connection:

        def asked(query: str) -> list[Any]:
            return list(connection.exec_driver_sql(query).scalars())

        assert asked("SELECT address_hash FROM attempt") == []
        for table in ("answer", "visit"):
            kept = asked(f"SELECT participant FROM {table} ORDER BY {place}")  # noqa: S608 - our own names
            assert kept == sorted(kept)
            assert len(kept) == len(tokens)
        assert {*asked("SELECT opened_at FROM visit")} == {0.0}
        assert {*asked("SELECT visit FROM visit")}.isdisjoint(visits)
