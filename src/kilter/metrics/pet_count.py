"""#PETs: in how many ways a permutation factorizes. [PC] section 3"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation
from kilter.core.permutation_factorization import chain_tree_counts
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch
    from kilter.core.permutation_factorization import FactorizedOperators


@checked
def pet_count(permutation: Permutation) -> float:
    """Return (permutation trees - 1) / (Catalan(n - 1) - 1); 1 for one or two words, 0 for none.

    It measures factorization, not order: the reversal scores 1. The exact number of trees is
    `permutation.tree().tree_count()`.

    >>> from kilter import Permutation
    >>> pet_count(Permutation.from_one_based([4, 2, 3, 1]))
    0.25
    """
    return permutation.pet_count()


@dataclass(frozen=True, kw_only=True)
class PetCount(PermutationMetric):
    """Number of permutation trees, scaled."""

    name: ClassVar[str] = "pet-count"
    summary: ClassVar[str] = "#PETs: number of permutation trees"
    formula: ClassVar[str] = "(trees - 1) / (Catalan(n-1) - 1); 1 for n <= 2"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2016",)
    complexity_formula: ClassVar[str] = (
        "the mean length of its operators, chains of equal ones counted once for each of their trees"
    )

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["pet-count"]

    def complexity(self, factorization: FactorizedOperators) -> float:
        """Return the mean length of the operators, where chains count by Catalan numbers. [PC] section 4

        A chain of k - 1 equal binary operators, one node of k children in the flattened tree, counts as
        Catalan(k - 1) operators of two: as many as it has trees.
        """
        lengths = [len(operator) for operator in factorization if len(operator) > 2]
        trees = sum(chain_tree_counts(factorization.tree()))
        return (sum(lengths) + 2 * trees) / (len(lengths) + trees)

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        length = len(permutation)
        most = comb(2 * length - 2, length - 1) // length
        return [
            WorkingStep("n", "linked words", length),
            WorkingStep("trees", "permutation trees", permutation.tree().tree_count()),
            WorkingStep("most", "permutation trees of n words at most, Catalan(n - 1)", most),
            self._order_step(permutation, "(trees - 1) / (most - 1)", least=3),
        ]
