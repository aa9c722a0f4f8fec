"""`kilter survey password`: another password for the researchers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.study.design.creation import read_keys
from tests.study.conftest import on_every_database
from tests.study.running import PASSWORD, Person, example, running

NEW = "another password for tests"


@on_every_database
def test_a_changed_password_counts_at_once_and_ends_all_sessions(
    tmp_path: Path, database: Callable[[], str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, address = example(tmp_path / "study"), database()
    (tmp_path / "password").write_text(f"{NEW}\n", encoding="utf-8")
    options = [] if address is None else ["--database", address]
    secret = read_keys(folder).secret
    with running(folder, database=address) as server, Person(server.address) as researcher:
        assert researcher.login().url.path == "/research"
        command = ["survey", "password", str(folder), *options]
        assert run([*command, "--password-file", str(tmp_path / "password")]) == 0
        assert capsys.readouterr().out == ""
        assert researcher.get("/research").url.path == "/research/login"
        assert researcher.login(PASSWORD).status_code == 403
        assert researcher.login(NEW).url.path == "/research"
        assert run(command) == 0
        made = capsys.readouterr().out.removeprefix("password of researcher, shown only now: ")
        assert researcher.login(NEW).status_code == 403
        assert researcher.login(made.strip()).url.path == "/research"
        assert "changed the password" in researcher.get("/research/actions").text
    assert read_keys(folder).secret == secret
    assert (folder / "keys.json").stat().st_mode & 0o777 == 0o600


def test_a_short_password_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = example(tmp_path / "study")
    before = (folder / "keys.json").read_bytes()
    (tmp_path / "password").write_text("short\n", encoding="utf-8")
    command = ["survey", "password", str(folder), "--password-file", str(tmp_path / "password")]
    assert run(command) == 3
    assert "at least 12 characters" in capsys.readouterr().err
    assert (folder / "keys.json").read_bytes() == before
