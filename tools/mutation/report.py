"""What `make mutate` says: the share of changes that tests noticed, and those that they did not."""

from collections import defaultdict
from collections.abc import Iterator

from tools.mutation.survivor import Survivor
from tools.mutation.trial import Trial, Verdict

LEAST = 0.92


def listing(trials: list[Trial], listed: list[Survivor], gone: list[Survivor]) -> Iterator[str]:
    """Yield the lines of the report."""
    reasons = {survivor.key: survivor.reason for survivor in listed}
    explained = [trial for trial in trials if not trial.killed and trial.mutant.key in reasons]
    unexplained = [
        trial for trial in trials if not trial.killed and trial.mutant.key not in reasons
    ]
    for title, some in (("Survived", unexplained), ("Survived, with a reason", explained)):
        if some:
            yield f"{title}:"
        for trial in some:
            yield from _told(trial, reasons.get(trial.mutant.key, ""))
    for trial in trials:
        if trial.verdict is Verdict.TIMEOUT:
            yield f"Did not end: {trial.mutant.place}: {trial.mutant.after}"
    for survivor in [*gone, *killed_though_listed(trials, listed)]:
        yield f"Stale in survivors.toml: src/{survivor.file}: {survivor.before} -> {survivor.after}"
    yield from _table(trials, explained)


def share(trials: list[Trial]) -> float:
    """Return the share of changes that were noticed, those with a reason to survive counted in."""
    return sum(trial.killed for trial in trials) / len(trials) if trials else 1.0


def killed_though_listed(trials: list[Trial], listed: list[Survivor]) -> list[Survivor]:
    """Return the entries whose change a test notices."""
    killed = {trial.mutant.key for trial in trials if trial.killed}
    return [survivor for survivor in listed if survivor.key in killed]


def _told(trial: Trial, reason: str) -> Iterator[str]:
    mutant = trial.mutant
    ran = f"{trial.tests} tests ran" if trial.tests else trial.verdict.value
    yield f"  {mutant.place} {mutant.operator} ({ran})"
    yield from (f"    - {line}" for line in mutant.before.splitlines())
    yield from (f"    + {line}" for line in mutant.after.splitlines())
    if reason:
        yield f"    because {reason}"


def _table(trials: list[Trial], explained: list[Trial]) -> Iterator[str]:
    by_package: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_package[trial.mutant.package].append(trial)
    yield f"{'package':12} {'changes':>8} {'killed':>7} {'timeout':>8} {'survived':>9} {'share':>7}"
    for name, some in [*sorted(by_package.items()), ("all", trials)]:
        killed = sum(trial.verdict is Verdict.KILLED for trial in some)
        late = sum(trial.verdict is Verdict.TIMEOUT for trial in some)
        survived = len(some) - killed - late
        yield f"{name:12} {len(some):8} {killed:7} {late:8} {survived:9} {share(some):7.1%}"
    if explained:
        rest = [trial for trial in trials if trial not in explained]
        yield f"{len(explained)} survivors have a reason; without them {share(rest):.1%} are killed"
