"""What metrics notice of references whose words were moved, dropped or replaced: what `kilter check metric` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.table import NAME, Column, Note, P, Table
from kilter.results.document import Result

if TYPE_CHECKING:
    from kilter.core.estimate import Estimate


@dataclass(frozen=True, kw_only=True)
class Rung:
    """A change of all references, and what a metric says of it."""

    name: str
    change: str
    score: Estimate
    worse: float
    """Share of segments that score worse than the reference itself."""
    better: float
    p: float | None
    noticed: bool
    """Whether the score is significantly worse than that of the references."""
    preferred: bool
    """Whether it is significantly better."""

    @property
    def verdict(self) -> str:
        """What the metric made of the change."""
        if self.p is None:
            return "undecided"
        return "noticed" if self.noticed else "PREFERRED" if self.preferred else "not noticed"


@dataclass(frozen=True, kw_only=True)
class MetricLadder:
    """The rungs of one metric, from the one that it likes best down."""

    name: str
    signature: str
    higher_is_better: bool
    reference: Estimate
    """The score of the references themselves."""
    rungs: tuple[Rung, ...]

    @property
    def verdict(self) -> str:
        """In which order the metric notices the changes, the worst first, and which it does not."""
        worst = [rung.name for rung in reversed(self.rungs) if rung.noticed]
        undecided = any(rung.verdict == "undecided" for rung in self.rungs)
        nothing = "nothing for certain" if undecided else "nothing"
        said = f"{self.name} notices {', '.join(worst) or nothing}"
        if len(worst) > 1:
            said += " (the worst first)"
        for verdict in ("not noticed", "undecided"):
            names = [rung.name for rung in self.rungs if rung.verdict == verdict]
            said += f"; {verdict.removesuffix(' noticed')} {', '.join(names)}" if names else ""
        preferred = [rung.name for rung in self.rungs if rung.preferred]
        return said + (f"; it prefers {', '.join(preferred)} to the reference" if preferred else "")


@dataclass(frozen=True, kw_only=True)
class LadderResult(Result):
    """The ladders of metrics on the same references."""

    schema: ClassVar[str] = "kilter.ladder/1"
    segments: int
    metrics: tuple[MetricLadder, ...]
    notes: tuple[str, ...] = ()

    def data(self) -> Table:
        """Return a row for each metric and rung."""
        columns: list[str | Column] = [
            *("metric", "rung", "change"), Column("score", ".4f[]"), *("worse", "better", "p", "noticed", "preferred"),
            "signature",
        ]  # fmt: skip
        rows = [
            [each.name, rung.name, rung.change, rung.score, rung.worse, rung.better, rung.p, rung.noticed, rung.preferred, each.signature]
            for each in self.metrics
            for rung in each.rungs
        ]  # fmt: skip
        return Table("", columns, rows)

    def tables(self) -> list[Table]:
        """Return a sentence for each metric, then a table of its rungs, from the mildest to the worst."""
        found = [Table(notes=[Note(each.verdict) for each in self.metrics])]
        found += [_table(each) for each in self.metrics]
        return [*found[:-1], found[-1].noted(*map(Note, self.notes))]


def _table(metric: MetricLadder) -> Table:
    columns = [
        Column(metric.name, NAME),
        Column("change"),
        Column("score", ".4f±"),
        Column("segments worse", _percent),
        Column("p", f"{P}3", missing=""),
        Column("verdict"),
    ]
    rows = [["reference", "none", metric.reference, None, None, ""]]
    rows += [
        [rung.name, rung.change, rung.score, rung.worse, rung.p, rung.verdict]
        for rung in metric.rungs
    ]
    return Table("", columns, rows, left=2)


def _percent(value: object) -> str:
    return f"{value:.0%}" if isinstance(value, float) else ""
