"""Every promise about security names tests that there are."""

import ast
import re
from pathlib import Path

from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "survey" / "security.md"
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def promises() -> dict[str, list[tuple[str, str]]]:
    """Return every promise of the page with files and names of the tests that hold it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith(("| promise |", "| --- |")):
            promise, tests = line.removeprefix("| ").removesuffix(" |").rsplit(" | ", 1)
            assert promise not in found, promise
            found[promise] = [*map(_named, tests.split("<br>"))]
    return found


def _named(test: str) -> tuple[str, str]:
    match = _TEST.fullmatch(test)
    assert match is not None, f"{test} is no test as pytest calls it"
    return match[1], match[2]


def written_in(file: Path) -> set[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [part for part in tree.body if isinstance(part, ast.FunctionDef)]
    return {each.name for each in functions if each.name.startswith("test_")}


def test_every_promise_names_tests_that_exist() -> None:
    named = promises()
    assert named
    there = {file: written_in(ROOT / file) for tests in named.values() for file, _ in tests}
    lacking = {
        f"{file}::{test}"
        for tests in named.values()
        for file, test in tests
        if test not in there[file]
    }
    assert lacking == set()


def test_every_test_about_security_holds_a_promise() -> None:
    file = "tests/study/test_security.py"
    held = {test for tests in promises().values() for place, test in tests if place == file}
    assert written_in(ROOT / file) - held == set()
