"""Texts on the command line: what systems are called, and how many files there must be."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.cli.texts import system_names


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/one.txt"], ["one"]),
        (["out/one.txt", "out/two.txt.gz", "-"], ["one", "two", "stdin"]),
        (["a/out.txt", "b/out.txt"], ["a/out.txt", "b/out.txt"]),
        (["a.en", "a.de.xz"], ["a.en", "a.de"]),
    ],
)
def test_systems_have_the_shortest_names_that_tell_them_apart(
    paths: list[str], names: list[str]
) -> None:
    assert system_names(paths) == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--name", "a"], "give 2 different names with --name, one per system"),
        (["--name", "a", "--name", "a"], "give 2 different names with --name, one per system"),
        (["--name", "a", "--name", ""], "a name given with --name is empty"),
        (["-a", "x"], "1 file of links for 2 systems and 1 reference; give 2"),
        (["--links-source-reference", "x"], "--links-source-reference needs the source text"),
        (["--trees", "x"], "--trees is given 1 time; give it 2 times, once for each system"),
        (["--trees-source", "x"], "--trees-source needs the source text, -s FILE"),
    ],
)
def test_files_must_be_as_many_as_texts(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two", "reference"):
        (tmp_path / name).write_text("a b\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("one", "two")]
    assert run(["score", *files, "-r", str(tmp_path / "reference"), *arguments]) == 2
    assert message in capsys.readouterr().err
