"""`python -m tools.mutation`: changes code by chance, and tells which changes no test notices."""

import argparse
import json
import subprocess
import sys
from typing import Any

from tools.mutation import child
from tools.mutation.choice import Choice
from tools.mutation.mutant import Key, Mutant, sample
from tools.mutation.record import records
from tools.mutation.report import LEAST, killed_though_listed, listing, share
from tools.mutation.survivor import stale, survivors
from tools.mutation.trial import Light, Recorded, Trial, Verdict
from tools.mutation.workspace import BUILD, ROOT, Workspace

RESULTS = BUILD / "results.json"


def main() -> int:
    """Return 0 if enough changes were noticed and no listed survivor is stale."""
    wanted = _arguments()
    child.preload()
    workspace = Workspace()
    texts = {file: text for file, text in workspace.texts.items() if _is_wanted(file, wanted)}
    if not texts:
        sys.stdout.write("no file of src/kilter was changed\n")
        return 0
    listed = survivors()
    unknown = set(wanted.files) - {f"src/{file}" for file in texts}
    if unknown and not wanted.base:
        raise SystemExit(f"these are no Python files of src/kilter: {', '.join(sorted(unknown))}")
    tests = Light(workspace) if wanted.light else _recorded(workspace, again=wanted.record)
    changes = sample(texts, wanted.sample, wanted.seed)
    if wanted.survivors:
        changes = _survived_before(changes)
    noticed = _noticed_before()
    trials = []
    for number, mutant in enumerate(changes, start=1):
        trial = tests.tried(mutant, noticed.get(mutant.key, ""))
        sys.stderr.write(
            f"{number}/{len(changes)} {mutant.place} {trial.verdict.value} {trial.by}\n"
        )
        trials.append(trial)
    trials = _confirmed(trials, tests)
    RESULTS.write_text(json.dumps([trial.plain() for trial in trials], indent=1), encoding="utf-8")
    gone = stale(listed)
    sys.stdout.write("".join(f"{line}\n" for line in listing(trials, listed, gone)))
    return int(share(trials) < LEAST or bool(gone or killed_though_listed(trials, listed)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=100, help="how many changes to draw")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--base", help="change only files that differ from this revision")
    parser.add_argument("--record", action="store_true", help="run and record all tests again")
    parser.add_argument(
        "--light", action="store_true", help="record nothing: ask tests that import the module"
    )
    parser.add_argument(
        "--survivors", action="store_true", help="try only what survived the last time"
    )
    parser.add_argument("files", nargs="*", help="change only these files of src/kilter")
    wanted = parser.parse_args()
    if wanted.base and not wanted.files:
        wanted.files = _changed(wanted.base) or ["none"]
    return wanted


def _recorded(workspace: Workspace, *, again: bool) -> Recorded:
    return Recorded(workspace, Choice(records(workspace, again=again), workspace.texts))


def _changed(base: str) -> list[str]:
    """Return the files that differ from a revision, or that git does not know yet."""
    differ = _git("diff", "--name-only", "--merge-base", base, "--", "src/kilter")
    return differ + _git("ls-files", "--others", "--exclude-standard", "src/kilter")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.split()


def _is_wanted(file: str, wanted: argparse.Namespace) -> bool:
    return not wanted.files or f"src/{file}" in wanted.files


def _survived_before(changes: list[Mutant]) -> list[Mutant]:
    if not RESULTS.exists():
        raise SystemExit("nothing was tried before; leave SURVIVORS out")
    killed = {Verdict.KILLED.value, Verdict.TIMEOUT.value}
    before = {_key(told) for told in _results() if told["verdict"] not in killed}
    return [mutant for mutant in changes if mutant.key in before]


def _noticed_before() -> dict[Key, str]:
    """Return the test that noticed each change the last time: it is likely to notice it again."""
    return {_key(told): told["by"] for told in _results()} if RESULTS.exists() else {}


def _results() -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return told


def _key(told: dict[str, Any]) -> Key:
    return told["file"], told["within"], told["before"], told["after"]


def _confirmed(trials: list[Trial], tests: Recorded | Light) -> list[Trial]:
    """Return the trials, where no test counts that fails without any change too."""
    killers = sorted({trial.by for trial in trials if "::" in trial.by})
    unsure = tests.failing(killers)
    for test in sorted(unsure):
        sys.stderr.write(f"fails without any change, so it counts for nothing: {test}\n")
    return [
        Trial(trial.mutant, Verdict.SURVIVED, tests=trial.tests) if trial.by in unsure else trial
        for trial in trials
    ]


if __name__ == "__main__":
    sys.exit(main())
