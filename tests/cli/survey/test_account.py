"""`kilter survey account`: several researchers, each with a password of their own."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.study.conftest import on_every_database
from tests.study.running import PASSWORD, Person, example, running

NEW = "another password for tests"


def made(captured: str) -> str:
    return captured.rpartition(": ")[2].strip()


@on_every_database
def test_every_account_has_its_password_and_what_it_does_is_written_down_with_its_name(
    tmp_path: Path, database: Callable[[], str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, address = example(tmp_path / "study"), database()
    options = [] if address is None else ["--database", address]
    command = ["survey", "account", str(folder), *options]
    (tmp_path / "password").write_text(f"{NEW}\n", encoding="utf-8")
    with (
        running(folder, database=address) as server,
        Person(server.address) as anna,
        Person(server.address) as first,
    ):
        assert 'name="account"' not in anna.get("/research/login").text
        assert run([*command, "--add", "anna"]) == 0
        password = made(capsys.readouterr().out)
        assert run([*command, "--add", "otto", "--password-file", f"{tmp_path}/password"]) == 0
        assert capsys.readouterr().out == ""
        assert run(command) == 0
        assert capsys.readouterr().out.split() == ["anna", "otto", "researcher"]
        assert 'name="account"' in anna.get("/research/login").text
        for name, wrong in (("anna", PASSWORD), ("nobody", password), ("", password)):
            assert anna.login(wrong, account=name).status_code == 403
            assert "Wrong account or password" in anna.page.text
        assert anna.login(password, account="anna").url.path == "/research"
        assert first.login(PASSWORD, account="researcher").url.path == "/research"
        anna.post("/research/pause", paused="yes")
        first.post("/research/pause", paused="no")
        text = re.sub("<(\\w+) .*?>", r"<\1>", first.get("/research/actions").text)
        assert "<td>paused the study</td><td>these pages</td><td>anna</td>" in text
        assert "<td>resumed the study</td><td>these pages</td><td>researcher</td>" in text
        assert "<td>command</td><td></td><td>added otto</td>" in text
        change = ["survey", "password", str(folder), *options, "--account", "anna"]
        assert run(change) == 0
        password = made(capsys.readouterr().out)
        assert anna.get("/research").url.path == "/research/login"
        assert first.get("/research").url.path == "/research"  # another account's goes on
        assert anna.login(password, account="anna").url.path == "/research"
        assert run([*command, "--remove", "anna"]) == 0
        assert anna.get("/research").url.path == "/research/login"
        assert anna.login(password, account="anna").status_code == 403
        assert first.get("/research").url.path == "/research"
    assert (folder / "keys.json").stat().st_mode & 0o777 == 0o600


def test_a_removed_account_opens_nothing_even_if_its_session_is_left(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    (tmp_path / "password").write_text(f"{NEW}\n", encoding="utf-8")
    command = ["survey", "account", str(folder)]
    assert run([*command, "--add", "anna", "--password-file", f"{tmp_path}/password"]) == 0
    with running(folder) as server, Person(server.address) as anna:
        assert anna.login(NEW, account="anna").url.path == "/research"
        other = f"sqlite:///{tmp_path / 'other.db'}"  # sessions end in another database
        assert run([*command, "--remove", "anna", "--database", other]) == 0
        assert anna.get("/research").url.path == "/research/login"


def test_accounts_that_cannot_be_are_refused_and_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = example(tmp_path / "study")
    before = (folder / "keys.json").read_bytes()
    command = ["survey", "account", str(folder)]
    refused = [
        (["--add", "researcher"], 3, "there is an account researcher already"),
        (["--add", "a b"], 3, "is not a name of an account"),
        (["--add", "x" * 61], 3, "is not a name of an account"),
        (["--remove", "anna"], 3, "there is no account anna; there are researcher"),
        (["--remove", "researcher"], 3, "researcher is the only account"),
        (["--add", "anna", "--remove", "researcher"], 2, "give one of them"),
        (["--password-file", "x"], 2, "--password-file goes with --add"),
    ]
    for options, code, said in refused:
        assert run([*command, *options]) == code
        assert said in capsys.readouterr().err
        assert (folder / "keys.json").read_bytes() == before
    assert run([*command, "--add", "anna"]) == 0
    capsys.readouterr()
    assert run(["survey", "password", str(folder)]) == 3
    assert "which account is meant; there are anna, researcher" in capsys.readouterr().err
