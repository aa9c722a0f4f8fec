"""Studies that are created, and example studies."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.creation import KEY_FILE, create, read_keys, write_example
from kilter.study.design.item import read_design
from kilter.study.password import password_matches


def test_the_example_study_is_created_without_open_wishes(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    created = create(folder)
    assert created.design.notes == ()
    items, questionnaires = read_design(folder)
    assert tuple(items.values()) == created.design.items
    assert questionnaires == created.design.questionnaires
    assert (folder / KEY_FILE).stat().st_mode & 0o077 == 0
    keys = read_keys(folder)
    assert created.password not in keys.accounts["researcher"]
    assert password_matches(created.password, keys.accounts["researcher"])


def test_a_study_is_created_once_and_an_example_needs_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    with pytest.raises(InputError, match="exists and is not empty"):
        write_example(folder)
    with pytest.raises(InputError, match="was not created yet; run 'kilter survey create"):
        read_keys(folder)
    with pytest.raises(InputError, match="at least 12 characters"):
        create(folder, password="short")
    create(folder, password="long enough to be safe")
    with pytest.raises(InputError, match="was created already"):
        create(folder)
    (folder / KEY_FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is damaged: it has no password; restore"):
        read_keys(folder)
    (folder / KEY_FILE).unlink()
    with pytest.raises(InputError, match="is missing, though the study was created"):
        read_keys(folder)
