"""PEFscore of nodes so wide that all children are weighed at once."""

import numpy as np
import pytest

from kilter import _core
from tests.arrays import flat, one_based
from tests.oracles.chart import Chart, linear_node, published
from tests.thorough import some, tried
from tests.tolerance import close

# Children that a monotone node can have: a word, and nodes that do not continue it.
CHILDREN: list[list[int]] = [[0], [1, 0], [2, 1, 0], [1, 3, 0, 2]]
BETAS = [0.6, 0.1, 1.0]


def node_of(children: list[list[int]], *, inverted: bool) -> list[int]:
    values: list[int] = []
    for child in children:
        values += [len(values) + value for value in child]
    # Turned upside down, a monotone node is an inverted one, and so are its children.
    return [len(values) - 1 - value for value in values] if inverted else values


def expected(children: list[list[int]], beta: float, gamma: float, *, inverted: bool) -> float:
    scores: list[float | None] = []
    for child in children:
        turned = [len(child) - 1 - value for value in child] if inverted else child
        chart = Chart(one_based(turned))
        scores.append(chart.pef(beta, published(gamma)) if len(child) > 1 else None)
    return linear_node(scores, gamma if inverted else 1.0, beta)


def chosen(width: int, share: float, seed: int) -> list[list[int]]:
    """Return children, this share of them nodes and the others words."""
    rng = np.random.default_rng(seed)
    inner = CHILDREN[1:4]
    return [inner[rng.integers(3)] if rng.random() < share else [0] for _ in range(width)]


@pytest.mark.parametrize("share", some([1.0, 0.15, 0.05], quick=[0.15]))
def test_nodes_of_hundreds_of_children_score_what_the_oracle_says(share: float) -> None:
    children = [CHILDREN[1], *chosen(tried(299, quick=159), share, seed=7)]
    arrays = flat([node_of(children, inverted=False)])
    scores, _, _ = _core.score(*arrays, 0.6, 0.0, False, 0.0, 1)  # noqa: FBT003
    assert scores[9, 0] == close(expected(children, 0.6, 0.0, inverted=False))


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("share", some([1.0, 0.5, 0.15, 0.05], quick=[0.5, 0.05]))
@pytest.mark.parametrize("width", some([63, 64, 65, 130], quick=[64, 65]))
def test_wide_nodes_of_mixed_children_score_what_the_oracle_says(
    width: int,
    share: float,
    inverted: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    children = chosen(width, share, seed=width)
    children[0] = CHILDREN[1]  # never only words
    beta, gamma = BETAS[width % 3], 0.35
    arrays = flat([node_of(children, inverted=inverted)])
    scores, _, _ = _core.score(*arrays, beta, gamma, False, 0.0, 1)  # noqa: FBT003
    assert scores[9, 0] == close(expected(children, beta, gamma, inverted=inverted))


def test_a_wide_node_within_a_wide_node_scores_what_the_oracle_says() -> None:
    inner = node_of(chosen(70, 0.4, seed=1), inverted=True)
    children = [[1, 0], inner, [0], [1, 3, 0, 2], *chosen(80, 0.6, seed=2)]
    scores_of = [
        None
        if len(c) == 1
        else expected(chosen(70, 0.4, seed=1), 0.6, 0.2, inverted=True)
        if c is inner
        else Chart(one_based(c)).pef(0.6, published(0.2))
        for c in children
    ]
    arrays = flat([node_of(children, inverted=False)])
    scores, _, _ = _core.score(*arrays, 0.6, 0.2, False, 0.0, 1)  # noqa: FBT003
    assert scores[9, 0] == close(linear_node(scores_of, 1.0, 0.6))


@pytest.mark.parametrize("share", [0.9, 0.1])
def test_operator_scores_of_any_kind_reach_wide_nodes(share: float) -> None:
    children = chosen(90, share, seed=3)
    values = np.array(node_of(children, inverted=False), dtype=np.int32)
    kinds = _core.tree(values)[0]
    given = np.array([0.0, 0.7, 0.2, 0.9])[kinds]  # leaf, monotone, inverted, prime
    score = {(1, 2): 0.7, (2, 1): 0.2, (2, 4, 1, 3): 0.9}
    scores_of = [
        Chart(one_based(c)).pef(0.6, score.__getitem__) if len(c) > 1 else None for c in children
    ]
    found, _ = _core.score_with_operators(values, given, 0.6, False)  # noqa: FBT003
    assert found == close(linear_node(scores_of, 0.7, 0.6))


def test_one_operator_score_per_node_is_required() -> None:
    with pytest.raises(ValueError, match="2 operator scores for 3 nodes"):
        _core.score_with_operators(np.array([1, 0], dtype=np.int32), np.zeros(2), 0.6, False)  # noqa: FBT003
