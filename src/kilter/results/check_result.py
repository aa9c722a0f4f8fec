"""Whether outputs are as good as they have to be: what `kilter check` found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.table import NAME, Column, Note, P, Table
from kilter.results.document import Document, Result, document


class CheckKind(StrEnum):
    """What is checked of a system."""

    INPUT = "input"
    """That there is something to score."""
    FLOOR = "floor"
    CEILING = "ceiling"
    EVIDENCE = "evidence"
    """The share of segments of whose order anything is known."""
    LOSS = "loss"
    """The difference from the baseline."""
    SEGMENTS = "segments"
    """How many segments got badly worse."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One condition on one system: its value beside what it must be, or was in the baseline."""

    system: str
    kind: CheckKind
    name: str
    """The metric, or what else has the value."""
    value: float | None
    limit: float | None
    """The floor or ceiling, or the value of the baseline; None where any will do."""
    p: float | None = None
    """Of a paired test, corrected for all tests of the run."""
    passed: bool = True
    fault: str = ""
    """What is wrong, in a sentence; empty where it passed."""


@dataclass(frozen=True, kw_only=True)
class WorseSegment:
    """A segment that lost most against the baseline, with what is out of order in it now."""

    system: str
    segment: int
    metric: str
    before: float | None
    after: float | None
    was: str
    now: str
    reference: str
    explanation: tuple[str, ...]
    file: str = ""
    """Where the output is from, if from a file."""

    def lines(self) -> list[str]:
        """Return the segment as people read it: its scores, its texts, and what is wrong."""
        scores = (
            "missing" if each is None else f"{each:.2f}" for each in (self.before, self.after)
        )
        return [
            f"segment {self.segment} of {self.system}: {self.metric} {' -> '.join(scores)}",
            f"was: {self.was}",
            f"now: {self.now}",
            f"reference: {self.reference}",
            *self.explanation,
        ]


@dataclass(frozen=True, kw_only=True)
class CheckResult(Result):
    """All conditions, which of them hold, and the segments that lost most."""

    schema: ClassVar[str] = "kilter.check/1"
    systems: tuple[str, ...]
    segments: int
    baseline: str | None
    """What outputs were compared with."""
    updated: bool
    """Whether these outputs are the baseline now."""
    alpha: float
    drop: float
    checks: tuple[Condition, ...]
    worse: tuple[WorseSegment, ...]
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every condition holds."""
        return all(check.passed for check in self.checks)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, a sentence for each condition that does not hold."""
        return tuple(f"{each.system}: {each.fault}" for each in self.checks if not each.passed)

    @property
    def verdict(self) -> str:
        """The outcome in one line."""
        failed = len(self.faults)
        systems = counted(len(self.systems), "system")
        count = f"{counted(len(self.checks), 'check')} of {systems}"
        if self.updated and not self.checks:
            return f"baseline written: {systems}, {counted(self.segments, 'segment')}"
        if self.passed:
            found = f"passed: {count}, {counted(self.segments, 'segment')}"
            found += "; baseline written" if self.updated else ""
        else:
            found = f"FAILED: {failed} of {count}, {counted(self.segments, 'segment')}"
        return found + (f", against {self.baseline}" if self.baseline else "")

    def as_baseline(self, path: str) -> CheckResult:
        """Return the same, said to be the baseline now."""
        return replace(self, updated=True, notes=(*self.notes, f"{path} holds these outputs now"))

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.check/1`."""
        return {
            "schema": self.schema,
            "version": __version__,
            "passed": self.passed,
            "segments": self.segments,
            "baseline": self.baseline,
            "updated": self.updated,
            "alpha": self.alpha,
            "drop": self.drop,
            "signature": self.signature,
            "checks": document(self.checks),
            "worse": document(self.worse),
            "notes": [*self.notes],
        }

    def data(self) -> Table:
        """Return a row for each condition."""
        names = ("system", "kind", "name", "value", "limit", "p", "passed", "fault")
        return Table.of(names, self.checks)

    def tables(self) -> list[Table]:
        """Return the verdict and what is wrong, the conditions, and the segments that lost most."""
        columns = [
            Column("system", NAME),
            Column("check"),
            Column("value", _number),
            Column("limit", _number),
            Column("p", f"{P}3", missing=""),
            Column("verdict"),
        ]
        rows = [
            [each.system, _called(each), each.value, each.limit, each.p, _verdict(each)]
            for each in self.checks
        ]
        found = [Table(notes=map(Note, (self.verdict, *self.faults)))]
        if rows:
            found.append(Table("", columns, rows, left=2))
        found += [Table(notes=map(Note, each.lines())) for each in self.worse]
        method = [self._method()] if self._method() else []
        notes = [*map(Note, (*self.notes, *method)), Note("", self.signature)]
        return (
            [*found, Table(notes=notes)] if self.worse else [*found[:-1], found[-1].noted(*notes)]
        )

    def _method(self) -> str:
        if not any(each.kind is CheckKind.LOSS for each in self.checks):
            return ""
        return (
            f"limit: of a loss, the score of the baseline; p: paired approximate randomisation, and the sign test of "
            f"segments that moved by {self.drop:g} or more, corrected together; a loss fails with p < {self.alpha:g}"
        )


def _number(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _called(check: Condition) -> str:
    if check.kind is CheckKind.FLOOR or check.kind is CheckKind.EVIDENCE:
        return f"{check.name} at least"
    if check.kind is CheckKind.CEILING:
        return f"{check.name} at most"
    return f"no loss in {check.name}" if check.kind is CheckKind.LOSS else check.name


def _verdict(check: Condition) -> str:
    return "pass" if check.passed else "FAIL"
