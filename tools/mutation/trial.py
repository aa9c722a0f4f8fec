"""One change and the tests that may notice it, each run in a process of its own."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from functools import partial
from itertools import chain
from typing import Any

import pytest
from hypothesis import Phase, settings

from tools.mutation import child
from tools.mutation.choice import Choice, Chosen, chunks
from tools.mutation.mutant import Mutant
from tools.mutation.nearby import Nearby
from tools.mutation.workspace import BUILD, Workspace

# Recorded seconds of tests that a change gets; what survives them counts as a survivor.
BUDGET = 90.0
# Seconds for tests that were not recorded: how long each takes is not known.
SECONDS = 60.0


class Verdict(Enum):
    """What became of a change."""

    KILLED = "killed"
    TIMEOUT = "timeout"
    SURVIVED = "survived"
    NOT_RUN = "no test runs it"


@dataclass(frozen=True)
class Trial:
    """The verdict on a change, the test that noticed it, and how many tests ran at most."""

    mutant: Mutant
    verdict: Verdict
    by: str = ""
    tests: int = 0

    @property
    def killed(self) -> bool:
        """Whether the change was noticed; a program that does not end is noticed too."""
        return self.verdict in {Verdict.KILLED, Verdict.TIMEOUT}

    def plain(self) -> dict[str, Any]:
        """Return the trial without the whole text of the changed file."""
        told = asdict(self.mutant)
        del told["code"]
        return {**told, "verdict": self.verdict.value, "by": self.by, "tests": self.tests}


class Recorded:
    """Asks the tests that ran the changed statement when they were recorded."""

    def __init__(self, workspace: Workspace, choice: Choice) -> None:
        self._workspace = workspace
        self._choice = choice

    def tried(self, mutant: Mutant, first: str) -> Trial:
        """Return what the tests make of a change; `first` is asked before them, if it is a test."""
        chosen: Chosen = self._choice.tests(mutant)
        if not chosen.covered:
            return Trial(mutant, Verdict.NOT_RUN)
        asked = [[first]] if self._choice.knows(first) else []
        runs = chain(asked, chunks(chosen, self._choice, BUDGET))
        return _tried(mutant, self._workspace, ((some, self._run) for some in runs))

    def failing(self, tests: list[str]) -> set[str]:
        """Return those of these tests that fail without any change, and so have noticed nothing."""
        found: set[str] = set()
        left = list(tests)
        while left:
            answer = self._run(left)
            if answer is None or "crashed" in answer:
                raise SystemExit(f"tests do not end without any change: {', '.join(left)}")
            if not answer["failed"]:
                break
            found.add(answer["failed"])
            left = [test for test in left if test != answer["failed"]]
        return found

    def _run(self, tests: list[str]) -> Any | None:
        return child.run(
            lambda: _outcome(tests),
            folder=BUILD / "trial",
            environment=self._workspace.environment(),
            timeout=60 + 10 * self._choice.seconds(tests),
        )


class Light:
    """Asks the tests that import the changed module, and ends in time: nothing is recorded before."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._nearby = Nearby(workspace.texts)

    def tried(self, mutant: Mutant, first: str) -> Trial:
        """Return what the tests make of a change; `first` is asked before them, if it is a test."""
        files = self._nearby.files(mutant)
        if not files:
            return Trial(mutant, Verdict.NOT_RUN)
        asked = [first] if first.partition("::")[0] in self._nearby.tests else []
        runs = [some for some in (asked, files[:2], files[2:10], files[10:]) if some]
        end = time.monotonic() + SECONDS
        return _tried(
            mutant, self._workspace, ((some, partial(self._run, end=end)) for some in runs)
        )

    def failing(self, tests: list[str]) -> set[str]:
        """Return those of these tests that fail without any change, and so have noticed nothing."""
        ends = time.monotonic() + 60 * SECONDS
        answers = {test: self._run([test], end=ends) for test in tests}
        return {test for test, answer in answers.items() if answer is None or answer["failed"]}

    def _run(self, tests: list[str], *, end: float) -> Any | None:
        return child.run(
            lambda: _outcome_in_time(tests, end),
            folder=BUILD / "trial",
            environment=self._workspace.environment(),
            timeout=3 * SECONDS,
        )


def _tried(
    mutant: Mutant,
    workspace: Workspace,
    runs: Iterable[tuple[list[str], Callable[[list[str]], Any | None]]],
) -> Trial:
    count = 0
    workspace.write(mutant.file, mutant.code)
    try:
        for tests, run in runs:
            answer = run(tests)
            if answer is None:
                return Trial(mutant, Verdict.TIMEOUT, tests[0], count)
            if "crashed" in answer:
                return Trial(mutant, Verdict.KILLED, "a crash", count)
            count += answer["ran"]
            if answer["failed"]:
                return Trial(mutant, Verdict.KILLED, answer["failed"], count)
    finally:
        workspace.write(mutant.file, workspace.texts[mutant.file])
    return Trial(mutant, Verdict.SURVIVED, tests=count)


def _outcome_in_time(tests: list[str], end: float) -> dict[str, Any]:
    asked = _Asked(end)
    pytest.main([*tests, "-x", *child.QUICK], plugins=[asked])
    return {"failed": asked.failed, "ran": asked.ran}


def _outcome(tests: list[str]) -> dict[str, Any]:
    selection = _Selection(tests)
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    pytest.main([*files, "-x", *child.PYTEST], plugins=[selection])
    return {"failed": selection.failed, "ran": selection.ran}


class _Asked:
    """Remembers the first test that fails, and begins none after an end."""

    def __init__(self, end: float = math.inf) -> None:
        self.end = end
        self.failed = ""
        self.ran = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran += report.when == "call"
        self._note(report)

    def pytest_runtest_logstart(self) -> None:
        if time.monotonic() > self.end:
            pytest.exit("the time is up")

    def _note(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class _Selection(_Asked):
    """Runs the chosen tests in their order."""

    def __init__(self, tests: list[str]) -> None:
        super().__init__()
        self.rank = {test: rank for rank, test in enumerate(tests)}

    def pytest_collection(self) -> None:
        # To see a test fail is enough; its simplest example is not looked for.
        settings.register_profile("mutation", settings(), phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutation")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        others = [item for item in items if item.nodeid not in self.rank]
        config.hook.pytest_deselected(items=others)
        items[:] = sorted(
            (item for item in items if item.nodeid in self.rank),
            key=lambda item: self.rank[item.nodeid],
        )
