"""What commands of the survey share: databases, and packages that may be missing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.survey.typed import Captured, Study
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.study.running import example


def test_a_database_of_another_study_is_refused(tmp_path: Path, capsys: Captured) -> None:
    first, second = (Study(example(tmp_path / name), None) for name in ("one", "two"))
    assert first.run("status") == 0
    second.options = ["--database", f"sqlite:///{first.folder / 'answers.db'}"]
    assert second.run("status") == 3
    assert "holds the answers of another study" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "code", "message"),
    [
        ("mysql://x/y", 2, "--database takes sqlite:///FILE or postgresql://"),
        ("nonsense", 2, "--database is not an address"),
        ("sqlite://", 2, "--database takes sqlite:///FILE or postgresql://"),
        ("sqlite:///:memory:", 2, "--database takes sqlite:///FILE or postgresql://"),
        ("sqlite:///answers.db?timeout=soon", 2, "--database is not an address"),
        ("postgresql://someone:secret@127.0.0.1:port/none", 2, "--database is not an address"),
        ("sqlite:////nowhere/at/all.db", 3, "the database cannot be used"),
        ("postgresql://someone:secret@127.0.0.1:1/none", 3, "the database cannot be used"),
    ],
)
def test_databases_that_cannot_be_used_are_one_line(
    address: str, code: int, message: str, tmp_path: Path, capsys: Captured
) -> None:
    study = Study(example(tmp_path / "study"), address)
    assert study.run("status") == code
    said = capsys.readouterr().err
    assert message in said
    assert "secret" not in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "command", "extra"),
    [
        ("sqlalchemy", "status", "survey"),
        ("starlette", "serve", "survey"),
        ("reportlab", "print", "paper"),
    ],
)
def test_a_missing_package_is_exit_code_4_with_the_command_that_installs_it(
    module: str, command: str, extra: str, tmp_path: Path
) -> None:
    folder = example(tmp_path / "study")
    options = ["-o", str(tmp_path / "out")] if command == "print" else []
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        f"from kilter.cli.main import run\nsys.exit(run({['survey', command, str(folder), *options]!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 4
    assert f"pip install 'kilter[{extra}]'" in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
