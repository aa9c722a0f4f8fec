"""`python -m tests.fuzz [--seconds N] [TARGET ...]`: fuzz every target, or some, for so long each.

A finding is anything but a result or a documented error: another exception, a broken law, a report of a
sanitizer, 10 seconds for one input, or 2 GB of memory. What was found is kept in build/fuzz/found and told at
the end; copy it to tests/fuzz/corpus/TARGET once it is mended, where `make test` replays it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.targets import ANY, CORPUS, Kind, Target, targets

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
TOOLS = ROOT / ".venv-fuzz" / "bin" / "python"
LIMITS = (
    "-timeout=10",
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
    found = [
        name for name in given.targets or known if not _passes(known[name], seconds=given.seconds)
    ]
    if found:
        sys.stderr.write(f"findings in {', '.join(found)}; see {BUILD / 'found'}\n")
    return 1 if found else 0


def _passes(target: Target, *, seconds: float) -> bool:
    """Run a target, tell how it went in one line, and return whether nothing was found."""
    start = time.monotonic()
    if target.kind is Kind.SEEDS:
        from tests.fuzz import seeds  # with all that servers need, which the others do not wait for

        done, passed = seeds.run(target.name, seconds=seconds), True
        if done is None:
            done, passed = 0, False
        _tell(target, "passed" if passed else "FOUND", start, f"{done} rounds")
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
        ended = subprocess.run(
            [*command, *options], stdout=out, stderr=out, cwd=ROOT, env=environment, check=False
        )
    passed = ended.returncode == 0
    text = log.read_text(errors="replace")
    _tell(target, "passed" if passed else "FOUND", start, _statistics(text))
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
    return [str(TOOLS), "-m", "tests.fuzz.coverage", target.name], ""


def _statistics(log: str) -> str:
    told = [line for line in log.splitlines() if line.startswith("stat::number_of_executed_units")]
    covered = [line for line in log.splitlines() if " cov: " in line]
    runs = told[-1].split()[-1] if told else "?"
    edges = covered[-1].split(" cov: ")[1].split()[0] if covered else "?"
    return f"{runs} inputs, {edges} edges covered"


def _tell(target: Target, outcome: str, start: float, said: str) -> None:
    sys.stdout.write(f"{target.name:28}{outcome:9}{time.monotonic() - start:7.0f} s  {said}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
