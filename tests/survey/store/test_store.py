"""The database: its tables, its transactions, and who may change what when."""

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.exc import InterfaceError, ProgrammingError

from kilter.survey.store.database import open_database
from kilter.survey.store.model import METADATA
from kilter.survey.store.record import PaperAnswers, Participant, Stage, Timing
from kilter.survey.store.running_study import RunningStudy, open_study
from kilter.survey.store.store import ClosedError, FullError
from tests.survey.conftest import on_every_database
from tests.survey.generated import edited

Address = Callable[[], str | None]


@on_every_database
def test_migrations_make_the_tables_that_the_code_knows(tmp_path: Path, database: Address) -> None:
    address = database()
    made = open_database(address, tmp_path)
    with made.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == "0001"
        keys = {
            name: inspect(connection).get_pk_constraint(name)["constrained_columns"]
            for name in METADATA.tables
        }
        # What makes a row the only one of its kind, which the comparison above leaves out.
        assert keys == {
            name: table.primary_key.columns.keys() for name, table in METADATA.tables.items()
        }
    made.close()
    open_database(address, tmp_path).close()  # a second start changes nothing


def test_links_and_open_places_are_added_apart(running_study: RunningStudy) -> None:
    store = running_study.store
    before = store.state()
    store.extend(links=2)
    assert store.state() == replace(before, links=before.links + 2)
    store.extend(open_places=3)
    assert store.state() == replace(
        before, links=before.links + 2, open_limit=before.open_limit + 3
    )


@on_every_database
def test_an_answer_is_there_once_and_can_be_taken_back(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participant(store.join())
    assert person is not None
    store.save(person.id, 2, {"holistic": 3, "order": 1})
    store.save(person.id, 2, {"holistic": 5})
    assert store.answers(person.id) == {2: {"holistic": 5, "order": 1}}
    store.save(person.id, 2, {"holistic": None, "order": None})
    assert store.answers(person.id) == {}


def test_looks_at_an_item_add_up(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participant(store.join())
    assert person is not None
    for visit, ago in (("a", 10.0), ("b", 5.0), ("a", 3.0)):
        store.save(person.id, 1, {"holistic": 1}, timing=Timing(visit, time.time() - ago))
    assert store.seconds()[person.id, 1] == pytest.approx(15.0, abs=4.0)


@on_every_database
def test_a_block_that_fails_leaves_nothing(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participant(store.join())
    assert person is not None
    broken: dict[str, Any] = {"holistic": 3, "order": object()}
    with pytest.raises((ProgrammingError, InterfaceError)):
        store.save(person.id, 1, broken)
    assert store.answers(person.id) == {}


def test_closed_answers_stay_as_they_are(running_study: RunningStudy) -> None:
    store = running_study.store
    token = store.join()
    person = store.participant(token)
    assert person is not None
    store.save(person.id, 1, {"holistic": 3})
    store.submit(person.id)
    with pytest.raises(ClosedError):
        store.save(person.id, 1, {"holistic": 4})
    with pytest.raises(ClosedError):
        store.submit(person.id)
    assert store.answers(person.id) == {1: {"holistic": 3}}
    erased = store.erase(person.id, judgments=False)
    assert (erased.judgments_removed, erased.judgments_left) == (0, 1)
    assert store.participant(token) is None
    (again,) = [someone for someone in store.participants() if someone.id == person.id]
    assert again.stage is Stage.WITHDRAWN


@on_every_database
def test_places_are_never_given_twice_to_people_who_come_at_once(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    limit = store.state().open_limit
    tokens: list[str] = []
    refused: list[bool] = []

    def come() -> None:
        for _ in range(10):
            try:
                tokens.append(store.join())
            except FullError:
                refused.append(True)

    threads = [threading.Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*tokens}) == limit == 40
    assert len(refused) == 20
    spread = [row.participants for row in running_study.collected().progress()]
    assert spread == [11, 11, 11, 11]


def test_links_are_one_per_questionnaire_and_grow_on_request(running_study: RunningStudy) -> None:
    store = running_study.store
    assert [person.questionnaire for person in store.participants()] == [1, 2, 3, 4]
    store.extend(links=2, open_places=3)
    assert [person.questionnaire for person in store.participants()] == [1, 2, 3, 4, 1, 2]
    assert store.state().open_limit == 43
    someone = store.participant(store.link_token(6))
    assert someone is not None
    assert someone.link == 6


class Clock:
    """What the store takes for the time, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, now: float) -> None:
        self.now = now
        monkeypatch.setattr(
            "kilter.survey.store.store.time", SimpleNamespace(time=lambda: self.now)
        )


def joined(running_study: RunningStudy) -> Participant:
    person = running_study.store.participant(running_study.store.join())
    assert person is not None
    return person


@on_every_database
def test_a_session_ends_twelve_hours_after_it_began(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 1e9), running_study.store
    first = store.begin_session()
    clock.now += 6 * 3600
    second = store.begin_session()
    assert [store.has_session(token) for token in (first, second, "guess")] == [True, True, False]
    clock.now = 1e9 + 12 * 3600 + 1
    assert [store.has_session(token) for token in (first, second)] == [False, True]
    third = store.begin_session()  # which forgets those that are over
    clock.now = 1e9  # should the clock be set back, what is over stays over
    assert [store.has_session(token) for token in (first, second, third)] == [False, True, True]
    store.end_session(second)
    assert [store.has_session(token) for token in (second, third)] == [False, True]


def test_times_are_never_negative_and_never_shrink_when_the_clock_is_set_back(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 0.0), running_study.store
    person = joined(running_study)
    saves = [  # time of the save, name of the visit, time at which the page was made
        (1000.0, "a", 990.0),
        (400.0, "a", 990.0),
        (500.0, "b", 800.0),
        (700.0, "c", 650.0),
        (690.0, "c", 650.0),
        (760.0, "c", 655.0),
    ]
    for now, visit, made in saves:
        clock.now = now
        store.save(person.id, 3, {"order": 2}, timing=Timing(visit, made))
        assert store.seconds()[person.id, 3] >= 0.0
    # 10 s; the page of b seems to be made after it was saved: 0 s; from 650 to the latest save of c.
    assert store.seconds() == {(person.id, 3): 10.0 + 0.0 + 110.0}


def test_times_are_those_of_one_participant_and_item(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 100.0), running_study.store
    people = [joined(running_study) for _ in range(2)]
    expected = {}
    for place, person in enumerate(people):
        for position in (1, 2):
            spent = 10.0 * place + position
            made = clock.now - spent
            store.save(person.id, position, {"order": 1}, timing=Timing("a", made))
            expected[person.id, position] = spent
    assert store.seconds() == expected


def test_an_answer_taken_back_leaves_the_others_alone(running_study: RunningStudy) -> None:
    store = running_study.store
    first, second = joined(running_study), joined(running_study)
    for person in (first, second):
        for position in (1, 2):
            store.save(person.id, position, {"holistic": 3, "order": 4})
    store.save(first.id, 1, {"order": None})
    assert store.answers(first.id) == {1: {"holistic": 3}, 2: {"holistic": 3, "order": 4}}
    assert store.answers(second.id) == {
        position: {"holistic": 3, "order": 4} for position in (1, 2)
    }


def test_whoever_has_withdrawn_does_not_count_when_people_are_spread(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    people = [joined(running_study) for _ in range(6)]
    assert [person.questionnaire for person in people] == [1, 2, 3, 4, 1, 2]
    for place in (2, 1, 5):  # the only one of 3, both of 2
        store.erase(people[place].id, judgments=place != 1)
    assert [joined(running_study).questionnaire for _ in range(4)] == [2, 3, 2, 3]


def test_a_link_counts_when_it_is_used_and_not_before(running_study: RunningStudy) -> None:
    store = running_study.store
    used = [store.participant(store.link_token(link)) for link in (1, 2)]
    for person in used:
        assert person is not None
        store.advance(person.id, informed_at=1.0)
    assert [joined(running_study).questionnaire for _ in range(3)] == [3, 4, 1]


def test_people_on_paper_take_no_place_of_open_recruitment(running_study: RunningStudy) -> None:
    store = running_study.store
    store.enter([PaperAnswers(f"person {number}", 1) for number in range(60)])
    assert store.has_place()
    assert joined(running_study).questionnaire == 2
    (person,) = [p for p in store.participants() if p.id == 5]
    assert (person.origin, person.questionnaire, person.stage) == ("paper", 1, Stage.SUBMITTED)


def test_a_paused_study_lets_nobody_in(running_study: RunningStudy) -> None:
    running_study.store.pause(paused=True)
    with pytest.raises(FullError):
        running_study.store.join()
    running_study.store.pause(paused=False)
    assert running_study.store.join()


def test_whoever_has_withdrawn_can_change_nothing(running_study: RunningStudy) -> None:
    store = running_study.store
    person = joined(running_study)
    store.save(person.id, 1, {"order": 1})
    store.erase(person.id, judgments=False)
    with pytest.raises(ClosedError):
        store.save(person.id, 1, {"order": 5})
    with pytest.raises(ClosedError):
        store.advance(person.id, personal={"age": 30})
    with pytest.raises(ClosedError):
        store.submit(person.id)
    assert store.answers(person.id) == {1: {"order": 1}}


def test_the_first_withdrawal_is_the_one_that_counts(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, 5000.0)
    person = joined(running_study)
    running_study.store.erase(person.id, judgments=False)
    clock.now = 9000.0
    running_study.store.erase(person.id, judgments=True)
    (again,) = [p for p in running_study.store.participants() if p.id == person.id]
    assert again.withdrawn_at == 5000.0


def test_a_study_that_is_not_open_has_no_places_whatever_limit_it_names(
    created: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(created, folder)
    study = edited(folder, ("open = true", "open = false"))
    running_study = open_study(study, database=None)
    assert running_study.store.state().open_limit == 0
    with pytest.raises(FullError):
        running_study.store.join()
    running_study.store.close()
