"""PETscore: order judged recursively over one permutation tree. [PEF] section 4"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation
from kilter.core.permutation_batch import Branching
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.operator_score import (
    OperatorScore,
    check_gamma,
    node_steps,
    recursive_scores,
)
from kilter.metrics.permutation_metric import PermutationMetric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch
    from kilter.results.measure import WorkingStep


@checked
def pet(
    permutation: Permutation,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    branching: Branching | str = Branching.LEFT,
    operator_score: Callable[[tuple[int, ...]], float] | None = None,
) -> float:
    """Return PETscore: as PEFscore, but on the one canonical tree instead of all of them.

    The canonical tree is left-branching unless `branching="right"`. Unlike every other permutation
    score, it can differ between a permutation and its inverse.

    >>> from kilter import Permutation
    >>> p = Permutation.from_one_based([5, 7, 4, 6, 3, 1, 2])
    >>> round(pet(p), 12), round(pet(p, branching="right"), 12)
    (0.2, 0.08)
    """
    if operator_score is None:
        return permutation.pet(beta=beta, gamma=gamma, branching=branching)
    return permutation.tree().score(operator_score, beta=beta, branching=branching)[1]


@dataclass(frozen=True, kw_only=True)
class Pet(PermutationMetric):
    """PETscore of a permutation."""

    name: ClassVar[str] = "pet"
    summary: ClassVar[str] = "PETscore: recursive order score over one permutation tree"
    formula: ClassVar[str] = "node = beta op + (1 - beta) mean over children"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)

    beta: float = option(0.6, "weight of a node's own operator", low=0.0, high=1.0)
    gamma: float = option(0.0, "score of the operator <2,1>", low=0.0, high=1.0)
    branching: Branching = option(Branching.LEFT, "which tree is canonical")
    operator: OperatorScore = option(
        OperatorScore.ORDER, "score of an operator: the published rule, or a flat score of it"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gamma(self.name, self.operator, self.gamma)

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return recursive_scores(
            permutations,
            self.operator,
            beta=self.beta,
            gamma=self.gamma,
            branching=self.branching,
        )[1]

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        tree = permutation.tree().binary(self.branching)
        nodes = node_steps(tree, self.operator, beta=self.beta, gamma=self.gamma)
        return [*nodes, self._order_step(permutation, "node1")]
