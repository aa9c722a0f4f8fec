"""What `make bench` installs is what the modules import that it runs: on a fresh machine nothing else is there."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMES = {"compare-mt": "compare_mt"}
"""Modules of distributions that are called otherwise."""


def provided(*groups: str) -> set[str]:
    """Return the modules of what Kilter needs and of what groups name."""
    wanted = [*PROJECT["project"]["dependencies"]]
    for group in groups:
        wanted += PROJECT["dependency-groups"][group]
    names = {re.split(r"[\[<>=~! ]", each)[0].lower() for each in wanted}
    return {NAMES.get(name, name) for name in names}


def imported(module: str, seen: dict[str, set[str]]) -> None:
    """Put what a module and the benchmarks that it imports need from elsewhere into `seen`."""
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if module in seen or not path.is_file():
        return
    seen[module] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            top = name.partition(".")[0]
            if top == "benchmarks":
                imported(name, seen)
            elif top not in sys.stdlib_module_names and top != "kilter":
                seen[module].add(top)


@pytest.mark.parametrize("module", ["__main__", "own", "goal", "grown"])
def test_the_report_imports_what_its_group_names(module: str) -> None:
    # Peers are imported where one is called, in an environment of theirs.
    seen: dict[str, set[str]] = {"benchmarks.comparison.peers": set()}
    imported(f"benchmarks.comparison.{module}", seen)
    assert len(seen) > 1
    missing = {
        name: sorted(tops - provided("bench"))
        for name, tops in seen.items()
        if tops - provided("bench")
    }
    assert missing == {}


def test_peers_import_what_their_groups_name() -> None:
    seen = dict[str, set[str]]()
    imported("benchmarks.comparison.peers", seen)
    assert {"scipy", "edist"} <= seen["benchmarks.comparison.peers"]
    assert set().union(*seen.values()) <= provided("peers", "separate")


def test_a_group_without_a_package_would_be_noticed() -> None:
    seen = dict[str, set[str]]()
    imported("benchmarks.comparison.goal", seen)
    assert "pyarrow" in seen["benchmarks.streaming"]
    assert "pyarrow" not in provided()
