"""`python -m tools.fuzz [--seconds N] [--jobs N] [TARGET ...]`: fuzz every target, or some, for so long each.

A finding is anything but a result or a documented error: another exception, a broken law, a report of a
sanitizer, 10 seconds for one input, or 2 GB of memory. What was found is kept in build/fuzz/found and told at
the end; copy it to tools/fuzz/corpus/TARGET once it is mended, where `make test` replays it.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.fuzz.targets import ANY, CORPUS, Kind, Target, targets

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
TOOLS = ROOT / ".venv-fuzz" / "bin" / "python"
LIMITS = (
    "-rss_limit_mb=2048",
    "-print_final_stats=1",
    "-max_len=4096",
    "-len_control=0",
)


def main() -> int:
    """Return 0 if nothing was found."""
    parser = argparse.ArgumentParser(
        prog="make fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="all targets, if none is named"
    )
    parser.add_argument("--seconds", type=float, default=600.0, help="how long for each (600)")
    parser.add_argument("--jobs", type=int, default=1, help="how many side by side (1)")
    parser.add_argument(
        "--timeout",
        type=int,
        default=10,
        help="seconds for one input (10), so many more as targets run on each core",
    )
    parser.add_argument("--list", action="store_true", help="list the targets and end")
    given = parser.parse_args()
    known = targets()
    if given.list:
        for target in known.values():
            sys.stdout.write(f"{target.name:28}{target.kind:11}{target.line}\n")
        return 0
    unknown = [name for name in given.targets if name not in known]
    if unknown:
        parser.error(f"there is no target {unknown[0]}; --list names them")
    if given.jobs < 1:
        parser.error(f"--jobs is {given.jobs}; it must be 1 or more")
    chosen = list(dict.fromkeys(given.targets or known))
    if given.jobs > 1 and len(chosen) > 1:
        found = _found_side_by_side(chosen, given)
    else:
        found = [
            name
            for name in chosen
            if not _passes(known[name], seconds=given.seconds, timeout=given.timeout)
        ]
    if found:
        sys.stderr.write(f"findings in {', '.join(found)}; see {BUILD / 'found'}\n")
    return 1 if found else 0


def _found_side_by_side(names: list[str], given: argparse.Namespace) -> list[str]:
    """Run each target by a program of its own, so many at a time, and return those with a finding."""
    timeout = given.timeout * math.ceil(given.jobs / (os.cpu_count() or 1))

    def passes(name: str) -> bool:
        limits = ["--seconds", str(given.seconds), "--timeout", str(timeout)]
        command = [sys.executable, "-m", "tools.fuzz", *limits, name]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        sys.stdout.write(ended.stdout)
        sys.stdout.flush()
        if ended.returncode:
            sys.stderr.write(ended.stderr)
        return ended.returncode == 0

    with ThreadPoolExecutor(given.jobs) as pool:
        return [
            name for name, passed in zip(names, pool.map(passes, names), strict=True) if not passed
        ]


def _passes(target: Target, *, seconds: float, timeout: int) -> bool:
    """Run a target, tell how it went in one line, and return whether nothing was found."""
    start = time.monotonic()
    if target.kind is Kind.SEEDS:
        from tools.fuzz import seeds  # with all that servers need, which the others do not wait for

        before = resource.getrusage(resource.RUSAGE_SELF)
        done, passed = seeds.run(target.name, seconds=seconds), True
        if done is None:
            done, passed = 0, False
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        said = f"{done} rounds, {_cost(cpu, used.ru_maxrss)}"
        _tell(target, "passed" if passed else "FOUND", start, said)
        return passed
    command, missing = _command(target)
    if missing:
        _tell(target, "skipped", start, missing)
        return True
    log = BUILD / f"{target.name}.log"
    kept, own = BUILD / "corpus" / target.name, CORPUS / target.name
    found = BUILD / "found"
    for folder in (kept, found, log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    folders = [
        folder
        for folder in (own, ANY if target.name.startswith("read-") else own)
        if folder.is_dir()
    ]
    options = [
        *LIMITS,
        f"-timeout={timeout}",
        f"-max_total_time={max(1, round(seconds))}",
        f"-artifact_prefix={found / target.name}-",
        str(kept),
        *dict.fromkeys(map(str, folders)),
    ]
    environment = {
        **os.environ,
        "KILTER_TARGET": target.name.removeprefix("kernel-"),
        "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, *options], stdout=out, stderr=out, cwd=ROOT, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    passed = process.returncode == 0
    text = log.read_text(errors="replace")
    cost = _cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
    _tell(target, "passed" if passed else "FOUND", start, f"{_statistics(text)}, {cost}")
    if not passed:
        sys.stderr.write(text[-4000:])
    return passed


def _command(target: Target) -> tuple[list[str], str]:
    """Return how a target is started, or why it cannot be."""
    if target.kind is Kind.LIBFUZZER:
        binary = BUILD / "kernels"
        if not binary.exists():
            return [], "the kernels were not built for it; clang is missing (apt-get install clang)"
        return [str(binary)], ""
    if not TOOLS.exists():
        return [], "Atheris is not installed here; it has wheels for Linux on x86-64 only"
    return [str(TOOLS), "-m", "tools.fuzz.coverage", target.name], ""


def _statistics(log: str) -> str:
    told = [line for line in log.splitlines() if line.startswith("stat::number_of_executed_units")]
    covered = [line for line in log.splitlines() if " cov: " in line]
    runs = told[-1].split()[-1] if told else "?"
    edges = covered[-1].split(" cov: ")[1].split()[0] if covered else "?"
    return f"{runs} inputs, {edges} edges covered"


def _cost(seconds: float, memory: int) -> str:
    return f"{seconds:.0f} CPU s, {memory / 1024:.0f} MB"


def _tell(target: Target, outcome: str, start: float, said: str) -> None:
    sys.stdout.write(f"{target.name:28}{outcome:9}{time.monotonic() - start:7.0f} s  {said}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
