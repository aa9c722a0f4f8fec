"""PEFscore: order judged recursively over all permutation trees. [PEF] section 4"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from kilter import _core
from kilter.core.errors import OptionError
from kilter.core.permutation import Permutation
from kilter.core.registry import option
from kilter.core.settings import Choice, checked
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


class PefVariant(Choice):
    """The score of the paper, or the one that the program BEER 1.1 computes."""

    PAPER = "paper"
    BEER = "beer"


@checked
def pef(
    permutation: Permutation,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    operator_score: Callable[[tuple[int, ...]], float] | None = None,
) -> float:
    """Return PEFscore: 1 for the identity, gamma for the reversal; a single word 1, none 0.

    A node is worth beta * operator + (1 - beta) * the mean over its inferences of the mean over
    children longer than a word; a node over words only is worth its operator. `operator_score` replaces
    the published 1 for <1,2>, gamma for <2,1>, 0 otherwise.

    >>> from kilter import Permutation
    >>> round(pef(Permutation.from_one_based([5, 7, 4, 6, 3, 1, 2])), 12)
    0.14
    """
    if operator_score is None:
        return permutation.pef(beta=beta, gamma=gamma)
    return permutation.tree().score(operator_score, beta=beta)[0]


# Of two words the reversal lies only beta below 1: of the 16 digits of a score 13 are left.
_LEAST_BEER_BETA = 0.001


@dataclass(frozen=True, kw_only=True)
class Pef(PermutationMetric):
    """PEFscore of a permutation."""

    name: ClassVar[str] = "pef"
    summary: ClassVar[str] = "PEFscore: recursive order score over the permutation forest"
    formula: ClassVar[str] = (
        "node = beta op + (1 - beta) mean over inferences of mean over children"
    )
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)

    beta: float = option(0.6, "weight of a node's own operator", low=0.0, high=1.0)
    gamma: float = option(0.0, "score of the operator <2,1>", low=0.0, high=1.0)
    operator: OperatorScore = option(
        OperatorScore.ORDER, "score of an operator: the published rule, or a flat score of it"
    )
    variant: PefVariant = option(
        PefVariant.PAPER, "the paper's rule, or that of the program BEER 1.1"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gamma(self.name, self.operator, self.gamma)
        if self.variant is PefVariant.BEER:
            if self.gamma != 0.0 or self.operator is not OperatorScore.ORDER:
                raise OptionError("pef: variant=beer takes neither gamma nor operator")
            if self.beta < _LEAST_BEER_BETA:
                raise OptionError(
                    f"pef: beta is {self.beta!r}, with which scores are lost in rounding; variant=beer "
                    f"needs a beta of {_LEAST_BEER_BETA} or more"
                )

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        if self.variant is PefVariant.BEER:
            values, offsets, jobs = permutations.values, permutations.offsets, permutations.jobs
            return _core.score_beer(values, offsets, self.beta, 0.0, jobs)
        return recursive_scores(permutations, self.operator, beta=self.beta, gamma=self.gamma)[0]

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        if self.variant is PefVariant.BEER:
            mean = "mean over all permutation trees by the rule of BEER 1.1, and the reversal's taken off"
            return [replace(self._order_step(permutation, ""), meaning=mean, formula="")]
        nodes = node_steps(permutation.tree(), self.operator, beta=self.beta, gamma=self.gamma)
        return [*nodes, self._order_step(permutation, "node1")]
