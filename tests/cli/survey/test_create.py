"""`kilter survey create`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.study.design.creation import read_keys
from kilter.study.password import password_matches
from tests.study.generated import write_study

Captured = pytest.CaptureFixture[str]


def test_the_example_says_what_was_drawn_and_shows_the_password_once(
    tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "study"
    assert run(["survey", "create", "--example", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ("4 questionnaires of 15 items, 6 of them shared; 42 items in all, seed 1")
    assert any(line.startswith("checked: every row of the composition is filled") for line in lines)
    password = lines[-1].rpartition(" ")[2]
    assert password_matches(password, read_keys(folder).accounts["researcher"])


def test_what_could_not_be_satisfied_is_printed(tmp_path: Path, capsys: Captured) -> None:
    folder = write_study(tmp_path / "study", lines=12, systems=1)
    secret = tmp_path / "password"
    secret.write_text("a password of my own\n", encoding="utf-8")
    options = ["survey", "create", str(folder), "--password-file", str(secret)]
    assert run(options) == 3
    told = capsys.readouterr().err
    missing = [line for line in told.splitlines() if line.startswith("  questionnaire ")]
    assert f"{len(missing)} wishes could not be satisfied:\n" in told
    assert "the texts cannot fill the composition" in told.splitlines()[-1]
    assert "--allow-smaller" in told.splitlines()[-1]
    assert not (folder / "items.jsonl").exists()
    assert not (folder / "keys.json").exists()
    assert run([*options, "--allow-smaller"]) == 0
    said = capsys.readouterr().out
    assert "wishes could not be satisfied:\n" in said
    assert "sys0.de-en has 12 usable sentences, not the 450 of the pool" in said
    assert "password" not in said
    assert password_matches("a password of my own", read_keys(folder).accounts["researcher"])


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("short\n", "the password must have at least 12 characters"),
        ("", "the file is empty; it must hold a password in its first line"),
    ],
)
def test_a_password_that_is_refused_leaves_no_example_behind(
    written: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    folder, secret = tmp_path / "study", tmp_path / "password"
    secret.write_text(written, encoding="utf-8")
    options = ["survey", "create", "--example", str(folder), "--password-file", str(secret)]
    assert run(options) == 3
    assert message in capsys.readouterr().err
    assert not folder.exists()


def test_a_folder_without_a_study_is_an_error_with_its_name(
    tmp_path: Path, capsys: Captured
) -> None:
    assert run(["survey", "create", str(tmp_path)]) == 3
    assert f"{tmp_path}/study.toml: cannot be opened" in capsys.readouterr().err
