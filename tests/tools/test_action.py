"""The action for GitHub: its script, run as the action runs it, in a repository of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.docs.pages import ROOT

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "looked",
    "at",
    "two",
    "birds",
    "in",
    "an",
    "old",
    "tree",
]
TARGET = [" ".join(WORDS[k % 5 :] + WORDS[: k % 3]) for k in range(60)]


def moved(line: str) -> str:
    words = line.split()
    return " ".join(words[4:] + words[:4])


GOOD = [line if k % 4 else moved(line) for k, line in enumerate(TARGET)]
NOISE = [line if k % 4 != 1 else moved(line) for k, line in enumerate(TARGET)]
BAD = [*map(moved, TARGET)]


class Repository:
    """A repository with two systems, their references and a baseline."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary = folder / "summary.md"
        self.write("reference.txt", TARGET)
        self.write("one.txt", GOOD)
        self.write("two.txt", TARGET)
        self.git("init", "-q")
        self.commit()

    def write(self, name: str, lines: list[str]) -> None:
        (self.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def git(self, *arguments: str) -> str:
        user = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
        done = subprocess.run(
            ["git", *user, *arguments],  # noqa: S607 - any git will do
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def commit(self) -> None:
        self.git("add", "reference.txt", "one.txt", "two.txt", *self._baseline())
        self.git("commit", "-q", "-m", "state", "--allow-empty")

    def _baseline(self) -> list[str]:
        return ["base.kilter.json"] if (self.folder / "base.kilter.json").exists() else []

    def action(self, **inputs: str) -> tuple[int, str, str]:
        given = {
            "systems": "one.txt\ntwo.txt\n",
            "reference": "reference.txt",
            "baseline": "base.kilter.json",
            "arguments": "--min=order=0.3\n--resamples=200",
            "report": "report.html",
            "junit": "junit.xml",
            **inputs,
        }
        done = subprocess.run(
            ["bash", str(ROOT / "tools" / "action" / "check.sh")],  # noqa: S607 - any bash will do
            cwd=self.folder,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "GITHUB_STEP_SUMMARY": str(self.summary),
                **{f"KILTER_{name.upper()}": value for name, value in given.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


def test_a_repository_passes_and_fails_on_a_planted_loss(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    code, _, err = repository.action()
    assert (code, "kilter check --update writes one" in err) == (3, True)
    assert repository.action(arguments="--update\n--resamples=200")[0] == 0
    repository.commit()
    assert "base.kilter.json" in repository.git("ls-files")
    repository.summary.write_text("before\n", encoding="utf-8")
    code, out, err = repository.action()
    assert (code, out.splitlines()[0][:7]) == (0, "passed:")
    assert "::error" not in err
    repository.write("one.txt", NOISE)
    assert repository.action()[0] == 0
    repository.write("two.txt", BAD)
    code, out, err = repository.action()
    assert (code, out.splitlines()[0][:7]) == (5, "FAILED:")
    assert len(out.splitlines()) < 60
    assert "two: order is 0." in out
    assert "::error title=kilter check::two: order is 0." in err
    assert re.search(r"^::warning .*file=two.txt,line=\d+::segment", err, re.MULTILINE)
    summary = repository.summary.read_text(encoding="utf-8")
    assert summary.startswith("before\n")
    assert summary.count("| two | no loss in order |") == 3
    suite = ET.parse(tmp_path / "junit.xml").getroot()[0]  # noqa: S314 - our own
    assert {each.get("classname") for each in suite if len(each)} == {"two"}
    assert "two, baseline" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_changed_reference_is_refused_with_both_digests(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    assert repository.action(arguments="--update\n--resamples=200")[0] == 0
    repository.write("reference.txt", [*TARGET[:-1], "something else"])
    code, _, err = repository.action()
    assert code == 3
    assert len(re.findall(r"\b[0-9a-f]{16}\b", err)) == 2


def test_nothing_of_an_input_is_run_by_the_shell(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    code, _, err = repository.action(systems="$(touch run).txt\n; touch run", baseline="")
    assert (code, "$(touch run).txt" in err) == (3, True)
    assert not (tmp_path / "run").exists()


def test_the_action_hands_on_every_input() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    inputs = re.findall(r"^  (\w+):$", text.partition("runs:")[0], re.MULTILINE)
    script = (ROOT / "tools" / "action" / "check.sh").read_text(encoding="utf-8")
    for name in inputs:
        assert f"${{{{ inputs.{name} }}}}" in text
        if name != "package":
            assert f"KILTER_{name.upper()}" in script
