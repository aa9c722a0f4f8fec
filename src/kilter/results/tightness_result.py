"""Whether the complexity of a metric falls with every step of factorization. [PC] section 4"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.results.document import Document, Result, fields_document

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class LooseStep:
    """A counterexample: a weak factorization and a finer one that is not less complex, as trees in brackets."""

    permutation: tuple[int, ...]
    """One-based."""
    coarse: str
    coarse_complexity: float
    fine: str
    fine_complexity: float


@dataclass(frozen=True, kw_only=True)
class TightnessResult:
    """For how many permutations up to a length, of those that can be cut, a metric is tight or semi-tight."""

    metric: str
    complexity: str
    """What the metric makes of a weak factorization, in words."""
    longest: int
    permutations: int
    tight: int
    semi_tight: int
    against_tight: LooseStep | None
    against_semi_tight: LooseStep | None

    @property
    def is_tight(self) -> bool:
        """Tight for all of them."""
        return self.tight == self.permutations

    @property
    def is_semi_tight(self) -> bool:
        """Semi-tight for all of them."""
        return self.semi_tight == self.permutations

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        document = fields_document(self)
        steps = {name: document.pop(name) for name in ("against_tight", "against_semi_tight")}
        return document | {"is_tight": self.is_tight, "is_semi_tight": self.is_semi_tight} | steps

    def text(self) -> str:
        """Return the answer with counterexamples."""
        several = counted(self.permutations, "permutation")
        lines = [
            f"{self.metric}: a weak factorization costs {self.complexity}",
            f"  tried       {several} of 3 to {self.longest} words that can be cut",
            f"  tight       {_answer(self.tight, self.permutations)}",
            *_example(self.against_tight),
            f"  semi-tight  {_answer(self.semi_tight, self.permutations)}",
        ]
        if self.against_semi_tight != self.against_tight:
            lines += _example(self.against_semi_tight)
        return "\n".join(lines)


@dataclass(frozen=True)
class TightnessResults(Result):
    """For how many permutations each of several metrics is tight."""

    metrics: Sequence[TightnessResult]

    def to_dict(self) -> list[Document]:
        return [each.to_dict() for each in self.metrics]

    def tables(self) -> list[Table]:
        columns = ("metric", "complexity", "longest", "permutations", "tight", "semi_tight")
        answers = "\n\n".join(each.text() for each in self.metrics)
        return [Table.of(columns, self.metrics, left=2, text=answers)]


def _answer(holds: int, tried: int) -> str:
    return "yes" if holds == tried else f"no: for {holds} of {tried}"


def _example(step: LooseStep | None) -> list[str]:
    if step is None:
        return []
    words = " ".join(map(str, step.permutation))
    return [
        f"    {words}: {step.coarse} costs {step.coarse_complexity:g},",
        f"    and finer {step.fine} {step.fine_complexity:g}",
    ]
