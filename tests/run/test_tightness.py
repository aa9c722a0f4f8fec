"""Tightness of metrics on all short permutations."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import OptionError
from kilter.core.permutation import Permutation
from kilter.core.permutation_factorization import (
    FactorizedOperators,
    weak_factorizations,
)
from kilter.metrics.kendall import Kendall
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.pet_count import PetCount
from kilter.metrics.registry import metric_class, metric_names
from kilter.run.tightness import metric_tightness
from tests.oracles import permutation as oracle
from tests.strategies import permutations
from tests.thorough import tried

OF_PERMUTATIONS = [n for n in metric_names() if issubclass(metric_class(n), PermutationMetric)]


def test_the_number_of_nodes_is_tight_and_the_longest_operator_semi_tight() -> None:
    size, longest = metric_tightness("pet-size"), metric_tightness("max-op")
    assert (size.is_tight, size.is_semi_tight, size.permutations) == (True, True, 6 + 22 + 114)
    assert (size.against_tight, size.against_semi_tight) == (None, None)
    assert (longest.is_tight, longest.is_semi_tight) == (False, True)
    assert longest.against_semi_tight is None
    step = longest.against_tight
    assert step is not None
    assert step.coarse_complexity == step.fine_complexity == 3


def _average_over_flattened(operators: FactorizedOperators) -> Fraction:
    """Merge equal binary operators of parent and child; what is merged counts as often as it has trees."""
    rows = [(node.index, node.operator) for node in operators.tree().nodes() if node.operator]
    parents = operators.tree().parent.tolist()
    own = dict(rows)
    total, count = 0, 0
    for index, operator in rows:
        if len(operator) > 2:
            total, count = total + len(operator), count + 1
        elif own.get(parents[index]) != operator:
            chain = {index}
            for below, other in rows:  # in preorder: parents come first
                if other == operator and parents[below] in chain:
                    chain.add(below)
            trees = comb(2 * len(chain), len(chain)) // (len(chain) + 1)
            total, count = total + 2 * trees, count + trees
    return Fraction(total, count)


def test_the_number_of_trees_is_tight_for_all_permutations() -> None:
    longest = tried(6, quick=5)
    found = metric_tightness("pet-count", longest=longest)
    expected = 816 if longest == 6 else 142
    assert (found.permutations, found.tight, found.semi_tight) == (expected, expected, expected)
    assert found.against_tight is None


def test_the_cost_of_the_number_of_trees_is_that_of_the_flattened_tree() -> None:
    # <1,2> over 1 and <1,2> over 2 and <2,1>: a chain of three parts has two trees.
    permutation = Permutation.from_one_based([1, 2, 4, 3])
    spans = frozenset([(0, 4), (1, 4), (2, 4)])
    assert PetCount().complexity(FactorizedOperators.of(permutation, spans)) == 2
    # <2,4,1,3> over 2, <1,2,3,4>, 1 and 3, once uncut, once in three cuts: five trees.
    permutation = Permutation.from_one_based([2, 4, 5, 6, 7, 1, 3])
    inside = [(1, 5), (1, 4), (1, 3)]
    costs = [(4 + 4) / 2, (4 + 3 + 2) / 3, (4 + 5 * 2) / 6]
    for kept, cost in [(inside[:1], costs[0]), (inside[::2], costs[1]), (inside, costs[2])]:
        made = FactorizedOperators.of(permutation, frozenset([(0, 7), *kept]))
        assert PetCount().complexity(made) == pytest.approx(cost)


@given(permutations(2, 7), st.data())
def test_chains_are_counted_as_one_node_of_the_flattened_tree(
    permutation: Permutation, data: st.DataObject
) -> None:
    spans = data.draw(st.sampled_from([*weak_factorizations(permutation)]))
    made = FactorizedOperators.of(permutation, spans)
    assert PetCount().complexity(made) == float(_average_over_flattened(made))


def test_the_average_operator_is_a_complexity_of_its_own() -> None:
    found = metric_tightness("average-operator")
    assert (found.metric, found.complexity) == (
        "average-operator",
        "the mean length of its operators",
    )
    assert (found.permutations, found.tight, found.semi_tight) == (142, 142, 142)


@pytest.mark.parametrize("name", OF_PERMUTATIONS)
def test_any_metric_of_permutations_is_tried_with_a_counterexample_where_it_fails(
    name: str,
) -> None:
    found = metric_tightness(name, longest=4)
    assert found.metric == name
    assert found.tight <= found.semi_tight <= found.permutations == 6 + 22
    for holds, step in [
        (found.is_tight, found.against_tight),
        (found.is_semi_tight, found.against_semi_tight),
    ]:
        assert holds == (step is None)
        if step is not None:
            assert not step.coarse_complexity > step.fine_complexity
            assert not Permutation.from_one_based(step.permutation).is_primal


def test_a_flat_metric_is_the_mean_over_operators() -> None:
    permutation = Permutation.from_one_based([1, 4, 2, 3])
    # <1,3,2> over <1,2>: one pair of three is wrong in one operator, none in the other.
    spans = frozenset([(0, 4), (2, 4)])
    found = Kendall().complexity(FactorizedOperators.of(permutation, spans))
    assert found == pytest.approx((1 / 3 + 0) / 2)
    whole = FactorizedOperators.of(permutation, frozenset([(0, 4)]))
    assert Kendall().complexity(whole) == pytest.approx(1 - float(oracle.kendall((1, 4, 2, 3))))


@pytest.mark.parametrize("longest", [2, 8])
def test_lengths_that_say_nothing_or_take_too_long_are_refused(longest: int) -> None:
    with pytest.raises(OptionError, match=f"longest is {longest}; it must lie between 3 and 7"):
        metric_tightness("pef", longest=longest)


def test_what_looks_at_more_than_a_permutation_is_refused() -> None:
    with pytest.raises(OptionError, match="bleu looks at words; tight is a word for metrics of"):
        metric_tightness("bleu")
