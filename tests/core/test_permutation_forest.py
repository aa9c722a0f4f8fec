"""The chart of all trees against the vectors and the literal forest."""

import math
from typing import Any

import pytest
from hypothesis import given

from kilter import Permutation, PermutationForest
from kilter.core.errors import InputError
from tests import strategies
from tests.arrays import all_up_to, one_based
from tests.golden import Case, cases
from tests.oracles import permutation as oracle
from tests.oracles.chart import Chart
from tests.thorough import examples, tried


def chart_of(forest: PermutationForest) -> oracle.Forest:
    return {entry.span: (entry.operator or None, list(entry.inferences)) for entry in forest}


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("case", cases("forests"), ids=lambda case: str(case["pi"]))
def test_forests_of_the_vectors_are_reproduced(case: Case) -> None:
    forest = Permutation.from_one_based(case["pi"]).forest()
    listed = [
        {
            "span": list(entry.span),
            "operator": list(entry.operator) or None,
            "splits": [list(cut) for cut in entry.inferences],
        }
        for entry in forest
    ]
    assert listed == case["forest"]
    assert sorted(map(str, forest.trees())) == sorted(str(frozen(t)) for t in case["pets"])


def test_forests_of_all_short_permutations_are_the_oracles() -> None:
    for pi in all_up_to(tried(7, quick=5)):
        forest = Permutation.from_one_based(pi).forest()
        expected = oracle.forest(pi)
        assert chart_of(forest) == expected
        assert forest.span_count == len(expected)
        assert forest.inference_count == sum(len(cuts) for _, cuts in expected.values())


@examples(40)
@given(strategies.permutations(1, 40))
def test_forests_of_longer_permutations_are_the_oracles(values: list[int]) -> None:
    expected = Chart(one_based(values))
    forest = Permutation(values).forest()
    assert chart_of(forest) == {
        span: (expected.operators[span], expected.cuts[span]) for span in expected.spans
    }
    assert list(chart_of(forest)) == sorted(expected.spans)


def test_all_trees_up_to_length_six_are_the_oracles() -> None:
    for pi in all_up_to(6):
        forest = Permutation.from_one_based(pi).forest()
        assert sorted(map(str, forest.trees())) == sorted(map(str, oracle.all_trees(pi)))


@given(strategies.permutations(1, 12))
def test_entries_are_found_by_their_spans(values: list[int]) -> None:
    forest = Permutation(values).forest()
    known = {entry.span: entry for entry in forest}
    for start in range(len(values) + 1):
        for end in range(start, len(values) + 2):
            assert ((start, end) in forest) == ((start, end) in known)
            if (start, end) in known:
                assert forest[start, end] == known[start, end]


@pytest.mark.parametrize("span", [(0, 0), (-1, 1), (2, 1), (0, 9), (1, 3)])
def test_spans_without_an_entry_are_not_found(span: tuple[int, int]) -> None:
    forest = Permutation.from_one_based([2, 4, 1, 3]).forest()
    assert span not in forest
    with pytest.raises(KeyError, match="no permutation tree has a node over"):
        forest[span]


@pytest.mark.parametrize("span", ["ab", 3, None, (1, 2, 3), ("a", "b")])
def test_what_is_no_span_is_in_no_forest(span: object) -> None:
    assert span not in Permutation.identity(4).forest()


def test_a_misprint_of_the_papers_m6_a_primal_span_is_cut_into_as_many_parts_as_words() -> None:
    # Both papers demand arity <= j - (i + 1), which would leave <2,4,1,3> without its inference.
    entry = Permutation.from_one_based([2, 4, 1, 3]).forest()[0, 4]
    assert (entry.operator, entry.inferences) == ((2, 4, 1, 3), ((1, 2, 3),))
    pair = Permutation.from_one_based([2, 1]).forest()[0, 2]
    assert (pair.operator, pair.inferences) == ((2, 1), ((1,),))


def test_no_words_have_an_empty_forest() -> None:
    forest = Permutation([]).forest()
    assert (list(forest), list(forest.trees())) == ([], [])
    assert (forest.span_count, forest.inference_count) == (0, 0)
    assert (0, 0) not in forest


def test_more_trees_than_the_limit_are_refused_before_any_is_made() -> None:
    forest = Permutation.identity(12).forest()
    assert math.comb(22, 11) // 12 == 58786
    with pytest.raises(InputError, match=r"there are 58786 permutation trees.* limit of 58785"):
        next(forest.trees(limit=58785))
    with pytest.raises(InputError, match=r"over 10\^18 permutation trees"):
        next(Permutation.identity(100).forest().trees())


def test_a_long_monotone_forest_is_counted_without_being_made() -> None:
    forest = Permutation.identity(100_000).forest()
    assert forest.span_count == 100_000 * 100_001 // 2
    assert forest.inference_count == 99_999 * 100_000 * 100_001 // 6
    assert forest[5, 8].inferences == ((6,), (7,))
