"""Files of instruments, questions and texts."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.instrument.data_file import DATA, data_file


def test_a_name_stands_for_a_file_that_comes_with_kilter(tmp_path: Path) -> None:
    assert data_file("instruments", "pairwise", tmp_path) == DATA / "instruments" / "pairwise.toml"
    # A name cannot lead out of the folder of its kind.
    with pytest.raises(
        InputError, match=r"there is no '\.\./questions/about-you' among instruments"
    ):
        data_file("instruments", "../questions/about-you", tmp_path)


def test_a_file_name_stands_for_a_file_of_the_study(tmp_path: Path) -> None:
    assert data_file("instruments", "own.toml", tmp_path) == tmp_path / "own.toml"
    with pytest.raises(InputError, match="leads out"):
        data_file("instruments", "../own.toml", tmp_path)


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    known = ", ".join(sorted(path.stem for path in (DATA / "instruments").iterdir()))
    with pytest.raises(InputError, match=f"choose {known}, or name a .toml file"):
        data_file("instruments", "mind-reading", tmp_path)
