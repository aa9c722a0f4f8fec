"""What --version says."""

import platform
import re
from importlib import metadata

import numpy as np
import pytest

import kilter as package
from kilter.cli import version
from tests.cli.command import kilter


@pytest.mark.parametrize("flags", [["--version", "--verbose"], ["--verbose", "--version"]])
def test_verbose_adds_how_it_was_built(flags: list[str]) -> None:
    told = kilter(*flags)
    first, *rest = told.out.splitlines()
    found = dict(re.split("  +", line, maxsplit=1) for line in rest)
    assert (told.code, told.err, first) == (0, "", f"kilter {package.__version__}")
    assert re.match(r"(GCC|clang) \d+\.\d+", found["compiler"])
    assert platform.python_version() in found["python"]
    assert found["numpy"] == np.__version__
    assert platform.machine().replace("_", "-").lower() in found["instructions"].lower()


def test_verbose_alone_is_wrong_use() -> None:
    told = kilter("--verbose", "score")
    assert (told.code, told.out) == (2, "")
    assert "--verbose goes with --version" in told.err


def test_an_extra_is_there_if_all_its_packages_are_and_what_their_extras_want(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, missing = version.extras()
    assert {"arrow", "survey", "paper"} <= {*found}
    assert "all" not in {*found, *missing}
    real = metadata.version

    def without(package: str) -> str:
        if package in {"alembic", "mecab-python3"}:  # the second is what sacrebleu[ja] wants
            raise metadata.PackageNotFoundError(package)
        return real(package)

    monkeypatch.setattr(metadata, "version", without)
    less, more = version.extras()
    assert {"survey", "ja"} <= {*more}
    assert {*found} - {"survey", "ja"} == {*less}
