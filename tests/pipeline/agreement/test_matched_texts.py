"""Files of systems have the names of the systems."""

from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.pipeline.agreement.matched_texts import system_files


def test_hidden_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    for name in (".hidden", "b.txt", "a.txt"):
        (tmp_path / name).touch()
    assert system_files([str(tmp_path)]) == {
        "a": str(tmp_path / "a.txt"),
        "b": str(tmp_path / "b.txt"),
    }


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("one/a.txt", "two/a.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"two/a\.txt: is called a as .*one/a\.txt is; rename one"):
        system_files([str(tmp_path / "one"), str(tmp_path / "two")])
