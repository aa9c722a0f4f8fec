"""`kilter survey simulate`: an export that says in every file that nobody was asked."""

import csv
import io
import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.io.judgments.reader import read_judgments
from tests.study.running import example

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("simulate") / "study")


def simulated(study: Path, output: Path, *arguments: str) -> Path:
    assert run(["survey", "simulate", str(study), "-o", str(output), "-q", *arguments]) == 0
    return output


def test_every_file_says_that_it_is_simulated(study: Path, tmp_path: Path) -> None:
    tables = simulated(study, tmp_path / "csv", "--participants", "3", "-m", "kendall")
    names = {path.name for path in tables.iterdir()}
    assert names == {
        "judgments.csv", "participants.csv", "items.csv", "scores.csv", "truth.csv",
        "dictionary.csv", "effects.toml",
    }  # fmt: skip
    described = set()
    for path in tables.glob("*.csv"):
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
        assert {row["simulated"] for row in rows} == {"yes"}, path
        if path.stem == "dictionary":
            described = {(row["table"], row["column"]) for row in rows}
    for path in tables.glob("*.csv"):
        if path.stem != "dictionary":
            header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
            assert {(path.stem, column) for column in header} <= described
    assert (
        (tables / "effects.toml").read_text(encoding="utf-8").startswith("# Simulated with seed 1")
    )
    lines = simulated(study, tmp_path / "jsonl", "--participants", "2", "--format", "jsonl")
    for path in lines.glob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert all(row["simulated"] is True for row in rows), path


def test_the_same_seed_writes_the_same_bytes(study: Path, tmp_path: Path) -> None:
    first, again, other = (
        simulated(study, tmp_path / name, "--participants", "4", "--seed", seed)
        for name, seed in (("first", "7"), ("again", "7"), ("other", "8"))
    )
    for path in first.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()
    assert (first / "judgments.csv").read_bytes() != (other / "judgments.csv").read_bytes()


def test_the_written_effects_give_the_same_study(study: Path, tmp_path: Path) -> None:
    first = simulated(study, tmp_path / "first", "--participants", "4")
    again = simulated(
        study, tmp_path / "again", "--participants", "4", "--effects", str(first / "effects.toml")
    )
    assert (first / "judgments.csv").read_bytes() == (again / "judgments.csv").read_bytes()


def test_the_export_is_read_as_judgments_by_other_commands(study: Path, tmp_path: Path) -> None:
    judgments = simulated(study, tmp_path / "export") / "judgments.csv"
    found = read_judgments(str(judgments))
    assert found.counts["judges"] == 36


def test_what_cannot_be_simulated_is_one_line_and_an_exit_code(
    study: Path, tmp_path: Path, capsys: Captured
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "file").touch()
    cases = [
        ([str(study), "-o", str(full)], 3, "full: exists and is not empty; name a new folder"),
        ([str(tmp_path), "-o", "x"], 3, "study.toml: cannot be opened"),
        ([str(study), "-o", str(tmp_path / "x"), "--effects", "none.toml"], 3, "none.toml: cannot"),
        ([str(study), "-o", str(tmp_path / "x"), "-m", "nothing"], 2, "nothing"),
    ]
    for arguments, code, message in cases:
        assert run(["survey", "simulate", *arguments]) == code
        said = capsys.readouterr().err
        assert message in said
        assert "Traceback" not in said
    assert not (tmp_path / "x").exists()
    assert run(["survey", "simulate", str(study), "-o", "x", "--participants", "0"]) == 2
