"""|PET|: how finely a permutation factorizes. [PC] section 3"""

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
def pet_size(permutation: Permutation) -> float:
    """Return (inner nodes of any permutation tree - 1) / (n - 2); 1 for one or two words, 0 for none.

    It measures factorization, not order: the reversal scores 1.

    >>> from kilter import Permutation
    >>> pet_size(Permutation.from_one_based([2, 4, 5, 6, 1, 3]))
    0.5
    """
    return permutation.pet_size()


@dataclass(frozen=True, kw_only=True)
class PetSize(PermutationMetric):
    """Number of nodes of the permutation tree, scaled."""

    name: ClassVar[str] = "pet-size"
    summary: ClassVar[str] = "|PET|: nodes of the permutation tree"
    formula: ClassVar[str] = "(nodes - 1) / (n - 2); 1 for n <= 2"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2016",)
    complexity_formula: ClassVar[str] = "minus the number of its nodes"

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["pet-size"]

    def complexity(self, factorization: FactorizedOperators) -> float:
        """Return minus the number of nodes."""
        return -len(factorization)

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep(
                "nodes", "inner nodes of any permutation tree", permutation.tree().node_count
            ),
            self._order_step(permutation, "(nodes - 1) / (n - 2)", least=3),
        ]
