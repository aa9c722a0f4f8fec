"""People of a project: links, sessions, and nothing in the database that leads to them."""

import sqlite3
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from kilter.core.errors import KilterWarning
from kilter.study.annotation.project import PROJECT_FILE, Role
from kilter.study.annotation.store import person
from kilter.study.annotation.store.annotation_store import DATABASE_FILE, open_project
from tests.study.annotation.projects import created


def test_a_link_and_a_session_lead_to_one_person_and_are_nowhere_in_the_file(
    tmp_path: Path,
) -> None:
    with created(tmp_path) as running:
        people = running.store.people
        tokens = {each.name: people.token(each.name) for each in people.all()}
        assert {name: people.find(token) for name, token in tokens.items()} == {
            each.name: each for each in people.all()
        }
        ada = people.find(tokens["A"])
        assert ada is not None
        visit = people.begin_visit(ada)
        found = people.visitor(visit)
        assert found is not None
        assert (found.name, found.role) == ("A", Role.ANNOTATOR)
        assert found.opened_at is not None
        assert people.find(visit) is None
        assert people.visitor(tokens["A"]) is None
        people.sessions.end(visit)
        assert people.visitor(visit) is None
    stored = (tmp_path / "project" / DATABASE_FILE).read_bytes()
    assert all(token.encode() not in stored for token in (*tokens.values(), visit))


def test_a_session_ends_after_hours_without_a_request_and_lasts_on_with_them(
    tmp_path: Path,
) -> None:
    with created(tmp_path) as running:
        people = running.store.people
        visit = people.begin_visit(people.all()[0])
        now = time.time()
        with patch(
            "kilter.study.annotation.store.person.time.time",
            lambda: now + 0.7 * person.VISIT_SECONDS,
        ):
            assert people.visitor(visit) is not None
        with patch(
            "kilter.study.annotation.store.person.time.time",
            lambda: now + 1.5 * person.VISIT_SECONDS,
        ):
            assert people.visitor(visit) is not None
        with patch(
            "kilter.study.annotation.store.person.time.time", lambda: now + 3 * person.VISIT_SECONDS
        ):
            assert people.visitor(visit) is None
            running.store.settle()
        with sqlite3.connect(tmp_path / "project" / DATABASE_FILE) as connection:
            assert connection.execute("SELECT count(*) FROM person_session").fetchone() == (0,)
        connection.close()


def test_whoever_is_added_to_the_project_gets_a_link_and_whoever_is_removed_loses_it(
    tmp_path: Path,
) -> None:
    with created(tmp_path) as running:
        tokens = [running.store.people.token(name) for name in ("A", "C")]
        assert running.store.people.find(tokens[1]) is None
    file = tmp_path / "project" / PROJECT_FILE
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('annotators = ["A", "B"]', 'annotators = ["C"]'), encoding="utf-8")
    with pytest.warns(
        KilterWarning, match="no sentence is dealt to C, and sentences are dealt to A, B"
    ):
        running = open_project(tmp_path / "project")
    assert running.store.people.find(tokens[0]) is None
    assert running.store.people.find(tokens[1]) is not None
    running.store.close()
