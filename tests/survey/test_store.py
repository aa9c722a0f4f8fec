"""The database: its tables, its transactions, and who may change what when."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import InterfaceError, ProgrammingError

from kilter.survey.opened import OpenStudy, open_study
from kilter.survey.store.database import open_database
from kilter.survey.store.model import METADATA
from kilter.survey.store.record import Stage, Timing
from kilter.survey.store.store import ClosedError, FullError
from tests.survey.running import example

Address = Callable[[], str | None]


@pytest.fixture
def opened(tmp_path: Path, database: Address) -> OpenStudy:
    return open_study(example(tmp_path / "study"), database=database())


def test_migrations_make_the_tables_that_the_code_knows(tmp_path: Path, database: Address) -> None:
    address = database()
    made = open_database(address, tmp_path)
    with made.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == "0001"
    made.close()
    open_database(address, tmp_path).close()  # a second start changes nothing


def test_an_answer_is_there_once_and_can_be_taken_back(opened: OpenStudy) -> None:
    store = opened.store
    person = store.participant(store.join())
    assert person is not None
    store.save(person.id, 2, {"holistic": 3, "order": 1})
    store.save(person.id, 2, {"holistic": 5})
    assert store.answers(person.id) == {2: {"holistic": 5, "order": 1}}
    store.save(person.id, 2, {"holistic": None, "order": None})
    assert store.answers(person.id) == {}
    store.close()


def test_looks_at_an_item_add_up(opened: OpenStudy) -> None:
    store = opened.store
    person = store.participant(store.join())
    assert person is not None
    for visit, ago in (("a", 10.0), ("b", 5.0), ("a", 3.0)):
        store.save(person.id, 1, {"holistic": 1}, timing=Timing(visit, time.time() - ago))
    assert store.seconds()[person.id, 1] == pytest.approx(15.0, abs=4.0)
    store.close()


def test_a_block_that_fails_leaves_nothing(opened: OpenStudy) -> None:
    store = opened.store
    person = store.participant(store.join())
    assert person is not None
    broken: dict[str, Any] = {"holistic": 3, "order": object()}
    with pytest.raises((ProgrammingError, InterfaceError)):
        store.save(person.id, 1, broken)
    assert store.answers(person.id) == {}
    store.close()


def test_closed_answers_stay_as_they_are(opened: OpenStudy) -> None:
    store = opened.store
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
    store.close()


def test_places_are_never_given_twice_to_people_who_come_at_once(opened: OpenStudy) -> None:
    store = opened.store
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
    spread = [row.participants for row in opened.collected().progress()]
    assert spread == [11, 11, 11, 11]
    store.close()


def test_links_are_one_per_questionnaire_and_grow_on_request(opened: OpenStudy) -> None:
    store = opened.store
    assert [person.questionnaire for person in store.participants()] == [1, 2, 3, 4]
    store.extend(links=2, open_places=3)
    assert [person.questionnaire for person in store.participants()] == [1, 2, 3, 4, 1, 2]
    assert store.state().open_limit == 43
    someone = store.participant(store.link_token(6))
    assert someone is not None
    assert someone.link == 6
    store.close()
