"""Installs the wheel alone where there is no compiler, and tries every command there.

`python -m tests.release WHEEL` says in a line what went wrong with each, and exits with 1 if anything did.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.metadata import PathDistribution
from pathlib import Path
from tempfile import TemporaryDirectory
from venv import EnvBuilder
from zipfile import Path as ZipPath

from tests.release.plain_commands import IN_PYTHON, NBEST, PARTS, TOGETHER, WANT, WORK

ROOT = Path(__file__).parents[2]
_LISTED = """
import click
from kilter.cli.main import cli
def listed(group, name):
    context = click.Context(group)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        if isinstance(command, click.Group):
            listed(command, [*name, each])
        if not isinstance(command, click.Group) or command.invoke_without_command:
            print(*name, each)
listed(cli, [])
"""


@dataclass
class Trial:
    """An environment with the wheel alone, a folder to work in, and what went wrong there."""

    environment: Path
    folder: Path
    faults: list[str] = field(default_factory=list)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, which finds nothing else: no compiler, no Java."""
        programs = self.environment / "bin"
        done = subprocess.run(
            [str(programs / command[0]), *command[1:]],
            cwd=self.folder,
            env={"PATH": str(programs), "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        sys.stdout.write(f"{done.returncode}  {shlex.join(command)}\n")
        return done

    def check(self, *, holds: bool, said: str) -> None:
        """Keep what is said if it does not hold."""
        if not holds:
            self.faults.append(said)


def write_files(folder: Path) -> None:
    """Write the examples, and what else the commands read, into a new folder."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "list.nbest").write_text(NBEST, encoding="utf-8")
    for name, part in PARTS.items():
        for suffix in ("en", "ja", "links"):
            whole = (folder / "examples" / f"tutorial.{suffix}").read_text(encoding="utf-8")
            lines = "".join(whole.splitlines(keepends=True)[part])
            (folder / f"{name}.{suffix}").write_text(lines, encoding="utf-8")


def install(wheel: Path, environment: Path) -> None:
    """Make an environment that holds the wheel, and what it depends on as wheels."""
    EnvBuilder(symlinks=True).create(environment)
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python")]
    quiet = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    done = subprocess.run([*pip, "install", *quiet, str(wheel)], check=False)
    if done.returncode:
        sys.exit(f"{wheel} cannot be installed")


def try_working(trial: Trial) -> None:
    """Run what must work."""
    for line in WORK:
        shown, _, kept = line.partition(" > ")
        done = trial.run("kilter", *shlex.split(shown))
        trial.check(
            holds=done.returncode == 0, said=f"{line}: exit code {done.returncode}: {done.stderr}"
        )
        if kept:
            (trial.folder / kept).write_text(done.stdout, encoding="utf-8")


def try_wanting(trial: Trial) -> None:
    """Run what must ask for an extra, and leave nothing behind."""
    for extra, lines in WANT.items():
        for line in lines:
            before = _files(trial.folder)
            done = trial.run("kilter", *shlex.split(line))
            remedy = f"install it with: pip install 'kilter[{extra}]'\n"
            is_told = done.returncode == 4 and done.stderr.endswith(remedy)
            trial.check(
                holds=is_told and done.stderr.count("\n") == 1 and not done.stdout,
                said=f"{line}: exit code {done.returncode}, not 4 with {remedy!r}: {done.stderr!r}",
            )
            left = sorted(map(str, _files(trial.folder) - before))
            trial.check(holds=not left, said=f"{line}: left behind {', '.join(left)}")
    for extra, source in IN_PYTHON.items():
        done = trial.run("python", "-c", f"import kilter; {source}")
        trial.check(
            holds=f"pip install 'kilter[{extra}]'" in done.stderr, said=f"{source}: {done.stderr}"
        )


def try_help(trial: Trial) -> None:
    """Ask every command for help, and see that each is among those that were tried."""
    names = trial.run("python", "-c", _LISTED).stdout.splitlines()
    trial.check(holds=len(names) > 40, said=f"only {len(names)} commands are listed")
    lines = [*WORK, *(line for lines in WANT.values() for line in lines)]
    for name in names:
        done = trial.run("kilter", *name.split(), "--help")
        trial.check(
            holds=done.returncode == 0 and done.stdout.startswith(f"Usage: kilter {name} "),
            said=f"{name} --help: exit code {done.returncode}: {done.stderr}",
        )
    untried = [name for name in names if not any(_begins(line, name) for line in lines)]
    trial.check(holds=not untried, said=f"never tried: {', '.join(untried)}")


def try_extras(trial: Trial, wheel: Path) -> None:
    """See that every extra of the wheel is wanted by something that was tried."""
    (folder,) = (each for each in ZipPath(wheel).iterdir() if each.name.endswith(".dist-info"))
    offered = {*PathDistribution(folder).metadata.get_all("Provides-Extra", [])}
    tried = {*WANT, *IN_PYTHON, *TOGETHER}
    trial.check(holds=offered == tried, said=f"extras not tried, or not there: {offered ^ tried}")


def _begins(line: str, name: str) -> bool:
    return line.split()[: len(name.split())] == name.split()


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*")}


def main(wheel: Path) -> int:
    """Try a wheel and return the exit code."""
    with TemporaryDirectory() as name:
        trial = Trial(Path(name, "environment"), Path(name, "work"))
        write_files(trial.folder)
        install(wheel, trial.environment)
        for tried in (try_working, try_wanting, try_help):
            tried(trial)
        try_extras(trial, wheel)
    for fault in trial.faults:
        sys.stdout.write(f"FAULT  {fault.rstrip()}\n")
    sys.stdout.write(f"{len(trial.faults)} faults\n")
    return bool(trial.faults)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isfile(sys.argv[1]):  # noqa: PTH113
        sys.exit("usage: python -m tests.release WHEEL")
    sys.exit(main(Path(sys.argv[1]).resolve()))
