"""One permutation: what is one, its algebra, and its scores on the vectors of the papers."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.errors import InputError, OptionError
from kilter.core.permutation_batch import PermutationBatch
from kilter.core.permutation_tree import outline
from kilter.metrics.kendall import kendall
from tests import strategies
from tests.arrays import all_up_to, one_based
from tests.golden import Case, cases
from tests.oracles import permutation as oracle
from tests.shapes import wedge
from tests.tolerance import close

VECTORS = [*cases("permutations_1_to_5"), *cases("permutations_random_8_to_40")]

# How the package computes each column of the vectors.
COLUMNS: dict[str, Callable[[Permutation], Any]] = {
    "kendall": Permutation.kendall,
    "kendall_sqrt": lambda p: batch_of(p).scores()["kendall-sqrt"][0],
    "hamming": Permutation.hamming,
    "spearman": Permutation.spearman,
    "ulam": Permutation.ulam,
    "fuzzy": Permutation.fuzzy,
    "chunks": lambda p: batch_of(p).counts["chunks"][0],
    "primal": lambda p: p.is_primal,
    "arity": lambda p: p.arity,
    "nodes": lambda p: p.tree().node_count,
    "pets": lambda p: p.tree().tree_count(),
    "max_op": lambda p: p.tree().longest_operator,
    "avg_op": lambda p: p.tree().average_operator_length,
    "PET_size": Permutation.pet_size,
    "PETs_count": Permutation.pet_count,
    "MAX_op": Permutation.max_op,
    "pef_06_0": Permutation.pef,
    "pef_06_05": lambda p: p.pef(gamma=0.5),
    "pef_03_0": lambda p: p.pef(beta=0.3),
    "pef_06_kendall": lambda p: p.tree().score(
        lambda operator: kendall(Permutation.from_one_based(operator))
    )[0],
    "pet_left_06_0": Permutation.pet,
    "pet_left_06_05": lambda p: p.pet(gamma=0.5),
    "pet_right_06_0": lambda p: p.pet(branching="right"),
    "pef_spans": lambda p: p.forest().span_count,
    "pef_inferences": lambda p: p.forest().inference_count,
}


def batch_of(permutation: Permutation) -> PermutationBatch:
    return PermutationBatch(permutation.values, np.array([0, len(permutation)]))


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_of_the_vectors_is_reproduced(column: str) -> None:
    found = [float(COLUMNS[column](Permutation.from_one_based(case["pi"]))) for case in VECTORS]
    assert found == close([case[column] for case in VECTORS], absolute=1e-15)


def test_no_column_of_the_vectors_is_left_out() -> None:
    assert {"pi", *COLUMNS} == set(VECTORS[0]) == set(VECTORS[-1])


@pytest.mark.parametrize("case", cases("permutation_pairs"), ids=lambda case: str(case["pi"]))
def test_bullets_of_the_vectors_are_reproduced(case: Case) -> None:
    assert Permutation.from_one_based(case["pi"]).bullets() == case["bullets_pi"]


def test_bullets_of_no_word_and_of_one() -> None:
    assert (Permutation([]).bullets(), Permutation([0]).bullets()) == ("()", "(1)")


@given(strategies.permutations(1, 20))
def test_bullets_start_new_chunks(values: list[int]) -> None:
    assert Permutation(values).bullets() == oracle.bullets(one_based(values))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([0, 0], "0 at index 1 stands already at index 0; a permutation of 2 uses each of 0 to 1"),
        ([0, 2], "2 at index 1 is out of range"),
        ([1], "1 at index 0 is out of range; a permutation of one element is 0"),
        ([-1, 0], "-1 at index 0 is out of range"),
        ([2**31, 0], "2147483648 at index 0 is out of range"),
        ([2**70, 0], f"{2**70} at index 0 is out of range"),
        (np.array([2**64 - 1, 0], dtype=np.uint64), "18446744073709551615 at index 0"),
        ([0.0, 1.0], "made of integers, not of 0.0"),
        ([True, False], "made of integers, not of True"),
        (np.array([True, False]), "made of integers, not of True"),
        (["1", "0"], "made of integers, not of '1'"),
        ("10", "a sequence of integers, not a str"),
        ([None, 0], "made of integers, not of 'None'"),
        ([0, [1]], "one row of integers"),
        ([[0, 1]], "one row of integers, not an array of shape"),
        (np.zeros((2, 2), dtype=np.int32), "one row of integers"),
        (np.array(3), "one row of integers"),
        (np.array([0, 1], "M8[ns]"), "made of integers"),
        (np.array([0, 1], "m8[s]"), "made of integers"),
        (np.array([0, 1j]), "made of integers"),
        (None, "one row of integers, not None"),
        (7, "one row of integers, not 7"),
    ],
)
def test_what_is_no_permutation_is_refused_with_place_and_reason(values: Any, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        Permutation(values)
    assert reason in str(caught.value)


def test_one_based_values_are_reported_as_the_user_counts() -> None:
    with pytest.raises(InputError, match=r"0 at position 2 is out of range.* each of 1 to 2 once"):
        Permutation.from_one_based([1, 0])
    with pytest.raises(InputError, match="2 at position 3 stands already at position 1"):
        Permutation.from_one_based([2, 1, 2])
    with pytest.raises(InputError, match="a permutation of one element is 1"):
        Permutation.from_one_based([2])


@pytest.mark.parametrize(
    "values",
    [
        [1, 0, 2],
        (1, 0, 2),
        iter([1, 0, 2]),
        np.array([1, 0, 2], dtype=np.uint8),
        np.array([1, 0, 2], dtype=np.int64),
        np.array([1, 0, 2], dtype=">i4"),
        np.array([1, 9, 0, 9, 2], dtype=np.int32)[::2],
        np.array([1, 0, 2], dtype=object),
        [np.int16(1), 0, np.uint64(2)],
    ],
)
def test_any_row_of_integers_makes_the_same_permutation(values: Any) -> None:
    assert list(Permutation(values)) == [1, 0, 2]


def test_it_is_immutable_and_does_not_follow_its_source() -> None:
    source = np.array([1, 0], dtype=np.int32)
    permutation = Permutation(source)
    source[0] = 7
    assert permutation.one_based() == (2, 1)
    with pytest.raises(ValueError, match="read-only"):
        permutation.values[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        permutation.inverse().values[0] = 0


def test_equal_permutations_are_equal_keys() -> None:
    first, second = Permutation([1, 0]), Permutation.from_one_based([2, 1])
    assert first == second
    assert {first: "x"}[second] == "x"
    assert first != Permutation([0, 1])
    assert first != (1, 0)
    assert len({Permutation([]), Permutation([0]), Permutation([0, 1]), first}) == 4


@given(strategies.permutations(0, 12))
def test_copies_pickles_and_representations_are_equal(values: list[int]) -> None:
    permutation = Permutation(values)
    for twin in (
        pickle.loads(pickle.dumps(permutation)),  # noqa: S301 - our own bytes
        copy.deepcopy(permutation),
        eval(repr(permutation), {"Permutation": Permutation}),  # noqa: S307 - our own text
    ):
        assert twin == permutation
        assert hash(twin) == hash(permutation)


@given(strategies.permutation_pairs(0, 20))
def test_composition_and_inverse_follow_their_definitions(
    pair: tuple[list[int], list[int]],
) -> None:
    first, second = map(Permutation, pair)
    assert list(first @ second) == [pair[0][value] for value in pair[1]]
    assert first.inverse().one_based() == oracle.inverse(one_based(pair[0]))
    assert first @ first.inverse() == Permutation.identity(len(first))
    assert (first @ second).inverse() == second.inverse() @ first.inverse()


def test_permutations_of_different_lengths_do_not_compose() -> None:
    with pytest.raises(InputError, match="of 2 and 3 elements"):
        Permutation.identity(2) @ Permutation.identity(3)


def test_identity_and_reversal_read_as_they_are_called() -> None:
    assert Permutation.identity(3).one_based() == oracle.identity(3)
    assert Permutation.reversal(3).one_based() == oracle.reversal(3)
    assert len(Permutation.identity(0)) == len(Permutation.reversal(0)) == 0


@pytest.mark.parametrize("length", [2.5, "3", True, None, np.array([1, 2]), [3]])
def test_identity_and_reversal_have_a_whole_number_of_elements(length: Any) -> None:
    for made in (Permutation.identity, Permutation.reversal):
        assert len(made(np.int64(3))) == 3  # type: ignore[arg-type]
        with pytest.raises(InputError, match="has a whole number of elements, not"):
            made(length)
        with pytest.raises(InputError, match="cannot have -1 elements"):
            made(-1)


def test_single_values_are_plain_integers() -> None:
    permutation = Permutation([2, 0, 1])
    assert (permutation[0], permutation[-1], type(permutation[0])) == (2, 1, int)
    with pytest.raises(IndexError):
        permutation[3]


@pytest.mark.parametrize("name", ["beta", "gamma"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), 7])
def test_options_out_of_bounds_are_refused(name: str, value: float) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(OptionError, match=f"{name} is .*between 0 and 1"):
        Permutation([0, 2, 1]).pef(**options)
    with pytest.raises(OptionError, match=f"{name} is .*between 0 and 1"):
        Permutation([0, 2, 1]).pet(**options)


def test_a_misprint_of_the_papers_m5_6_2_4_1_5_3_is_not_primal() -> None:
    permutation = Permutation.from_one_based([6, 2, 4, 1, 5, 3])
    assert not permutation.is_primal
    assert permutation.arity == 2
    assert permutation.tree().operators() == [(2, 1), (2, 4, 1, 5, 3)]


@pytest.mark.parametrize(("length", "count"), [(2, 2), (3, 0), (4, 2), (5, 6), (6, 46), (7, 338)])
def test_primal_permutations_are_as_many_as_is_known(length: int, count: int) -> None:
    listed = all_up_to(length, start=length)
    assert sum(Permutation.from_one_based(pi).is_primal for pi in listed) == count


def test_fewer_than_two_words_are_not_primal() -> None:
    assert [Permutation.identity(n).is_primal for n in (0, 1, 2)] == [False, False, True]
    assert [Permutation.identity(n).arity for n in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.parametrize("length", [2**31, 2**63, 10**400])
def test_more_elements_than_any_permutation_has_are_refused(length: int) -> None:
    for make in (Permutation.identity, Permutation.reversal):
        with pytest.raises(InputError, match="at most 2147483647 elements"):
            make(length)


# Trees drawn in characters.


def test_a_small_tree_is_drawn_over_its_diagram() -> None:
    drawn = Permutation.from_one_based([2, 4, 5, 6, 1, 3]).tree().draw()
    assert drawn.splitlines() == [
        "         2413",
        "     ┌───┬┴──┬─┐",
        "     │  2x12 │ │",
        "     │ ┌─┼─┐ │ │",
        "     2 4 5 6 1 3",
        "",
        "6 │  · · · ● · ·",
        "5 │  · · ● · · ·",
        "4 │  · ● · · · ·",
        "3 │  · · · · · ●",
        "2 │  ● · · · · ·",
        "1 │  · · · · ● ·",
    ]


def _reads_like(drawn: str, values: list[int]) -> bool:
    """Return whether the row of leaves holds the values and the diagram a dot for each."""
    tree, _, diagram = drawn.partition("\n\n")
    rows = diagram.splitlines()
    leaves = tree.splitlines()[-1].split()
    dots = {int(row.split("│")[0]): row.index("●") for row in rows}
    columns = sorted(dots.values())
    return leaves == list(map(str, values)) and [
        columns.index(dots[value]) for value in values
    ] == list(range(len(values)))


@given(strategies.permutations(1, 40))
def test_leaves_and_dots_stand_in_order(values: list[int]) -> None:
    drawn = Permutation(values).tree().draw()
    assert _reads_like(drawn, [value + 1 for value in values])
    assert not any(line != line.rstrip() for line in drawn.splitlines())


@given(strategies.permutations(2, 40))
def test_every_operator_is_in_the_picture(values: list[int]) -> None:
    tree = Permutation(values).tree()
    picture = tree.draw().partition("\n\n")[0]
    for node in tree.nodes():
        if node.operator:
            assert tree.operator_label(node.index) in picture


def test_labels_are_short() -> None:
    assert Permutation.identity(2).tree().operator_label(0) == "12"
    assert Permutation.identity(5).tree().operator_label(0) == "4x12"
    assert Permutation.reversal(5).tree().operator_label(0) == "4x21"
    assert Permutation.identity(5).tree().binary().operator_label(0) == "12"
    assert Permutation.from_one_based([2, 4, 1, 3]).tree().operator_label(0) == "2413"
    ten = Permutation([1, 3, 5, 7, 9, 0, 2, 4, 6, 8])
    assert ten.tree().operator_label(0) == "2,4,6,8,10,1,3,5,7,9"


def test_no_words_are_said_to_be_none() -> None:
    assert Permutation([]).tree().draw() == "(empty permutation)"


def test_more_than_forty_elements_are_an_outline() -> None:
    values = [*range(20), *range(41, 19, -1)]
    drawn = Permutation(values).tree().draw()
    assert drawn.splitlines() == [
        "20x12 1-42",
        f"├─ {' '.join(map(str, range(1, 21)))}",
        "└─ 21x21 21-42",
        f"   └─ {' '.join(map(str, range(42, 20, -1)))}",
    ]


def test_an_outline_draws_lines_past_open_nodes() -> None:
    tree = Permutation.from_one_based([2, 1, 3, 5, 4]).tree()
    assert outline(tree).splitlines() == [
        "2x12 1-5",
        "├─ 21 1-2",
        "│  └─ 2 1",
        "├─ 3",
        "└─ 21 4-5",
        "   └─ 5 4",
    ]


@pytest.mark.parametrize("length", [41, 2000])
def test_deep_trees_are_outlined_without_recursion(length: int) -> None:
    drawn = Permutation(wedge(length)).tree().draw()
    # A line for each node and for each run of leaves: the innermost node has two of them.
    assert len(drawn.splitlines()) == 2 * length - 2


def test_a_binary_tree_is_drawn_with_binary_nodes() -> None:
    tree = Permutation.identity(3).tree()
    assert tree.draw().partition("\n\n")[0].count("12") == 1
    assert tree.binary().draw().partition("\n\n")[0].count("12") == 2


def test_an_outline_over_words_has_each_word_with_its_value() -> None:
    tree = Permutation.from_one_based([3, 1, 2]).tree()
    assert outline(tree, ["c", "a", "b"]).splitlines() == [
        "21 1-3",
        "├─ c 3",
        "└─ 12 2-3",
        "   └─ a 1, b 2",
    ]
