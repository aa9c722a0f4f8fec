"""Which tests run which lines, and how long they take: recorded once for each test file, and kept."""

import json
import os
import shutil
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import settings

from tools.mutation import child
from tools.mutation.workspace import BUILD, ROOT, Workspace, digest

RECORDS = BUILD / "record"
SECONDS = 1800.0
# The pages' examples are rewritten by `make docs`: they say what the code does, not what it should.
FROZEN = ("tests/docs/",)
EXAMPLES = 8
_SETTINGS = "_hypothesis_internal_use_settings"
VARIABLE = "KILTER_RECORDED_TEST"


@dataclass(frozen=True)
class Record:
    """What the tests of one file did: seconds of each that passed, and the lines they ran.

    `lines` maps a source file to its lines and the tests, by their number in `names`, that ran
    them; `digests` names the text that the file then had.
    """

    digest: str
    tests: dict[str, float]
    lines: dict[str, dict[str, list[int]]]
    digests: dict[str, str]
    names: list[str]


def test_files() -> list[str]:
    """Return every file of tests that may count, by its path from the root."""
    found = (path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))
    return sorted(name for name in found if not name.startswith((*FROZEN, "tools/mutation/")))


def records(workspace: Workspace, *, again: bool = False) -> dict[str, Record]:
    """Return the record of every test file, after running those that are new or were changed."""
    found = {}
    for name in test_files():
        path = RECORDS / (name.replace("/", "+") + ".json")
        record = None if again else _kept(path, name)
        if record is None:
            sys.stderr.write(f"recording {name}\n")
            record = _recorded(workspace, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(record.__dict__), encoding="utf-8")
        found[name] = record
    return found


def _kept(path: Path, name: str) -> Record | None:
    if not path.exists():
        return None
    record = Record(**json.loads(path.read_text(encoding="utf-8")))
    return record if record.digest == digest((ROOT / name).read_text(encoding="utf-8")) else None


def _recorded(workspace: Workspace, name: str) -> Record:
    folder = BUILD / "recording"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = folder / "settings.ini"
    settings.write_text(
        f"[run]\ninclude = {workspace.path}/*\ndata_file = {folder}/coverage\nparallel = true\n"
        f"context = ${{{VARIABLE}}}\nsigterm = true\ndisable_warnings = no-data-collected\n",
        encoding="utf-8",
    )
    answer = child.run(
        lambda: _measured(name, folder, workspace),
        folder=folder,
        environment={
            **workspace.environment(),
            "COVERAGE_PROCESS_START": str(settings),
            VARIABLE: "",
        },
        timeout=SECONDS,
    )
    if answer is None or "crashed" in answer:
        raise SystemExit(f"{name} did not end well; see {folder}/output.txt")
    if answer["failed"]:
        sys.stderr.write(
            f"  fails without any change, so it counts for nothing: {answer['failed']}\n"
        )
    return Record(
        digest=digest((ROOT / name).read_text(encoding="utf-8")),
        tests=answer["tests"],
        lines=answer["lines"],
        digests={file: digest(workspace.texts[file]) for file in answer["lines"]},
        names=answer["names"],
    )


def _measured(name: str, folder: Path, workspace: Workspace) -> dict[str, Any]:
    measuring = coverage.Coverage(
        data_file=str(folder / "coverage"),
        data_suffix=True,
        include=[f"{workspace.path}/*"],
        messages=False,
    )
    recorder = _Recorder(measuring, name)
    measuring.start()
    pytest.main([name, *child.PYTEST], plugins=[recorder])
    measuring.stop()
    measuring.save()
    joined = coverage.Coverage(
        data_file=str(folder / "coverage"), config_file=False, messages=False
    )
    joined.combine([str(folder)], keep=False)
    lines, names = _lines(joined.get_data(), workspace)
    passed = {test: took for test, took in recorder.seconds.items() if test not in recorder.failed}
    return {"tests": passed, "failed": sorted(recorder.failed), "lines": lines, "names": names}


def _lines(
    data: coverage.CoverageData, workspace: Workspace
) -> tuple[dict[str, dict[str, list[int]]], list[str]]:
    names: dict[str, int] = {}
    lines: dict[str, dict[str, list[int]]] = {}
    for path in sorted(data.measured_files()):
        if not path.endswith(".py"):
            continue  # templates, whose compiled lines are measured, too
        file = Path(path).relative_to(workspace.path).as_posix()
        lines[file] = {
            str(line): [names.setdefault(test, len(names)) for test in tests if test]
            for line, tests in sorted(data.contexts_by_lineno(path).items())
        }
    return lines, list(names)


class _Recorder:
    """Names the running test to coverage, here and in the processes the test starts."""

    def __init__(self, measuring: coverage.Coverage, name: str) -> None:
        self.measuring = measuring
        self.shared = f"{name}::*"
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.times: dict[str, float] = {}
        self.asked: dict[Any, settings] = {}
        self.current = ""

    def _switch(self, context: str) -> None:
        self.current = context
        self.measuring.switch_context(context)
        os.environ[VARIABLE] = context

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # A few examples run the lines that many run; the time of many is estimated.
        for item in items:
            test = getattr(item, "obj", None)
            asked = getattr(test, _SETTINGS, None)
            if (
                asked is not None
                and asked.max_examples > EXAMPLES
                and item.nodeid not in self.times
            ):
                self.times[item.nodeid] = asked.max_examples / EXAMPLES
                self.asked[test] = asked
        for test, asked in self.asked.items():
            setattr(test, _SETTINGS, settings(asked, max_examples=EXAMPLES))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._switch(item.nodeid)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        # What a fixture of a file does, it does for every test of the file, not for the first.
        before = self.current
        if fixturedef.scope != "function":
            self._switch(self.shared)
        try:
            return (yield)
        finally:
            self._switch(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        took = report.duration * self.times.get(report.nodeid, 1.0)
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + took
        if report.outcome != "passed":
            self.failed.add(report.nodeid)


def tests_by_line(record: Record, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each line of a source file with the tests of this record that ran it."""
    for line, numbers in record.lines.get(file, {}).items():
        tests: list[str] = []
        for number in numbers:
            name = record.names[number]
            tests += record.tests if name.endswith("::*") else [name]
        yield int(line), [test for test in tests if test in record.tests]
