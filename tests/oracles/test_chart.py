"""The fast oracle against the literal one."""

from fractions import Fraction

import pytest

from tests.arrays import all_up_to
from tests.golden import cases
from tests.oracles import permutation as oracle
from tests.oracles.chart import Chart, kendall_of, linear_node, published
from tests.thorough import some, tried
from tests.tolerance import close

SMALL = all_up_to(6)
RANDOM = [
    tuple(case["pi"]) for case in cases("permutations_random_8_to_40") if len(case["pi"]) < 25
]


def test_spans_operators_and_cuts_are_those_of_the_literal_forest() -> None:
    for pi in [(), *SMALL, *RANDOM]:
        chart = Chart(pi)
        found = {span: (chart.operators[span], chart.cuts[span]) for span in chart.spans}
        assert found == oracle.forest(pi)


@pytest.mark.parametrize("beta", some([0.6, 0.25], quick=[0.6]))
def test_scores_are_those_of_the_literal_definitions(beta: float) -> None:
    for pi in [(), *all_up_to(tried(5, quick=4)), *RANDOM[:: tried(1, quick=6)]]:
        chart, weight = Chart(pi), Fraction(beta)
        half, gamma = published(0.5), Fraction(1, 2)
        assert chart.pef(beta) == close(oracle.pef(pi, beta=weight))
        assert chart.pef(beta, half) == close(oracle.pef(pi, beta=weight, gamma=gamma))
        assert chart.pef(beta, kendall_of) == close(
            oracle.pef(pi, beta=weight, operator_score=oracle.kendall)
        )
        assert chart.pet(beta, half) == close(oracle.pet(pi, beta=weight, gamma=gamma))
        assert chart.pet(beta, right=True) == close(oracle.pet(pi, beta=weight, branching="right"))
        assert chart.beer(beta) == close(oracle.pef_beer(pi, beta=weight, enumerate_trees=False))
        assert chart.tree_count() == oracle.tree_count(pi)
        assert sorted(chart.tree_operators()) == sorted(oracle.operators(pi))


def test_a_linear_node_over_its_children_is_the_chart_over_their_words() -> None:
    shapes = {None: [1], 0.0: [2, 1], 0.4: [2, 4, 5, 6, 1, 3]}
    rows: list[list[float | None]] = [
        [None, None],
        [0.0, 0.4],
        [None, 0.0, None, None, 0.4],
        [0.4, None, 0.4, 0.0, None, None, None, 0.0],
    ]
    for children in rows:
        pi: list[int] = []
        for child in children:
            pi += [len(pi) + value for value in shapes[child]]
        assert linear_node(children, 1.0, 0.6) == close(oracle.pef(pi))
