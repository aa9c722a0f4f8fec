"""The database of a project is that project's alone, and of this version."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.annotation.project import KEY_FILE
from kilter.study.annotation.store.annotation_store import DATABASE_FILE, open_project
from kilter.study.annotation.store.model import METADATA
from kilter.study.store.action import ActionKind
from kilter.study.store.model import ACTION, ATTEMPT, REQUEST_COUNT
from tests.study.annotation.projects import created


def test_migrations_make_the_tables_of_the_model(tmp_path: Path) -> None:
    with created(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "project" / DATABASE_FILE) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        made = {
            name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            for (name,) in names
            if name != "alembic_version"
        }
    connection.close()
    tables = [*METADATA.sorted_tables, ACTION, ATTEMPT, REQUEST_COUNT]
    assert made == {table.name: {column.name for column in table.columns} for table in tables}


def test_a_database_of_another_project_is_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        with created(tmp_path / name):
            pass
    one, other = (tmp_path / name / "project" / DATABASE_FILE for name in ("one", "other"))
    shutil.copy(one, other)
    with pytest.raises(InputError, match="another project"):
        open_project(tmp_path / "other" / "project")


def test_a_project_that_has_lost_its_database_is_no_new_one(tmp_path: Path) -> None:
    with created(tmp_path):
        pass
    (tmp_path / "project" / DATABASE_FILE).unlink()
    with pytest.raises(InputError, match="take it from a backup"):
        open_project(tmp_path / "project")
    assert not (tmp_path / "project" / DATABASE_FILE).exists()


def test_a_project_without_its_key_is_refused(tmp_path: Path) -> None:
    with created(tmp_path):
        pass
    (tmp_path / "project" / KEY_FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="missing or damaged"):
        open_project(tmp_path / "project")


def test_what_commands_did_is_written_down(tmp_path: Path) -> None:
    with created(tmp_path) as running:
        running.note(ActionKind.EXPORT, "A")
        (action,) = running.store.actions.all()
    assert (action.kind, action.detail) == (ActionKind.EXPORT, "A")


@pytest.mark.parametrize("name", ["project.toml", "sentences.jsonl", KEY_FILE, DATABASE_FILE])
def test_a_file_that_is_a_link_out_of_the_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    with created(tmp_path):
        pass
    folder = tmp_path / "project"
    (folder / name).rename(tmp_path / "outside")
    (folder / name).symlink_to(tmp_path / "outside")
    with pytest.raises(InputError, match=f"'{name}' is a link out of the folder"):
        open_project(folder)
