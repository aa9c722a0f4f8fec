"""How well two sets of links agree: what `kilter align --agreement` and `kilter annotate agreement` find."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.results.document import Document
    from kilter.stats.undefined import Number

SCHEMA = "kilter.link-agreement/1"
MEASURES = ("precision", "recall", "f1", "aer", "kappa", "frs")
"""Attributes of a comparison that are measures, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class IntervalValue:
    """A number, or why there is none, with the ends of its bootstrap interval if it has one."""

    value: Number
    low: float | None = None
    high: float | None = None

    @property
    def known(self) -> float | None:
        """The number, None where there is none."""
        return None if isinstance(self.value, Undefined) else self.value


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
    precision: IntervalValue
    recall: IntervalValue
    f1: IntervalValue
    aer: IntervalValue
    kappa: IntervalValue
    frs: IntervalValue

    def measures(self) -> dict[str, IntervalValue]:
        """Return all measures by their names."""
        return {name: getattr(self, name) for name in MEASURES}

    def to_dict(self) -> Document:
        """Return a row of the document; a measure without a value is None, and `undefined` says why."""
        row: Document = {
            name: getattr(self, name)
            for name in ("first", "second", "sentences", "compared", "links", "sure", "common")
        }
        for name, found in self.measures().items():
            row |= {name: found.known, f"{name}_low": found.low, f"{name}_high": found.high}
        return row | {
            "undefined": {
                name: found.value.reason
                for name, found in self.measures().items()
                if isinstance(found.value, Undefined)
            }
        }


def comparison_document(comparisons: Sequence[LinkComparison]) -> Document:
    """Return the JSON document `kilter.link-agreement/1`."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "comparisons": [each.to_dict() for each in comparisons],
    }


LINT_REPORT_SCHEMA = "kilter.lint/1"


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

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.lint/1`; segments count from 1 there."""
        return {
            "segment": self.segment + 1,
            "severity": str(self.severity),
            "check": str(self.check),
            "position": self.position,
            "word": self.word,
            "reason": self.reason,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class LintReport:
    """Everything that was found in so many segments; `skipped` are the checks that did not run, and why."""

    segments: int
    severities: Mapping[Check, Severity]
    findings: tuple[Finding, ...]
    skipped: Mapping[Check, str] = field(default_factory=dict)

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

    def to_dict(self, *, summary: bool = False) -> Document:
        """Return the JSON document `kilter.lint/1`; segments and positions count from 1 and 0.

        A summary has no rows: it says how much was found, not what.
        """
        counts = self.counts()
        return {
            "schema": LINT_REPORT_SCHEMA,
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
                for check in Check
                for findings, segments in [counts.get(check, (None, None))]
            },
            "rows": [] if summary else [finding.to_dict() for finding in self.findings],
        }
