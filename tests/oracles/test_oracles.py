"""The oracles against the specification: its vectors, its tables, its facts and its errata."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.golden import Case, cases
from tests.oracles import permutation as oracle
from tests.oracles.permutation import COMPLEXITIES, Forest, Permutation, Tree
from tests.thorough import tried

HALF = Fraction(1, 2)

COLUMNS: dict[str, Callable[[Permutation], object]] = {
    "kendall": oracle.kendall,
    "kendall_sqrt": oracle.kendall_sqrt,
    "hamming": oracle.hamming,
    "spearman": oracle.spearman,
    "ulam": oracle.ulam,
    "fuzzy": oracle.fuzzy,
    "chunks": oracle.chunks,
    "primal": oracle.is_primal,
    "arity": oracle.arity,
    "nodes": oracle.node_count,
    "pets": oracle.tree_count,
    "max_op": oracle.longest_operator,
    "avg_op": oracle.average_operator_length,
    "PET_size": oracle.pet_size,
    "PETs_count": oracle.pet_count,
    "MAX_op": oracle.max_op,
    "pef_06_0": oracle.pef,
    "pef_06_05": lambda pi: oracle.pef(pi, gamma=HALF),
    "pef_03_0": lambda pi: oracle.pef(pi, beta=Fraction(3, 10)),
    "pef_06_kendall": lambda pi: oracle.pef(pi, operator_score=oracle.kendall),
    "pet_left_06_0": oracle.pet,
    "pet_left_06_05": lambda pi: oracle.pet(pi, gamma=HALF),
    "pet_right_06_0": lambda pi: oracle.pet(pi, branching="right"),
    "pef_spans": lambda pi: len(oracle.forest(pi)),
    "pef_inferences": lambda pi: sum(len(cuts) for _, cuts in oracle.forest(pi).values()),
}

# Specification, section 2.3.
REFERENCE_COLUMNS: tuple[Callable[[Permutation], object], ...] = (
    oracle.kendall,
    oracle.spearman,
    oracle.hamming,
    oracle.ulam,
    oracle.fuzzy,
    oracle.node_count,
    oracle.tree_count,
    oracle.longest_operator,
    oracle.pet_size,
    oracle.pet_count,
    oracle.max_op,
    oracle.pef,
    lambda pi: oracle.pef(pi, gamma=HALF),
    oracle.pet,
    lambda pi: oracle.pet(pi, branching="right"),
)
REFERENCE_TABLE = """
2 1             | 0    0     0   0   0   1 1  2 1   1     1   0       1/2      0       0
2 1 3           | 2/3  3/4   1/3 1/2 0   2 1  2 1   0     1   3/5     4/5      3/5     3/5
3 2 1           | 0    0     1/3 0   0   2 2  2 1   1     1   0       1/2      0       0
2 4 1 3         | 1/2  1/2   0   1/3 0   1 1  4 0   0     0   0       0        0       0
4 2 3 1         | 1/6  1/10  1/2 1/3 1/3 3 2  2 1   1/4   1   4/25    29/50    4/25    4/25
4 3 2 1         | 0    0     0   0   0   3 5  2 1   1     1   0       1/2      0       0
1 2 3 5 4       | 9/10 19/20 3/5 3/4 1/2 4 5  2 1   4/13  1   331/375 353/375  4/5     117/125
2 4 5 6 1 3     | 8/15 16/35 0   3/5 2/5 3 2  4 1/2 1/41  1/2 2/5     2/5      2/5     2/5
6 1 4 2 3 5     | 8/15 17/35 0   3/5 1/5 5 2  2 1   1/41  1   226/625 851/1250 226/625 226/625
6 1 5 2 3 4     | 7/15 2/5   0   3/5 2/5 5 2  2 1   1/41  1   38/125  163/250  38/125  38/125
6 2 4 1 5 3     | 2/5  13/35 1/3 2/5 0   2 1  5 1/4 0     1/4 0       3/10     0       0
5 7 4 6 3 1 2   | 4/21 3/28  0   1/6 1/6 4 2  4 3/5 1/131 3/5 7/50    1/2      1/5     2/25
5 6 7 8 4 1 2 3 | 9/28 .     .   .   5/7 . 20 2 1   .     1   7/25    .        7/25    7/25
"""

PI_A, PI_B = (6, 1, 4, 2, 3, 5), (6, 1, 5, 2, 3, 4)
PI_C, PI_D = (2, 4, 5, 6, 1, 3), (6, 2, 4, 1, 5, 3)
SEVEN, BECAUSE = (5, 7, 4, 6, 3, 1, 2), (5, 6, 7, 8, 4, 1, 2, 3)
SATURATING = oracle.average_of(lambda length: 1 if length == 2 else 10)
BIRCH = {
    "a": oracle.identity(10),
    "b": (1, 2, 3, 4, 6, 5, 7, 8, 9, 10),
    "c": (6, 7, 8, 9, 10, 1, 2, 3, 4, 5),
    "d": (2, 3, 4, 5, 6, 7, 8, 9, 10, 1),
}


def inverted_nodes(pi: Permutation) -> int:
    return oracle.operators(pi).count(oracle.INVERTED)


def merged_nodes(pi: Permutation) -> int:
    root = oracle.flat_tree(pi)
    return 0 if isinstance(root, int) else root[1]


# The rows do not name their permutations: these are the ones of the places they cite.
WORKED: dict[str, object] = {
    "PC-pi_a": oracle.longest_operator(PI_A),
    "PC-pi_a-inv": inverted_nodes(PI_A),
    "PC-pi_b": oracle.longest_operator(PI_B),
    "PC-pi_b-inv": inverted_nodes(PI_B),
    "PC-pi_c": oracle.forest(PI_C)[0, 6][0],
    "PC-pi_d": oracle.is_primal(PI_D),
    "PC-arity-4231": oracle.arity((4, 2, 3, 1)),
    "PC-fig3": oracle.arity(PI_C),
    "PC-4321-splits": [split for (split,) in oracle.minimal_cuts((4, 3, 2, 1))],
    "PC-4321-flat": merged_nodes((4, 3, 2, 1)),
    "PC-nonbinary": oracle.is_semi_tight_for(PI_C, COMPLEXITIES["non_binary_nodes"]),
    "PC-theorem1": oracle.is_tight_for(oracle.identity(5), SATURATING),
    "PEF-arity": oracle.arity(SEVEN),
    "PEF-arity-2413": oracle.arity((2, 4, 1, 3)),
    "PEF-not-sub": oracle.is_sub_permutation((3, 5)),
    "PEF-fig3": str(oracle.left_tree(SEVEN)),
    "PEF-fig1": str(oracle.right_tree(PI_C)),
    "PEF-pefscore-c": oracle.pef(PI_C),
    "PEF-pefscore-7": oracle.pef(SEVEN),
    "PEF-because-PEFscore": oracle.pef(BECAUSE),
    "PEF-because-PETscore": oracle.pet(BECAUSE),
    "PEF-because-Kendall": oracle.kendall(BECAUSE),
    "PEF-because-Fuzzy": oracle.fuzzy(BECAUSE),
    "PEF-because-PETs": oracle.tree_count(BECAUSE),
    "FRS-fig2-top": oracle.fuzzy((4, 5, 8, 9, 6, 7, 1, 2, 3, 10)),
    "FRS-fig2-bottom": oracle.fuzzy(oracle.identity(10)),
    **{f"LR-table1-{row}": oracle.bullets(pi) for row, pi in BIRCH.items()},
    **{f"LR-d_tau-{row}": oracle.kendall_between(pi, BIRCH["a"]) for row, pi in BIRCH.items()},
    **{f"LR-d_H-{row}": oracle.hamming_between(pi, BIRCH["a"]) for row, pi in BIRCH.items()},
}


def up_to(length: int, *, start: int = 1) -> Iterator[Permutation]:
    for n in range(start, length + 1):
        yield from permutations(range(1, n + 1))


def frozen(nested: Any) -> Any:
    return tuple(map(frozen, nested)) if isinstance(nested, list) else nested


def equal(value: Any, expected: Any) -> bool:
    if isinstance(expected, bool | str | list) or expected is None:
        return bool(frozen(value) == frozen(expected))
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-15)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("name", ["permutations_1_to_5", "permutations_random_8_to_40"])
def test_every_column_of_the_permutation_vectors_is_reproduced(name: str, column: str) -> None:
    wrong = {
        pi: (value, case[column])
        for case in cases(name)
        if not equal(value := COLUMNS[column](pi := tuple(case["pi"])), case[column])
    }
    assert wrong == {}


@pytest.mark.parametrize("name", ["permutations_1_to_5", "permutations_random_8_to_40"])
def test_no_column_of_the_permutation_vectors_is_left_out(name: str) -> None:
    assert set(cases(name)[0]) == {"pi", *COLUMNS}


def test_the_vectors_up_to_length_five_hold_every_permutation() -> None:
    assert [tuple(case["pi"]) for case in cases("permutations_1_to_5")] == list(up_to(5))


@pytest.mark.parametrize("row", REFERENCE_TABLE.strip().splitlines())
def test_the_table_of_values_for_reference_is_exact(row: str) -> None:
    left, right = row.split("|")
    pi = tuple(map(int, left.split()))
    for score, cell in zip(REFERENCE_COLUMNS, right.split(), strict=True):
        assert cell == "." or score(pi) == Fraction(cell)


@pytest.mark.parametrize("case", cases("forests"), ids=lambda case: str(case["pi"]))
def test_forests_and_trees_of_the_vectors_are_reproduced(case: Case) -> None:
    pi = tuple(case["pi"])
    expected: Forest = {
        frozen(entry["span"]): (frozen(entry["operator"]), [*map(frozen, entry["splits"])])
        for entry in case["forest"]
    }
    assert oracle.forest(pi) == expected
    assert sorted(map(str, oracle.all_trees(pi))) == sorted(str(frozen(t)) for t in case["pets"])
    assert oracle.left_tree(pi) == frozen(case["left"])
    assert oracle.right_tree(pi) == frozen(case["right"])
    assert oracle.flat_tree(pi) == frozen(case["flat"])


@pytest.mark.parametrize("case", cases("permutation_pairs"), ids=lambda case: str(case["pi"]))
def test_pairs_of_the_vectors_are_reproduced(case: Case) -> None:
    pi, sigma = case["pi"], case["sigma"]
    assert oracle.bullets(pi) == case["bullets_pi"]
    assert equal(oracle.kendall_between(pi, sigma), case["kendall"])
    assert equal(oracle.hamming_between(pi, sigma), case["hamming"])


@pytest.mark.parametrize("case", cases("weak_factorizations"), ids=lambda case: str(case["pi"]))
def test_weak_factorizations_of_the_vectors_are_reproduced(case: Case) -> None:
    pi = tuple(case["pi"])
    assert len(oracle.weak_factorizations(pi)) == case["weak_factorizations"]
    assert oracle.tree_count(pi) == case["pets"]
    assert case["tight"] == {k: oracle.is_tight_for(pi, c) for k, c in COMPLEXITIES.items()}
    assert case["semi_tight"] == {
        k: oracle.is_semi_tight_for(pi, c) for k, c in COMPLEXITIES.items()
    }


def test_no_worked_example_about_permutations_is_left_out() -> None:
    rows = {
        case["id"]
        for case in cases("worked_examples")
        if (case["paper"] in ("[PC]", "[PEF]", "[LR]") and case["place"] != "table 3")
        or case["id"] in ("FRS-fig2-top", "FRS-fig2-bottom")
    }
    assert rows == set(WORKED)


@pytest.mark.parametrize(
    "case",
    [case for case in cases("worked_examples") if case["id"] in WORKED],
    ids=lambda case: str(case["id"]),
)
def test_worked_examples_are_reproduced_or_differ_as_recorded(case: Case) -> None:
    value = WORKED[case["id"]]
    assert equal(value, case["oracle"])
    if case["status"] == "ok":
        assert equal(value, case["printed"])
    elif case["status"] in ("misprint", "false-claim"):
        assert not equal(value, case["printed"])


@pytest.mark.parametrize(
    ("length", "count"), [(1, 0), (2, 2), (3, 0), (4, 2), (5, 6), (6, 46), (7, 338)]
)
def test_primal_permutations_are_as_many_as_is_known(length: int, count: int) -> None:
    assert sum(oracle.is_primal(pi) for pi in permutations(range(1, length + 1))) == count


def test_no_word_scores_zero_and_a_single_word_one() -> None:
    flat = (oracle.kendall, oracle.kendall_sqrt, oracle.spearman, oracle.hamming, oracle.ulam)
    joints = (oracle.fuzzy, lambda pi: oracle.fuzzy(pi, joints="all"), oracle.complete)
    trees = (oracle.pet_size, oracle.pet_count, oracle.max_op, oracle.pef, oracle.pet)
    for score in (*flat, *joints, *trees, oracle.pef_beer):
        assert (score(()), score((1,))) == (0, 1)
    pairs = (oracle.kendall_between, oracle.hamming_between)
    for between in (*pairs, oracle.spearman_between, oracle.footrule_between):
        assert [between((), ()), between((1,), (1,))] == [Fraction(0), Fraction(1)]


def test_no_word_has_no_tree_and_a_single_word_has_a_leaf() -> None:
    assert (oracle.all_trees(()), oracle.forest(()), oracle.tree_count(())) == ([], {}, 0)
    assert oracle.all_trees((1,)) == [oracle.left_tree((1,))] == [1]
    assert (oracle.bullets(()), oracle.bullets((1,))) == ("()", "(1)")


def test_permutations_of_different_lengths_have_no_pair_score() -> None:
    with pytest.raises(ValueError, match="lengths 2 and 3 differ"):
        oracle.kendall_between((1, 2), (1, 2, 3))


def test_pair_scores_are_symmetric_and_extend_the_scores_against_the_identity() -> None:
    for n in range(1, 5):
        for pi, sigma in product(permutations(range(1, n + 1)), repeat=2):
            assert oracle.kendall_between(pi, sigma) == oracle.kendall_between(sigma, pi)
            assert oracle.hamming_between(pi, sigma) == oracle.hamming_between(sigma, pi)
            assert oracle.spearman_between(pi, sigma) == oracle.spearman_between(sigma, pi)
            assert oracle.footrule_between(pi, sigma) == oracle.footrule_between(sigma, pi)


def test_the_footrule_of_a_reversal_is_zero_and_of_a_swap_its_share() -> None:
    assert all(
        oracle.footrule_between(oracle.reversal(n), oracle.identity(n)) == 0 for n in range(2, 8)
    )
    assert oracle.footrule_between((2, 1, 3), (1, 2, 3)) == HALF


def test_all_joints_include_both_ends_of_the_sentence() -> None:
    assert oracle.fuzzy((2, 1, 3), joints="all") == Fraction(1, 4)
    assert oracle.fuzzy((2, 1, 3)) == 0
    assert oracle.fuzzy((2, 3, 1), joints="all") == Fraction(1, 4)
    assert oracle.fuzzy(oracle.identity(5), joints="all") == 1


def test_only_the_identity_is_complete() -> None:
    assert [pi for pi in up_to(4) if oracle.complete(pi)] == [*map(oracle.identity, range(1, 5))]


def test_the_quadratic_subsequence_is_the_longest_of_all_subsets() -> None:
    for pi in up_to(tried(6, quick=5)):
        rising = [
            sum(chosen)
            for chosen in product((0, 1), repeat=len(pi))
            if (kept := [v for v, keep in zip(pi, chosen, strict=True) if keep]) == sorted(kept)
        ]
        assert oracle.longest_increasing(pi) == max(rising)


def test_the_arity_is_never_three_and_a_cut_into_four_or_more_is_unique() -> None:
    for pi in up_to(tried(7, quick=6), start=2):
        cuts = oracle.minimal_cuts(pi)
        assert oracle.arity(pi) == 2 or (oracle.arity(pi) >= 4 and len(cuts) == 1)


def test_all_inferences_of_a_span_share_one_primal_operator() -> None:
    for pi in up_to(6, start=2):
        for span, (operator, cuts) in oracle.forest(pi).items():
            found = {oracle.operator_of(pi, oracle.parts(span, cut)) for cut in cuts}
            assert found == ({operator} if operator else set())
            assert operator is None or oracle.is_primal(operator)


def test_all_trees_of_a_permutation_share_operators_count_and_flattened_form() -> None:
    for pi in up_to(tried(6, quick=5)):
        trees = oracle.all_trees(pi)
        assert len(set(trees)) == len(trees) == oracle.tree_count(pi)
        assert {oracle.flatten(tree) for tree in trees} == {oracle.flat_tree(pi)}
        assert {tuple(sorted(oracle.tree_operators(tree))) for tree in trees} == {
            tuple(sorted(oracle.operators(pi)))
        }
        assert {oracle.left_tree(pi), oracle.right_tree(pi)} <= set(trees)
        assert sum(len(operator) - 1 for operator in oracle.operators(pi)) == len(pi) - 1


def test_the_number_of_trees_is_the_catalan_product_of_the_flattened_tree() -> None:
    def catalan_product(tree: oracle.FlatTree) -> int:
        if isinstance(tree, int):
            return 1
        operator, merged, children = tree
        assert len(children) == (merged + 1 if len(operator) == 2 else len(operator))
        own = oracle.catalan(merged) if len(operator) == 2 else 1
        return own * math.prod(map(catalan_product, children))

    for pi in up_to(tried(6, quick=5)):
        assert oracle.tree_count(pi) == catalan_product(oracle.flat_tree(pi))


def test_shift_reduce_builds_the_left_branching_tree() -> None:
    def shift_reduce(pi: Permutation) -> Tree:
        stack: list[tuple[Permutation, Tree]] = []
        for value in pi:
            stack.append(((value,), value))
            reducible = True
            while reducible:
                suffixes = [stack[k:] for k in range(len(stack) - 2, -1, -1)]
                joined = [
                    suffix
                    for suffix in suffixes
                    if oracle.is_sub_permutation([v for values, _ in suffix for v in values])
                ]
                reducible = bool(joined)
                if reducible:
                    values = tuple(v for part, _ in joined[0] for v in part)
                    operator = oracle.rank_list([part[0] for part, _ in joined[0]])
                    children = tuple(tree for _, tree in joined[0])
                    stack[-len(children) :] = [(values, (operator, children))]
        ((_, tree),) = stack
        return tree

    assert all(shift_reduce(pi) == oracle.left_tree(pi) for pi in up_to(6))


def test_inversion_changes_no_score_but_petscore() -> None:
    flat = (oracle.kendall, oracle.spearman, oracle.hamming, oracle.ulam, oracle.fuzzy)
    trees = (oracle.pet_size, oracle.pet_count, oracle.max_op, oracle.pef)
    for pi in up_to(tried(6, quick=5)):
        other = oracle.inverse(pi)
        assert all(score(pi) == score(other) for score in (*flat, *trees))
    assert any(oracle.pet(pi) != oracle.pet(oracle.inverse(pi)) for pi in up_to(5))


def test_scores_lie_between_those_of_reversal_and_identity() -> None:
    scores = (oracle.kendall, oracle.spearman, oracle.ulam, oracle.fuzzy, oracle.pef)
    for score in (*scores, oracle.pef_beer):
        assert all(0 <= score(pi) <= 1 for pi in up_to(5))
        assert all(score(oracle.reversal(n)) == 0 for n in range(2, 8))
        assert all(score(oracle.identity(n)) == 1 for n in range(2, 8))
    assert all(oracle.pef(oracle.reversal(n), gamma=HALF) == HALF for n in range(2, 8))


def test_the_beer_rule_gives_the_known_value() -> None:
    assert round(float(oracle.pef_beer(PI_C)), 4) == 0.3288


def test_the_beer_rule_by_tree_counts_is_the_mean_over_enumerated_trees() -> None:
    for pi in up_to(tried(6, quick=5)):
        assert oracle.pef_beer(pi) == oracle.pef_beer(pi, enumerate_trees=False)


def test_the_maximal_weak_factorizations_are_the_trees() -> None:
    for pi in up_to(5):
        families = oracle.weak_factorizations(pi)
        maximal = {x for x in families if not any(x < y for y in families)}
        assert len(set(families)) == len(families)
        assert maximal == {oracle.tree_spans(tree) for tree in oracle.all_trees(pi)}


def test_an_identity_has_as_many_weak_factorizations_as_bracketings() -> None:
    counts = [len(oracle.weak_factorizations(oracle.identity(n))) for n in range(7)]
    assert counts == [0, 1, 1, 3, 11, 45, 197]


def test_a_tree_has_the_operators_of_its_weak_factorization() -> None:
    for pi in up_to(5):
        for tree in oracle.all_trees(pi):
            found = oracle.factorization_operators(pi, oracle.tree_spans(tree))
            assert Counter(found) == Counter(oracle.tree_operators(tree))


@pytest.mark.parametrize("name", ["average_operator_length", "minus_node_count"])
def test_average_operator_length_and_node_count_are_tight(name: str) -> None:
    assert all(oracle.is_tight_for(pi, COMPLEXITIES[name]) for pi in up_to(5))


def test_the_longest_operator_is_semi_tight_and_not_tight() -> None:
    longest = COMPLEXITIES["longest_operator"]
    assert all(oracle.is_semi_tight_for(pi, longest) for pi in up_to(5))
    assert not all(oracle.is_tight_for(pi, longest) for pi in up_to(5))


def test_the_number_of_non_binary_nodes_is_not_semi_tight() -> None:
    non_binary = COMPLEXITIES["non_binary_nodes"]
    splittable = [pi for pi in up_to(5, start=5) if not oracle.is_primal(pi)]
    failures = sum(not oracle.is_semi_tight_for(pi, non_binary) for pi in splittable)
    assert (failures, len(splittable)) == (110, 114)
    single = frozenset({(0, 6)})
    values = [
        non_binary(oracle.factorization_operators(PI_C, family))
        for family in (single, single | {(1, 4)})
    ]
    assert values == [1, 2]


def test_the_average_of_a_constant_or_saturating_ground_metric_is_not_tight() -> None:
    constant = oracle.average_of(lambda _: 1)
    splittable = [pi for pi in up_to(5, start=3) if not oracle.is_primal(pi)]
    assert not any(oracle.is_semi_tight_for(pi, constant) for pi in splittable)
    assert not oracle.is_tight_for(oracle.identity(5), SATURATING)


def test_the_simple_operators_of_the_strategies_are_all_of_length_four_and_five() -> None:
    found = {tuple(value + 1 for value in each) for each in strategies.SIMPLE_OPERATORS}
    assert found == {pi for pi in up_to(5, start=4) if oracle.is_primal(pi)}


@given(st.data(), st.integers(0, 20), st.integers(0, 20))
def test_strategies_draw_permutations_of_the_sizes_asked_for(
    data: st.DataObject, min_size: int, extra: int
) -> None:
    values = data.draw(strategies.permutations(min_size, min_size + extra))
    assert min_size <= len(values) <= min_size + extra
    assert sorted(values) == list(range(len(values)))


@given(strategies.permutation_pairs(0, 12))
def test_strategies_draw_pairs_of_one_length(pair: tuple[list[int], list[int]]) -> None:
    assert sorted(pair[0]) == sorted(pair[1]) == list(range(len(pair[0])))


@given(st.integers(1, 30).flatmap(strategies.separables))
def test_separable_permutations_have_binary_operators_only(values: list[int]) -> None:
    assert oracle.longest_operator([value + 1 for value in values]) in (0, 2)


@given(st.integers(1, 30).flatmap(strategies.substitutions))
def test_substituted_permutations_have_operators_up_to_length_five(values: list[int]) -> None:
    assert oracle.longest_operator([value + 1 for value in values]) in (0, 2, 4, 5)
