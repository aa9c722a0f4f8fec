"""One change and the tests that may notice it, each run in a process of its own."""

from dataclasses import asdict, dataclass
from enum import Enum
from itertools import chain
from typing import Any

import pytest
from hypothesis import Phase, settings

from tools.mutation import child
from tools.mutation.choice import Choice, Chosen, chunks
from tools.mutation.mutant import Mutant
from tools.mutation.workspace import BUILD, Workspace

# Recorded seconds of tests that a change gets; what survives them counts as a survivor.
BUDGET = 90.0


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


def tried(mutant: Mutant, workspace: Workspace, choice: Choice, *, first: str = "") -> Trial:
    """Return what the tests make of a change; `first` is asked before them, if it is still a test."""
    chosen: Chosen = choice.tests(mutant)
    if not chosen.covered:
        return Trial(mutant, Verdict.NOT_RUN)
    count = 0
    workspace.write(mutant.file, mutant.code)
    try:
        asked = [[first]] if choice.knows(first) else []
        for chunk in chain(asked, chunks(chosen, choice, BUDGET)):
            count += len(chunk)
            answer = _run(chunk, workspace, choice)
            if answer is None:
                return Trial(mutant, Verdict.TIMEOUT, chunk[0], count)
            if "crashed" in answer:
                return Trial(mutant, Verdict.KILLED, "a crash", count)
            if answer["failed"]:
                return Trial(mutant, Verdict.KILLED, answer["failed"], count)
    finally:
        workspace.write(mutant.file, choice.texts[mutant.file])
    return Trial(mutant, Verdict.SURVIVED, tests=count)


def failing(tests: list[str], workspace: Workspace, choice: Choice) -> set[str]:
    """Return those of these tests that fail without any change, and so have noticed nothing."""
    found: set[str] = set()
    left = list(tests)
    while left:
        answer = _run(left, workspace, choice)
        if answer is None or "crashed" in answer:
            raise SystemExit(f"tests do not end without any change: {', '.join(left)}")
        if not answer["failed"]:
            break
        found.add(answer["failed"])
        left = [test for test in left if test != answer["failed"]]
    return found


def _run(tests: list[str], workspace: Workspace, choice: Choice) -> Any | None:
    return child.run(
        lambda: _outcome(tests),
        folder=BUILD / "trial",
        environment=workspace.environment(),
        timeout=60 + 10 * choice.seconds(tests),
    )


def _outcome(tests: list[str]) -> dict[str, Any]:
    selection = _Selection(tests)
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    pytest.main([*files, "-x", *child.PYTEST], plugins=[selection])
    return {"failed": selection.failed}


class _Selection:
    """Runs the chosen tests in their order, and remembers the first that fails."""

    def __init__(self, tests: list[str]) -> None:
        self.rank = {test: rank for rank, test in enumerate(tests)}
        self.failed = ""

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

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid
