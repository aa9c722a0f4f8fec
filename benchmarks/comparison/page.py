"""The report: tables, plots, machine, versions, commands, and where a peer wins."""

from __future__ import annotations

import math
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.comparison.goals import STARTUP_GOAL
from benchmarks.comparison.plot import bars, line, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.comparison.contest import Contest, Row
    from benchmarks.comparison.goals import Goal
    from benchmarks.comparison.growth import Growth

_PREFACE = (
    "All figures of this page are from one run of one command, which installs the peers itself. Every tool ran in a "
    "process of its own, on the same made-up data; rates are per CPU second of one core, the best of up to three "
    "rounds. Memory is the peak of that process, interpreter and data included."
)
_EXPONENTS = (
    "Exponents are slopes on two logarithmic scales, 1 is linear: of the least squares line through all points, and "
    "between the last two, where what is paid once counts least."
)


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that was measured in one run."""

    contests: Sequence[tuple[Contest, Sequence[Row]]]
    growths: Sequence[Growth]
    startup: dict[str, float]
    goals: Sequence[Goal]
    command: str
    load: tuple[float, float]
    """Mean number of running processes before and after."""


def write_report(report: Report, page: Path) -> None:
    """Write the page, and its plots into a folder beside it that is called the same."""
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    lines = [*_opening(report)]
    for contest, rows in report.contests:
        lines += _contest(contest, rows, folder)
    lines += _growth(report.growths, folder)
    lines += _startup(report.startup)
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _opening(report: Report) -> list[str]:
    versions = sorted(
        {
            f"{row.measured.package} {row.measured.version}"
            for _, rows in report.contests
            for row in rows
            if row.measured.version
        },
        key=str.casefold,
    )
    before, after = (f"{load:.1f}" for load in report.load)
    return [
        "# Kilter beside its peers",
        "",
        _PREFACE,
        "",
        f"* Command: `{report.command}`",
        f"* Date: {datetime.now(tz=UTC):%Y-%m-%d}; load of the machine before and after: {before}, {after}",
        f"* Machine: {_processor()}, {os.cpu_count()} cores; {platform.system()}, Python {platform.python_version()}",
        f"* Versions: {'; '.join(versions)}",
        "",
        "## Where a peer wins",
        "",
        *_wins(report.contests),
        "",
        *_goals(report.goals),
        "## Speed, memory, agreement",
        "",
    ]


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    named = [
        row.partition(":")[2].strip() for row in text.splitlines() if row.startswith("model name")
    ]
    return named[0] if named else platform.machine()


def _wins(contests: Sequence[tuple[Contest, Sequence[Row]]]) -> list[str]:
    won = []
    for contest, rows in contests:
        own = rows[0]
        for row in rows[1:]:
            if row.measured.error:
                continue
            if row.ratio < 1:
                won.append(
                    f"* {contest.title}: {row.measured.tool} is {1 / row.ratio:.1f} times as fast as Kilter."
                )
            if row.measured.megabytes < own.measured.megabytes and row.count == own.count:
                won.append(
                    f"* {contest.title}: {row.measured.tool} takes {row.measured.megabytes:.0f} MB, Kilter "
                    f"{own.measured.megabytes:.0f} MB."
                )
            values = row.measured.values
            if contest.name == "links" and values and values[0] > own.measured.values[0]:
                won.append(
                    f"* {contest.title}: {row.measured.tool} finds F1 {values[0]:.4f}, Kilter "
                    f"{own.measured.values[0]:.4f}."
                )
    return won or ["In no contest of this run."]


def _goals(goals: Sequence[Goal]) -> list[str]:
    if not goals:
        return []
    lines = [
        "## Goals",
        "",
        "What we want to reach on one core, and what this run found, every line in a process of its own.",
        "",
        "| what | goal | measured | reached |",
        "| --- | ---: | ---: | --- |",
    ]
    for goal in goals:
        wanted = f"{'at least' if goal.at_least else 'at most'} {goal.bound:,g} {goal.unit}"
        if math.isnan(goal.measured):
            lines.append(f"| {goal.title} | {wanted} | | {goal.error} |")
            continue
        said = "yes" if goal.reached else "no"
        lines.append(f"| {goal.title} | {wanted} | {shown(goal.measured)} | {said} |")
    return [*lines, ""]


def _contest(contest: Contest, rows: Sequence[Row], folder: Path) -> list[str]:
    known = [row for row in rows if not row.measured.error]
    picture = folder / f"{contest.name}.svg"
    title = f"{contest.title}: {contest.item} a CPU second"
    values = [(row.measured.tool, row.rate) for row in known]
    picture.write_text(bars(title, values, own=contest.own), encoding="utf-8")
    lines = [
        f"### {contest.title}",
        "",
        f"| tool | {contest.item} | {contest.item} a CPU second | time beside Kilter | MB | answers |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        tool = row.measured.tool
        if row.measured.error:
            lines.append(f"| {tool} | | | | | left out: {row.measured.error} |")
            continue
        ratio = "" if math.isnan(row.own_rate) else f"{shown(row.ratio)}x"
        lines.append(
            f"| {tool} | {row.count:,} | {shown(row.rate)} | {ratio} | {row.measured.megabytes:.0f} | "
            f"{row.agreement} |"
        )
    lines += ["", *([contest.note, ""] if contest.note else [])]
    return [*lines, f"![{title}]({folder.name}/{picture.name})", ""]


def _growth(growths: Sequence[Growth], folder: Path) -> list[str]:
    if not growths:
        return []
    lines = [
        "## Growth",
        "",
        _EXPONENTS,
        "",
        "| what | size | cost | exponent | of the last two |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for growth in growths:
        sizes = ", ".join(f"{size:,}" for size in growth.sizes)
        costs = ", ".join(map(shown, growth.costs))
        lines.append(
            f"| {growth.title} | {growth.size}: {sizes} | {growth.unit}: {costs} | {growth.exponent:.2f} | "
            f"{growth.last_exponent:.2f} |"
        )
    lines.append("")
    for growth in growths:
        picture = folder / f"growth-{growth.name}.svg"
        title = f"{growth.title}: {growth.unit}, exponent {growth.exponent:.2f}"
        drawn = line(title, growth.sizes, growth.costs, below=growth.size, unit=growth.unit)
        picture.write_text(drawn, encoding="utf-8")
        lines += [f"![{title}]({folder.name}/{picture.name})", ""]
    return lines


def _startup(startup: dict[str, float]) -> list[str]:
    if not startup:
        return []
    slow = [name for name, cost in startup.items() if cost > STARTUP_GOAL]
    said = (
        f"Over {STARTUP_GOAL} ms: {', '.join(slow)}."
        if slow
        else f"None takes more than {STARTUP_GOAL} ms."
    )
    return [
        "## Start-up",
        "",
        f"CPU milliseconds, user and system, the best of several starts. {said}",
        "",
        "| command | ms |",
        "| --- | ---: |",
        *(f"| `{name}` | {cost:.0f} |" for name, cost in startup.items()),
    ]
