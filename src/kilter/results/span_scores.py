"""How well sets of spans agree with what people marked: precision, recall, F1, tests between sets, gamma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.counted import counted
from kilter.core.table import NAME, Column, P, Table
from kilter.results.document import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.core.estimate import Estimate

_COUNTED = {
    "mpp": "spans, those that match in part by their share",
    "severity": "characters, half for another severity",
    "error-free": "segments without any span",
}
"""What measures count whose names do not say it; the page about spans has all."""


@dataclass(frozen=True, kw_only=True)
class SpanScore:
    """Precision, recall and F1 of a set of spans by one measure; a control marks without looking at the text's errors."""

    spans: str
    measure: str
    precision: Estimate
    recall: Estimate
    f1: Estimate
    control: bool = False

    @property
    def label(self) -> str:
        """The name as people see it: controls are marked."""
        return f"control {self.spans}" if self.control else self.spans


@dataclass(frozen=True, kw_only=True)
class SpanDifference:
    """F1 of one set of spans minus that of another, with its p-value, as it is and corrected for all pairs."""

    first: str
    second: str
    measure: str
    difference: Estimate
    holm: float | None


@dataclass(frozen=True, kw_only=True)
class SpanScores(Result):
    """Scores of sets of spans against the same marks."""

    gold: str
    segments: int
    """Segments that every set of spans has, of all systems."""
    marked: int
    """Spans that people marked there."""
    annotators: tuple[str, ...]
    counts: Mapping[str, int]
    """How many spans each set has there."""
    scores: tuple[SpanScore, ...]
    differences: tuple[SpanDifference, ...]
    gamma: Estimate
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    schema: ClassVar[str] = "kilter.span-scores/1"

    def score(self, spans: str, measure: str) -> SpanScore:
        """Return the scores of one set by one measure."""
        return next(e for e in self.scores if (e.spans, e.measure) == (spans, measure))

    def data(self) -> Table:
        return self._scores()

    def tables(self) -> Sequence[Table]:
        found = [self._scores().noted(self._legend())]
        if self.differences:
            columns = [
                Column("first", NAME),
                Column("second", NAME),
                Column("measure", NAME),
                Column("difference", "+.4f[]", title="F1, first minus second"),
                Column("p", P),
                Column("holm", P, title="p corrected"),
            ]
            rows = [
                [e.first, e.second, e.measure, e.difference, e.difference.p, e.holm]
                for e in self.differences
            ]
            found.append(Table("", columns, rows, left=3))
        if len(self.annotators) > 1:
            note = f"gamma of {counted(len(self.annotators), 'annotator')}: {self.gamma:.4f[]} (1: the same spans, 0: chance)"
            if self.gamma.value is None:
                note = f"gamma: {self.gamma.reason}"
            found[-1] = found[-1].noted(note)
        return found

    def _legend(self) -> str:
        """Return which way is better, and what is counted by measures whose names do not say it."""
        measures = {e.measure for e in self.scores}
        listed = [f"{name}: {text}" for name, text in _COUNTED.items() if name in measures]
        if any(e.control for e in self.scores):
            listed.append("control: spans that look at no error, to be beaten")
        return "; ".join(["higher is better", *listed])

    def _scores(self) -> Table:
        columns = [
            Column("spans", NAME),
            Column("measure", NAME),
            Column("precision", ".4f"),
            Column("recall", ".4f"),
            Column("f1", ".4f±", title="F1"),
        ]
        rows = [[e.label, e.measure, e.precision, e.recall, e.f1] for e in self.scores]
        note = (
            f"{counted(self.segments, 'segment')}; {counted(self.marked, 'span')} by "
            f"{counted(len(self.annotators), 'annotator')}; ± half-width of the 95% interval over segments (bootstrap, "
            f"{self.resamples} resamples, seed {self.seed})"
        )
        return Table("", columns, rows, [note], left=2)
