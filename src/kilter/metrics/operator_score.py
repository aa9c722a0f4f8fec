"""How much an operator of a permutation tree is worth. [PEF] section 4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter import _core
from kilter.core.errors import OptionError
from kilter.core.permutation_batch import Branching
from kilter.core.permutation_input import as_batch
from kilter.core.permutation_tree import Kind
from kilter.core.settings import Choice
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch
    from kilter.core.permutation_tree import PermutationTree, PermutationTreeNode


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


# Those that are a flat score of the operator.
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
        _core.FlatMeasure[operator.name],
        beta,
        right_branching=branching is Branching.RIGHT,
        empty=0.0,
        jobs=permutations.jobs,
    )
    return both[:, 0], both[:, 1]


_LINEAR = {Kind.MONOTONE: (1, 2), Kind.INVERTED: (2, 1)}


def node_steps(
    tree: PermutationTree, operator: OperatorScore, *, beta: float, gamma: float
) -> list[WorkingStep]:
    """Return what each inner node of a tree is worth, from the words up; the root is the last.

    In a binary tree that is PETscore. A linear node of a flattened tree that stands for several binary
    ones is worth what all ways to split it are worth on average: its operator, and from each child longer
    than a word the rest in a share that depends on its place (closed form of PEFscore).
    """
    inner = [node for node in tree.nodes() if node.kind is not Kind.LEAF]
    names = {node.index: f"node{number}" for number, node in enumerate(inner, start=1)}
    values: dict[int, float] = {}
    steps = [WorkingStep("beta", "weight of a node's own operator", beta)]
    for node in reversed(inner):
        own = _operator_score(node, operator, gamma)
        formula, value = _node_value(tree, node, own, beta, names, values)
        values[node.index] = value
        label = tree.operator_label(node.index)
        meaning = f"operator {label} over linked words {node.start + 1} to {node.end}"
        steps.append(WorkingStep(names[node.index], meaning, value, formula))
    return steps


def _operator_score(node: PermutationTreeNode, operator: OperatorScore, gamma: float) -> float:
    own = _LINEAR.get(node.kind, node.operator)
    if operator not in _MEASURES:
        published: dict[tuple[int, ...], float] = {(1, 2): 1.0, (2, 1): gamma}
        return published.get(own, 0.0)
    rows = as_batch([[place - 1 for place in own]])
    return float(rows.scores()[operator][0])


def _node_value(
    tree: PermutationTree,
    node: PermutationTreeNode,
    own: float,
    beta: float,
    names: dict[int, str],
    values: dict[int, float],
) -> tuple[str, float]:
    """Return the formula of a node, and its value."""
    children = tree.child_indices(node.index)
    long = [place for place, child in enumerate(children) if child in names]
    if not long:
        return _number(own), own
    if node.kind is Kind.PRIME or len(children) == 2:
        listed = ", ".join(names[children[place]] for place in long)
        below = sum(values[children[place]] for place in long) / len(long)
        return f"beta * {_number(own)} + (1 - beta) * mean({listed})", beta * own + (
            1.0 - beta
        ) * below
    parts, value = [_number(own)] if own else [], own
    words = [child not in names for child in children]
    for place in long:
        share = _reaching(words[:place][::-1], beta) * _reaching(words[place + 1 :], beta)
        name = names[children[place]]
        parts.append(f"{_number(share)} * {f'({name} - {_number(own)})' if own else name}")
        value += share * (values[children[place]] - own)
    return " + ".join(parts), value


def _reaching(siblings: list[bool], beta: float) -> float:
    """Return the share of a child's worth that reaches past its siblings on one side, nearest first.

    `siblings` says of each whether it is a single word.
    """
    reach, total = 1.0, 0.0
    for distance, word in enumerate(siblings, start=1):
        total += reach
        reach = (1.0 - beta) / (2.0 * distance) * (total + (reach if word else 0.0))
    return reach


def _number(value: float) -> str:
    return f"{value:.12g}"
