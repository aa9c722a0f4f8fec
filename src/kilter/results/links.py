"""How well two sets of links agree: what `kilter align --agreement` and `kilter annotate agreement` find."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.table import Column, Table
from kilter.results.document import Document, Result
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.core.estimate import Estimate


MEASURES = ("precision", "recall", "f1", "aer", "kappa", "frs")
"""Attributes of a comparison that are measures, in the order in which they are shown."""
_COUNTS = ("sentences", "compared", "links", "sure", "common")
_TITLES = {"f1": "F1", "aer": "AER", "frs": "FRS"}
_LEGEND = (
    "AER: alignment error rate, lower is better; of the others 1 is best. kappa: agreement on all pairs of words, 0 for "
    "chance; FRS: fuzzy reordering score of the source orders that the two make."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkComparison:
    """The links of `first` against those of `second`, which are taken as right.

    `sentences` are those of both, `compared` those of them whose words are the same on both sides: links are
    counted in these alone, reorderings of the source in all. `links` are the first's, `sure` the second's
    sure ones.
    """

    first: str
    second: str
    sentences: int
    compared: int
    links: int
    sure: int
    common: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    aer: Estimate
    kappa: Estimate
    frs: Estimate

    def measures(self) -> dict[str, Estimate]:
        """Return all measures by their names."""
        return {name: getattr(self, name) for name in MEASURES}

    def to_dict(self) -> Document:
        """Return a row of the document; a measure without a value is None, and `undefined` says why."""
        measures = self.measures()
        row: Document = {name: getattr(self, name) for name in ("first", "second", *_COUNTS)}
        for name, measured in measures.items():
            row |= measured.flat(name)
        return row | {
            "undefined": {name: each.reason for name, each in measures.items() if each.reason}
        }


@dataclass(frozen=True)
class LinkComparisons(Result):
    """How well several sets of links agree, two at a time."""

    schema: ClassVar[str] = "kilter.link-agreement/1"
    comparisons: Sequence[LinkComparison]

    def data(self) -> Table:
        return Table.of(["first", "second", *_COUNTS, *_columns(".4f[]")], self.comparisons, left=2)

    def tables(self) -> list[Table]:
        columns = ["first", "second", *_COUNTS, *_columns(".4f")]
        notes = [_LEGEND, *dict.fromkeys(self._notes())]
        if not any(each.bounds for found in self.comparisons for each in found.measures().values()):
            return [Table.of(columns, self.comparisons, notes=notes, left=2)]
        intervals = Table.of(
            ["first", "second", *_columns("[].4f")], self.comparisons,
            title="bootstrap intervals of 95% over sentences", notes=notes, left=2,
        )  # fmt: skip
        return [Table.of(columns, self.comparisons, left=2), intervals]

    def _notes(self) -> Iterator[str]:
        for each in self.comparisons:
            few = evidence_note(each.sentences, noun="sentence")
            if few is not None and any(found.bounds for found in each.measures().values()):
                yield f"{few}."
            for name, found in each.measures().items():
                if found.reason:
                    yield f"{_TITLES.get(name, name)} is undefined: {found.reason}."


def _columns(kind: str) -> list[Column | str]:
    return [Column(name, kind, _TITLES.get(name)) for name in MEASURES]


class Check(StrEnum):
    """What is checked."""

    SOURCE = "source-unaligned"
    TARGET = "target-unaligned"
    SCATTERED = "scattered"
    PRONOUN = "pronoun-unaligned"
    PARTICLE = "particle-apart"


class Severity(StrEnum):
    """How much a finding matters; what is off is not looked for."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A word that should be linked otherwise; segment and position are zero-based."""

    check: Check
    severity: Severity
    segment: int
    position: int
    word: str
    reason: str


@dataclass(frozen=True, kw_only=True, repr=False)
class LintReport(Result):
    """Everything that was found in so many segments; `skipped` are the checks that did not run, and why."""

    segments: int
    severities: Mapping[Check, Severity]
    findings: tuple[Finding, ...]
    skipped: Mapping[Check, str] = field(default_factory=dict)
    summary: bool = False
    """Whether counts are shown without the findings."""
    schema: ClassVar[str] = "kilter.lint/1"

    def __repr__(self) -> str:
        """Return how much was found: the findings themselves would fill pages."""
        described = ", ".join(
            f"{check}={count}" for check, (count, _) in self.counts().items() if count
        )
        return (
            f"LintReport(segments={self.segments}, clean={self.clean}, errors={self.errors}, "
            f"findings={len(self.findings)}{f' ({described})' if described else ''})"
        )

    @property
    def clean(self) -> int:
        """The number of segments without finding."""
        return self.segments - len({finding.segment for finding in self.findings})

    @property
    def clean_share(self) -> float:
        """The share of segments without finding; nothing is clean."""
        return self.clean / self.segments if self.segments else 1.0

    @property
    def errors(self) -> int:
        """The number of findings that are errors."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    def counts(self) -> dict[Check, tuple[int, int]]:
        """Return for each check that ran the number of findings and of segments that have one."""
        findings = Counter(finding.check for finding in self.findings)
        touched = Counter(
            check for check, _ in {(finding.check, finding.segment) for finding in self.findings}
        )
        return {
            check: (findings[check], touched[check]) for check in Check if check not in self.skipped
        }

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.lint/1`; segments and positions count from 1 and 0."""
        return {
            "schema": self.schema,
            "version": __version__,
            "segments": self.segments,
            "clean": self.clean,
            "clean_share": self.clean_share,
            "checks": {
                str(check): {
                    "severity": str(self.severities[check]),
                    "findings": findings,
                    "segments": segments,
                    "skipped": self.skipped.get(check),
                }
                for check, findings, segments in self._counts()
            },
            "rows": self.data().records(),
        }

    def data(self) -> Table:
        columns = ("segment", "severity", "check", "position", "word", "reason")
        rows = [
            [each.segment + 1, str(each.severity), str(each.check), each.position, each.word, each.reason]
            for each in self.findings
        ]  # fmt: skip
        return Table("", columns, () if self.summary else rows, left=6)

    def tables(self) -> list[Table]:
        findings = self.data()
        rows = [
            [str(check), str(self.severities[check]), count, segments]
            for check, count, segments in self._counts()
        ]
        clean = f"{self.clean} of {counted(self.segments, 'sentence')} have no finding ({self.clean_share:.1%})"
        found = f"{counted(len(self.findings), 'finding')}, {self.errors} of severity error"
        answer = Table(notes=[f"{found}; {clean}."])
        notes = [f"{check} did not run: {why}" for check, why in self.skipped.items()]
        counts = Table("", ["check", "severity", "findings", "sentences"], rows, notes, left=2)
        if not findings.rows:
            return [answer, counts]
        return [
            answer,
            counts,
            findings.noted("segment counts from 1, position from 0, as links do"),
        ]

    def _counts(self) -> Iterator[tuple[Check, int | None, int | None]]:
        counts = self.counts()
        for check in Check:
            yield check, *counts.get(check, (None, None))
