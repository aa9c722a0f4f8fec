"""Whether the complexity of a metric falls with every step of factorization. [PC] section 4"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.results.document import Document


@dataclass(frozen=True, kw_only=True)
class LooseStep:
    """A counterexample: a weak factorization and a finer one that is not less complex, as trees in brackets."""

    permutation: tuple[int, ...]
    """One-based."""
    coarse: str
    coarse_complexity: float
    fine: str
    fine_complexity: float

    def to_dict(self) -> Document:
        """Return the step as `--format json` prints it."""
        return {
            "permutation": list(self.permutation),
            "coarse": self.coarse,
            "coarse_complexity": self.coarse_complexity,
            "fine": self.fine,
            "fine_complexity": self.fine_complexity,
        }


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
        loose, rising = self.against_tight, self.against_semi_tight
        return {
            "metric": self.metric,
            "complexity": self.complexity,
            "longest": self.longest,
            "permutations": self.permutations,
            "tight": self.tight,
            "semi_tight": self.semi_tight,
            "is_tight": self.is_tight,
            "is_semi_tight": self.is_semi_tight,
            "against_tight": None if loose is None else loose.to_dict(),
            "against_semi_tight": None if rising is None else rising.to_dict(),
        }
