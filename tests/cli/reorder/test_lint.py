"""`kilter reorder lint`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.sample import written

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    source = written(tmp_path, "s", "The old cat sleeps .\nShe sleeps\n")
    target = written(tmp_path, "t", "x y\nx\n")
    links = written(tmp_path, "a", "2-0 3-1\n1-0\n")
    return ["-s", source, "-t", target, "-a", links]


def test_findings_and_summary_are_written_and_errors_end_with_three(
    files: list[str], capsys: Captured
) -> None:
    assert run(["reorder", "lint", *files]) == 3
    captured = capsys.readouterr()
    assert "1        error     source-unaligned" in captured.out
    assert "old" in captured.out
    assert "0 of 2 sentences have no finding (0.0%)" in captured.out
    assert captured.err == "kilter: 2 findings of severity error\n"


def test_without_errors_the_exit_code_is_zero(files: list[str], capsys: Captured) -> None:
    options = ["--severity", "source-unaligned=off", "--summary"]
    assert run(["reorder", "lint", *files, *options]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "She" not in captured.out
    assert "1 of 2 sentences have no finding (50.0%)" in captured.out


def test_words_of_ones_own_and_other_languages(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    allow = written(tmp_path, "allow", "OLD she\n")
    assert run(["reorder", "lint", *files, "--allow", allow]) == 0
    assert run(["reorder", "lint", *files, "--allow", allow, "-l", "none"]) == 3
    assert "The" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "jsonl", "tsv", "md", "latex"])
def test_every_format(form: str, files: list[str], capsys: Captured) -> None:
    assert run(["reorder", "lint", *files, "--format", form]) == 3
    shown = capsys.readouterr().out
    if form == "json":
        document = json.loads(shown)
        assert document["schema"] == "kilter.lint/1"
        assert document["rows"][0]["word"] == "old"
        assert document["rows"][0]["segment"] == 1
    elif form == "jsonl":
        assert [json.loads(line)["word"] for line in shown.splitlines()] == ["old", "She", "She"]
    else:
        assert "pronoun-unaligned" in shown


@pytest.mark.parametrize("wrong", ["scattered", "scattered=none", "spread=off"])
def test_a_severity_that_does_not_exist_is_wrong_use(
    wrong: str, files: list[str], capsys: Captured
) -> None:
    assert run(["reorder", "lint", *files, "--severity", wrong]) == 2
    assert "write CHECK=SEVERITY with one of source-unaligned" in capsys.readouterr().err


def test_a_link_outside_the_target_is_named(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "b", "0-7\n\n")
    assert run(["reorder", "lint", *files[:4], "-a", links]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "b:1: link 0-7 points past" in captured.err
