"""A created study, and what was typed in from paper."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures

Captured = pytest.CaptureFixture[str]


HEADER = "participant,questionnaire,position,holistic,order\n"


class Study:
    """A created study, and the commands over it."""

    def __init__(self, folder: Path, address: str | None) -> None:
        self.folder = folder
        self.options = [] if address is None else ["--database", address]
        self.address = address

    def run(self, name: str, *arguments: str) -> int:
        return run(["survey", name, str(self.folder), *arguments, *self.options])

    def imported(self, text: str) -> int:
        file = self.folder.parent / "typed.csv"
        file.write_text(text, encoding="utf-8")
        return self.run("import", str(file))

    def exported(self, name: str, *arguments: str) -> dict[str, list[dict[str, Any]]]:
        output = self.folder.parent / name
        assert self.run("export", "-o", str(output), "-q", *arguments) == 0
        return {
            path.stem: list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
            for path in output.glob("*.csv")
        }


def rows(*people: str) -> str:
    return HEADER + "".join(
        f"{name},{1 + place % 4},{position},{1 + position % 5},{'' if position == 3 else 4}\n"
        for place, name in enumerate(people)
        for position in range(1, 16)
    )
