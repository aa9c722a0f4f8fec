"""Survivors are listed with a reason, and only as long as their code is there."""

from pathlib import Path

import pytest

from tools.mutation.survivor import Survivor, stale, survivors


def test_every_listed_survivor_is_still_in_the_code() -> None:
    assert stale(survivors()) == []


def test_an_entry_whose_code_has_changed_is_stale() -> None:
    there = Survivor(
        "kilter/core/counted.py", "", "from __future__ import annotations", "", "is there"
    )
    changed = Survivor(
        "kilter/core/counted.py", "", "from importlib import nothing", "", "has changed"
    )
    gone = Survivor("kilter/nowhere.py", "", "import re", "", "has no file")
    assert stale([there, changed, gone]) == [changed, gone]


ENTRY = """[[survivor]]
file = "kilter/a.py"
within = "f"
before = "x = 1"
after = "x = 2"
reason = "{}"
"""


def test_a_reason_must_be_given(tmp_path: Path) -> None:
    path = tmp_path / "survivors.toml"
    path.write_text(ENTRY.format(" "), encoding="utf-8")
    with pytest.raises(SystemExit, match="has no reason"):
        survivors(path)


def test_an_entry_is_given_once(tmp_path: Path) -> None:
    path = tmp_path / "survivors.toml"
    path.write_text(ENTRY.format("speed") + ENTRY.format("speed"), encoding="utf-8")
    with pytest.raises(SystemExit, match="listed twice"):
        survivors(path)
    path.write_text(ENTRY.format("speed"), encoding="utf-8")
    assert survivors(path) == [Survivor("kilter/a.py", "f", "x = 1", "x = 2", "speed")]
