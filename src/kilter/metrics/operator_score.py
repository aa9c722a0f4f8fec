"""How much an operator of a permutation tree is worth. [PEF] section 4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter import _core
from kilter.errors import OptionError
from kilter.options.choice import Choice
from kilter.structures.permutation.branching import Branching

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.permutation.permutation_batch import PermutationBatch


class OperatorScore(Choice):
    """The published rule, or a flat score of the operator.

    ORDER: 1 for <1,2>, gamma for <2,1>, 0 for every other operator. Flat scores give <1,2> 1 and <2,1> 0,
    and differ on longer operators only; COMPLETE, 1 if all is in order, is therefore ORDER without gamma.
    """

    ORDER = "order"
    KENDALL = "kendall"
    KENDALL_SQRT = "kendall-sqrt"
    SPEARMAN = "spearman"
    HAMMING = "hamming"
    ULAM = "ulam"
    FUZZY = "fuzzy"
    COMPLETE = "complete"


# As the kernel numbers them.
_MEASURES = (
    OperatorScore.KENDALL,
    OperatorScore.KENDALL_SQRT,
    OperatorScore.SPEARMAN,
    OperatorScore.HAMMING,
    OperatorScore.ULAM,
    OperatorScore.FUZZY,
)


def check_gamma(name: str, operator: OperatorScore, gamma: float) -> None:
    """Refuse a score of <2,1> beside a flat score, which scores it itself."""
    if operator is not OperatorScore.ORDER and gamma != 0.0:
        raise OptionError(f"{name}: operator={operator} scores <2,1> itself; leave out gamma")


def recursive_scores(
    permutations: PermutationBatch,
    operator: OperatorScore,
    *,
    beta: float,
    gamma: float,
    branching: Branching = Branching.LEFT,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return PEFscore and PETscore of each permutation."""
    if operator not in _MEASURES:
        return permutations.tree_scores(beta=beta, gamma=gamma, branching=branching)
    both = _core.score_flat_operators(
        permutations.values,
        permutations.offsets,
        _MEASURES.index(operator),
        beta,
        right_branching=branching is Branching.RIGHT,
        empty=0.0,
        jobs=permutations.jobs,
    )
    return both[:, 0], both[:, 1]
