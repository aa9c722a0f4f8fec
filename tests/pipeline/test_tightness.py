"""Tightness of metrics on all short permutations."""

import pytest

from kilter.errors import OptionError
from kilter.metrics.kendall import Kendall
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric_class, metric_names
from kilter.pipeline.tightness import metric_tightness
from kilter.structures.permutation.permutation import Permutation
from kilter.structures.permutation.weak_factorization import FactorizedOperators
from tests.oracles import permutation as oracle

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


def test_the_number_of_trees_is_looked_at_in_the_tree_and_not_even_semi_tight() -> None:
    found = metric_tightness("pet-count", longest=4)
    assert not found.is_semi_tight
    step = found.against_semi_tight
    assert step is not None
    # The first permutation with a single tree gains nothing by its whole factorization.
    assert step.permutation == (1, 3, 2)
    assert (step.coarse, step.fine) == ("<1,3,2>[1, 3, 2]", "<1,2>[1, <2,1>[3, 2]]")
    assert step.coarse_complexity == step.fine_complexity == -1
    identity = metric_tightness("pet-count", longest=3)
    assert identity.tight == 2  # 1 2 3 and 3 2 1 have two trees


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
