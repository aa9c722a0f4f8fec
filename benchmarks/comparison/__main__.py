"""`python -m benchmarks.comparison`: measures Kilter beside its peers and writes the report."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.comparison.contest import CONTESTS, SEPARATE, Contest, Row, agreement
from benchmarks.comparison.goals import measure_goals
from benchmarks.comparison.growth import measure_growth
from benchmarks.comparison.measured import ROOT, Measured, measure
from benchmarks.comparison.page import Report, write_report
from benchmarks.comparison.startup import startup_times
from benchmarks.timing import pin_to_one_core

PARTS = (*(contest.name for contest in CONTESTS), "growth", "startup", "goals")


def main() -> None:
    """Measure what is asked for, say so while it runs, and write the report."""
    options = _options()
    pin_to_one_core()
    before = os.getloadavg()[0]
    contests = []
    for contest in CONTESTS:
        if contest.name in options.only:
            print(f"{contest.name}: {contest.title}", file=sys.stderr, flush=True)
            contests.append((contest, _rows(contest, options)))
    growths = measure_growth(quick=options.quick) if "growth" in options.only else []
    startup = startup_times(rounds=2 if options.quick else 5) if "startup" in options.only else {}
    goals = measure_goals(startup, quick=options.quick) if "goals" in options.only else []
    report = Report(
        contests=contests,
        growths=growths,
        startup=startup,
        goals=goals,
        command=options.called,
        load=(before, os.getloadavg()[0]),
    )
    write_report(report, options.output)
    print(f"{options.output} is written", file=sys.stderr)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "benchmarks.md",
                        help="page to write; its plots go into a folder beside it")  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART",
                        help=f"parts to measure: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="a tenth of the data, fewer rounds")
    parser.add_argument("--peers", type=Path, default=ROOT / ".venv-peers",
                        help="environment with the peers")  # fmt: skip
    parser.add_argument("--separate", type=Path, default=ROOT / ".venv-separate",
                        help="environment with peers under other licences: edist, eflomal")  # fmt: skip
    parser.add_argument("--called", default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.called = options.called or _called(options)
    return options


def _called(options: argparse.Namespace) -> str:
    """Return how to measure the same again."""
    asked = ["--quick"] if options.quick else []
    if options.only != PARTS:
        asked += ["--only", *options.only]
    return f'make bench BENCH="{" ".join(asked)}"' if asked else "make bench"


def _rows(contest: Contest, options: argparse.Namespace) -> list[Row]:
    scale = 10 if options.quick else 1
    rounds = 1 if options.quick else contest.rounds
    count = max(20, contest.count // scale)
    own = _own(contest, count, rounds)
    if own.error:
        raise RuntimeError(f"{contest.own}: {own.error}")
    rows = [Row(measured=own, count=count, own_rate=float("nan"), agreement=_found(own))]
    for peer, most in contest.peers.items():
        some = max(20, most // scale)
        folder = options.separate if peer in SEPARATE else options.peers
        load = contest.load(some)
        python = folder / "bin" / "python"
        found = measure(python, "benchmarks.comparison.peers", peer, load, rounds=rounds)
        same = own if some == count else _own(contest, some, rounds)
        said = "" if found.error else agreement(same.values, found.values)
        rows.append(Row(measured=found, count=some, own_rate=rows[0].rate, agreement=said))
    return rows


def _own(contest: Contest, count: int, rounds: int) -> Measured:
    load = contest.load(count)
    return measure(
        Path(sys.executable), "benchmarks.comparison.own", contest.own, load, rounds=max(rounds, 3)
    )


def _found(measured: Measured) -> str:
    return f"{measured.values[0]:.4f}" if len(measured.values) == 1 else ""


if __name__ == "__main__":
    main()
