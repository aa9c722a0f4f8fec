"""The guides for contributors, followed in a copy of the repository: what they add works."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kilter import __version__, _core
from tests.docs.pages import ROOT, Block, blocks
from tests.thorough import some, tried

PAGES = ROOT / "docs" / "contributing"
COPIED = ("src", "tests", "tools", "docs", "examples", "kernels", "benchmarks", "models/score")
FILES = ("pyproject.toml", "CITATION.cff", ".zenodo.json", "LICENSE", "Makefile")


def guides() -> dict[str, list[Block]]:
    """Return the blocks of each guide."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.md")))
    found = {text.partition("\n")[0].removeprefix("# "): blocks(text) for text in texts}
    return {heading: guide for heading, guide in found.items() if heading.startswith("Add ")}


def changed(text: str, block: Block) -> str:
    """Return a file with the lines of a block where its guide says."""
    assert block.place is not None
    assert block.place.line is not None
    lines = text.splitlines(keepends=True)
    places = [k for k, line in enumerate(lines) if line.strip().startswith(block.place.line)]
    assert places, f"{block.place.path} has no line that begins with {block.place.line}"
    at = places[0] + (block.place.side == "after")
    return "".join([*lines[:at], block.text, *lines[at:]])


def follow(folder: Path, found: Block) -> Path | None:
    """Do what a block says; return the file if it is new."""
    if found.place is None:
        return None
    path = folder / found.place.path
    if found.place.line is not None:
        path.write_text(changed(path.read_text(encoding="utf-8"), found), encoding="utf-8")
        return None
    assert not path.exists(), f"{found.place.path} is there already; a guide adds something new"
    path.write_text(found.text, encoding="utf-8")
    return path


def register(folder: Path) -> None:
    """Let Python see the entry points of the copy, as if it were installed."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / "src" / f"kilter-{__version__}.dist-info"
    about.mkdir()
    needs = [f"Requires-Dist: {each}\n" for each in project["dependencies"]]
    for extra, packages in project["optional-dependencies"].items():
        needs.append(f"Provides-Extra: {extra}\n")
        needs += [f'Requires-Dist: {each}; extra == "{extra}"\n' for each in packages]
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: kilter\nVersion: {__version__}\n{''.join(needs)}",
        encoding="utf-8",
    )
    listed = [
        "\n".join([f"[{group}]", *(f"{name} = {place}" for name, place in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n\n".join(listed) + "\n", encoding="utf-8")


class Copy:
    """A copy of the repository in which all guides were followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.dist-info", ".*")
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        for path in [*ROOT.glob("*.md"), *(ROOT / name for name in FILES)]:
            shutil.copy(path, folder)
        for page in (ROOT / "models").glob("*/*.md"):
            (folder / "models" / page.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy(page, folder / "models" / page.parent.name)
        shutil.copy(_core.__file__, folder / "src" / "kilter")
        made = [follow(folder, block) for found in guides().values() for block in found]
        self.new = [path for path in made if path is not None]
        register(folder)

    def python(self) -> list[str]:
        """Return the new files of Python, by their paths in the copy."""
        return [str(path.relative_to(self.folder)) for path in self.new if path.suffix == ".py"]

    def run(self, *command: str) -> str:
        """Run Python in the copy; it must not fail."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "src"), "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    folder = tmp_path_factory.mktemp("copy")
    yield Copy(folder)
    shutil.rmtree(folder)


def test_there_is_a_guide_for_everything_that_can_be_added() -> None:
    wanted = {
        "metric",
        "aligner",
        "parser",
        "survey question",
        "rating scale",
        "page of the survey",
        "analysis with a figure",
        "command",
    }
    assert {re.sub(r"^Add an? ", "", name) for name in guides()} == wanted


def test_guides_add_files_and_touch_no_test() -> None:
    for found in guides().values():
        for block in found:
            if block.place is not None and block.place.line is not None:
                assert not block.place.path.startswith("tests/"), block.place


TRIED = [
    line
    for found in guides().values()
    for block in found
    if block.place is None
    for line in block.text.splitlines()
]


@pytest.mark.parametrize("command", some(TRIED, quick=TRIED[-1:]))
def test_what_a_guide_tries_works(command: str, copy: Copy) -> None:
    program, *arguments = command.split()
    assert program == "kilter"
    assert copy.run("-c", "from kilter.cli.main import main; main()", *arguments)


_LISTING = re.compile(
    r"\bregistry import|\.names\(\)|_names\(\)|__all__|\bcommands\(|\bDEMONSTRATED\b|\bwalk_packages\b|"
    r"\bMODULES\b|\breports\(\)|\bpages\(\)|\bPUBLICATIONS\b|SOURCE\.r?glob|iter_modules"
)
"""How tests find what there is, rather than name it."""
_NOT_HERE = {"docs/test_guides.py", "docs/test_examples.py"}
"""This file, and the examples of all pages, which would be run twice."""


def laws() -> list[str]:
    """Return the tests that ask something of everything: they list what there is and mirror no module."""
    tests, source = ROOT / "tests", ROOT / "src" / "kilter"
    chosen = []
    for path in sorted(tests.rglob("test_*.py")):
        place = path.relative_to(tests)
        module = source / place.parent / place.name.removeprefix("test_")
        if module.exists() or place.as_posix() in _NOT_HERE:
            continue
        if _LISTING.search(path.read_text(encoding="utf-8")):
            chosen.append(f"tests/{place.as_posix()}")
    return chosen


FOUND = (
    "test_metric_contract.py::test_it_is_documented[first-word]",
    "test_aligner_contract.py::test_it_is_documented[same-place]",
    "test_parser_contract.py::test_it_is_documented[chain]",
    "test_analysis_contract.py::test_a_report_or_the_chapter_uses_it[judging_times]",
    "test_every_option.py::test_an_option_makes_a_difference[count --tokenize]",
    "test_columns.py::test_the_columns_of_every_report_are_held_by_a_test",
)
"""Tests that must have looked at what guides add."""


def test_the_laws_are_found_by_what_they_look_at() -> None:
    named = {test.partition("::")[0] for test in FOUND}
    assert named <= {Path(path).name for path in laws()}


@pytest.mark.parametrize("tests", some(["new", "laws"], quick=["new"]))
def test_what_guides_add_passes_its_own_tests_and_those_that_find_it(
    tests: str, copy: Copy
) -> None:
    new = [path for path in copy.python() if Path(path).name.startswith("test_")]
    chosen = new if tests == "new" else [*laws(), "tests/study/instrument/test_instrument.py"]
    pytest_run = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA")
    said = copy.run(*pytest_run, *chosen)
    if tests == "laws":  # of options, that file tries a third unless it is thorough
        said += copy.run(*pytest_run, "--thorough", "tests/cli/test_every_option.py", "-k", "count")
    passed = re.findall(r"^PASSED (.+)$", said, re.MULTILINE)
    for test in FOUND if tests == "laws" else new:
        assert [name for name in passed if test in name], said


@pytest.mark.parametrize("tool", some(["ruff", "mypy", "lint-imports"], quick=["ruff"]))
def test_what_guides_add_is_written_as_everything_else(tool: str, copy: Copy) -> None:
    if tool == "mypy":
        copy.run("-m", "mypy", "--no-incremental", "src", "tests")
        return
    if tool == "lint-imports":
        copy.run(
            "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"
        )
        return
    copy.run("-m", "ruff", "check", "--no-cache", *tried(["."], quick=copy.python()))
    copy.run("-m", "ruff", "format", "--no-cache", "--check", *copy.python())
