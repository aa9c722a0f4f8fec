"""Folders of reports appear complete or not at all."""

from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.reports.report_folder import appearing_folder


def test_a_folder_appears_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "report"
    with appearing_folder(target) as folder:
        (folder / "file").write_text("text", encoding="utf-8")
        assert not target.exists()
    assert (target / "file").read_text(encoding="utf-8") == "text"
    assert [path.name for path in target.parent.iterdir()] == ["report"]
    assert target.stat().st_mode & 0o777 == 0o755


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    with appearing_folder(tmp_path) as folder:
        (folder / "file").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_nothing_is_left_when_something_fails(tmp_path: Path) -> None:
    def fail() -> None:
        with appearing_folder(tmp_path / "report") as folder:
            (folder / "file").touch()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path, tmp_path / "file"):
        with pytest.raises(InputError, match="exists and is not empty"):
            appearing_folder(target).__enter__()
    with (
        pytest.raises(InputError, match="cannot be written"),
        appearing_folder(tmp_path / "file" / "report"),
    ):
        pass
