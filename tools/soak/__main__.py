"""`python -m tools.soak [--minutes N]`: mixed commands in a loop beside running servers.

Every command must end as the first time, with the same bytes, and leave nothing behind; servers must not hold more
memory, files or threads from round to round. The figures are printed as a table.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.command import KILTER
from tools.soak.served import annotate, come_back, served, take_part
from tools.soak.workload import steps, write_data

if TYPE_CHECKING:
    from tools.soak.served import Served
    from tools.soak.workload import Step

VISITS = 15
"""How often people come to each server in a round."""
WARM = 3
"""Rounds after which a server has loaded what it needs."""
GROWTH = 8 << 10
"""KiB that a server may hold more at the end than when it was warm; memory is given back in pages."""


@dataclass(slots=True)
class Runs:
    """How often a command ran, how long, how much memory it took, and what it gave the first time."""

    count: int = 0
    seconds: float = 0.0
    memory: list[int] = field(default_factory=list)
    digest: str = ""


class Soak:
    """A loop over all commands, with everything that went wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs: dict[str, Runs] = {}
        self.faults: list[str] = []
        self.servers: list[Served] = []
        self.rounds = 0
        self.seconds = 0.0
        self.temporary = folder / "tmp"
        self.environment = {"TMPDIR": str(self.temporary), "KILTER_CACHE": str(folder / "cache")}

    def run(self, step: Step) -> None:
        """Run a command and compare it with its first run."""
        out = self.folder / "out"
        for name in step.outputs:
            path = out / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        output = self.folder / "output"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [KILTER, *step.arguments],
                cwd=self.folder,
                stdout=stream,
                stderr=stream,
                env={**os.environ, **self.environment},
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = code = os.waitstatus_to_exitcode(status)
        digest = hashlib.sha256(output.read_bytes())
        for name in step.outputs:
            for path in _files(out / name):
                digest.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
        runs = self.runs.setdefault(step.name, Runs())
        runs.count += 1
        runs.seconds += usage.ru_utime + usage.ru_stime
        runs.memory.append(usage.ru_maxrss)
        if code != step.code:
            self.fault(
                f"{step.name} ended with {code}: {output.read_text(errors='replace')[-500:]}"
            )
        if runs.digest not in ("", digest.hexdigest()):
            self.fault(f"{step.name} gave other bytes in run {runs.count}")
        runs.digest = runs.digest or digest.hexdigest()
        left = [path.name for path in self.temporary.iterdir()]
        left += [path.name for path in self.folder.rglob(".kilter-*")]
        if left:
            self.fault(f"{step.name} left {', '.join(left)}")
            shutil.rmtree(self.temporary)
            self.temporary.mkdir()

    def fault(self, said: str) -> None:
        """Tell what went wrong at once, and keep it."""
        self.faults.append(said)
        sys.stderr.write(f"soak: {said}\n")

    def check_server(self, server: Served) -> None:
        """Compare what a server holds at the end with what it held when it was warm."""
        if len(server.rounds) <= WARM:
            return
        warm, last = server.rounds[WARM - 1], server.rounds[-1]
        if last.memory - warm.memory > GROWTH:
            self.fault(f"{server.name} grew from {warm.memory} to {last.memory} KiB")
        if last.files > warm.files + 4 or last.threads > warm.threads + 4:
            self.fault(f"{server.name} holds {last} where it held {warm}")


def _files(path: Path) -> list[Path]:
    """Return the files of an output, none where it was not written."""
    return sorted(each for each in (path, *path.rglob("*")) if each.is_file())


def main() -> int:
    """Return 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="how long (60); at least one round"
    )
    minutes = parser.parse_args().minutes
    with tempfile.TemporaryDirectory(prefix="kilter-soak-") as made:
        soak = soaked(Path(made), minutes=minutes)
    _tell(soak)
    return 1 if soak.faults else 0


def soaked(folder: Path, *, minutes: float) -> Soak:
    """Return how rounds went in an empty folder, until so many minutes have passed; at least one."""
    soak = Soak(folder)
    for name in ("out", "tmp", "cache"):
        (folder / name).mkdir()
    write_data(folder)
    _kilter(folder, "survey", "create", "--example", "study", "-q")
    shutil.copytree(folder / "study", folder / "served-study")
    texts = ["-s", "reference.txt", "-t", "first.txt", "--links", "match"]
    _kilter(folder, "annotate", "create", "project", *texts, "--annotators", "Ada", "-q")
    row = (folder / "project" / "links.txt").read_text(encoding="utf-8").splitlines()[0]
    start = time.monotonic()
    with (
        served("survey", folder / "served-study", soak.environment) as survey,
        served("annotate", folder / "project", soak.environment) as annotation,
    ):
        soak.servers = [survey, annotation]
        link = row.split("\t")[-1].replace("http://127.0.0.1:8000", annotation.address)
        personal = take_part(survey.address)
        while soak.rounds == 0 or time.monotonic() - start < 60 * minutes:
            for step in steps():
                soak.run(step)
            for _ in range(VISITS):
                come_back(survey.address, personal)
                annotate(link)
            for server in soak.servers:
                server.look()
            soak.rounds += 1
        for server in soak.servers:
            soak.check_server(server)
    soak.seconds = time.monotonic() - start
    return soak


def _kilter(folder: Path, *arguments: str) -> None:
    subprocess.run([KILTER, *arguments], cwd=folder, check=True)


def _tell(soak: Soak) -> None:
    commands = sum(each.count for each in soak.runs.values())
    said = [
        f"{soak.rounds} rounds, {commands} commands, {soak.seconds / 60:.1f} minutes, {len(soak.faults)} faults",
        "",
        "| command | runs | CPU seconds each | peak memory, first | last | largest |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, runs in soak.runs.items():
        first, last, most = (
            f"{size / 1024:.0f} MB" for size in (runs.memory[0], runs.memory[-1], max(runs.memory))
        )
        said.append(
            f"| {name} | {runs.count} | {runs.seconds / runs.count:.2f} | {first} | {last} | {most} |"
        )
    said += [
        "",
        "| server | | first round | warm | last round |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for server in soak.servers:
        seen = [server.rounds[k] for k in (0, min(WARM, len(server.rounds)) - 1, -1)]
        cells = {
            "memory": [f"{held.memory / 1024:.1f} MB" for held in seen],
            "open files": [str(held.files) for held in seen],
            "threads": [str(held.threads) for held in seen],
        }
        said += [f"| {server.name} | {kind} | {' | '.join(row)} |" for kind, row in cells.items()]
    sys.stdout.write("\n".join([*said, ""]))


if __name__ == "__main__":
    sys.exit(main())
