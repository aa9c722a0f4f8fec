"""MAX|Op|: the longest operator of the permutation tree. [PC] section 3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch
    from kilter.core.permutation_factorization import FactorizedOperators


@checked
def max_op(permutation: Permutation) -> float:
    """Return 1 - (longest operator - 2) / (n - 2); 1 for one or two words, 0 for none.

    It measures factorization, not order: the reversal scores 1.

    >>> from kilter import Permutation
    >>> max_op(Permutation.from_one_based([6, 2, 4, 1, 5, 3]))
    0.25
    """
    return permutation.max_op()


@dataclass(frozen=True, kw_only=True)
class MaxOp(PermutationMetric):
    """Longest operator, scaled."""

    name: ClassVar[str] = "max-op"
    summary: ClassVar[str] = "MAX|Op|: longest operator of the permutation tree"
    formula: ClassVar[str] = "1 - (longest operator - 2) / (n - 2); 1 for n <= 2"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2016",)
    complexity_formula: ClassVar[str] = "the length of its longest operator"

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["max-op"]

    def complexity(self, factorization: FactorizedOperators) -> float:
        """Return the length of the longest operator."""
        return max(map(len, factorization))

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep(
                "longest", "parts of the longest operator", permutation.tree().longest_operator
            ),
            self._order_step(permutation, "1 - (longest - 2) / (n - 2)", least=3),
        ]
