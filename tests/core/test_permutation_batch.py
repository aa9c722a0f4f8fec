"""Many permutations: what a batch refuses, and the laws that scores obey."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import Permutation, PermutationBatch
from kilter.core.errors import InputError, OptionError
from kilter.core.permutation_batch import PAIR_COLUMNS, SCORE_COLUMNS, Branching
from tests import strategies
from tests.arrays import batch
from tests.golden import cases
from tests.tolerance import close

SYMMETRIC = tuple(name for name in SCORE_COLUMNS if name != "pet")
ORDERS = ("kendall", "spearman", "ulam", "fuzzy", "pef")
corpora = st.lists(strategies.permutations(0, 20), max_size=8)


def int32(*values: int) -> Any:
    return np.array(values, dtype=np.int32)


def int64(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize(
    ("values", "offsets", "reason"),
    [
        (int32(0, 1, 1), int64(0, 1, 3), "permutation 1: 1 at index 1 stands already at index 0"),
        (int32(0, 2, 0), int64(0, 1, 3), "permutation 1: 2 at index 0 is out of range"),
        (int32(0), int64(), "start at 0 and end at the number of values, 1"),
        (int32(0), int64(1), "start at 0"),
        (int32(0), int64(0, 2), "end at the number of values"),
        (int32(0), int64(-1, 1), "start at 0"),
        (int32(0, 1), int64(0, 2, 1, 2), "offsets fall after entry 1"),
        (int32(0, 1), int64(0, 2**62, -(2**62), 2), "offsets fall after entry 1"),
        (int64(0), int64(0, 1), "one contiguous row of int32"),
        (int32(0), int32(0, 1), "one contiguous row of int64"),
        (int32(0, 0, 1, 1)[::2], int64(0, 2), "contiguous"),
        (int32(0, 1).reshape(1, 2), int64(0, 2), "one contiguous row of int32"),
        (int32(0), int64(0, 1).reshape(1, 2), "one contiguous row of int64"),
        (int32(0).astype(">i4"), int64(0, 1), "int32"),
        ([0], [0, 1], "numpy arrays"),
        (None, None, "numpy arrays"),
    ],
)
def test_what_is_no_batch_is_refused(values: Any, offsets: Any, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        PermutationBatch(values, offsets)
    assert reason in str(caught.value)


def test_segments_are_found_by_their_place() -> None:
    found = batch([[1, 0], [], [2, 0, 1]])
    assert len(found) == 3
    assert found.lengths.tolist() == [2, 0, 3]
    assert [found[s].tolist() for s in range(3)] == [[1, 0], [], [2, 0, 1]]


@given(corpora, st.randoms(use_true_random=False))
def test_the_score_of_a_segment_does_not_depend_on_its_neighbours(
    corpus: list[list[int]], chance: Any
) -> None:
    order = list(range(len(corpus)))
    chance.shuffle(order)
    straight, mixed = batch(corpus).scores(), batch([corpus[s] for s in order]).scores()
    for name, column in straight.items():
        assert column[order].tolist() == mixed[name].tolist()


@given(strategies.permutations(1, 80))
def test_law_1_scores_lie_between_zero_and_one(values: list[int]) -> None:
    for gamma in (0.0, 0.5):
        scores = batch([values]).scores(gamma=gamma)
        for name in SCORE_COLUMNS:
            assert 0.0 <= scores[name][0] <= 1.0


@pytest.mark.parametrize("length", [1, 2, 3, 10, 64, 65, 200])
def test_law_1_the_identity_scores_exactly_one(length: int) -> None:
    scores = batch([range(length)]).scores(gamma=0.5)
    assert {name: scores[name][0] for name in SCORE_COLUMNS} == dict.fromkeys(SCORE_COLUMNS, 1.0)


@pytest.mark.parametrize("length", [2, 3, 10, 64, 65, 200])
def test_law_1_the_reversal_scores_zero_where_order_counts(length: int) -> None:
    scores = batch([range(length)[::-1]]).scores()
    assert {name: scores[name][0] for name in ORDERS} == dict.fromkeys(ORDERS, 0.0)
    assert scores["hamming"][0] == (1 / length if length % 2 else 0.0)
    assert batch([range(length)[::-1]]).scores(gamma=0.3)["pef"][0] == close(0.3)


@given(strategies.permutations(1, 70))
def test_law_2_inversion_changes_no_score_but_pet(values: list[int]) -> None:
    inverse = Permutation(values).inverse()
    straight, turned = batch([values]).scores(gamma=0.4), batch([list(inverse)]).scores(gamma=0.4)
    for name in SYMMETRIC:
        assert turned[name][0] == close(straight[name][0])


def test_law_2_pet_can_change_under_inversion() -> None:
    values = Permutation.from_one_based([5, 7, 4, 6, 3, 1, 2])
    assert (values.pet(), values.inverse().pet()) == close([0.2, 0.08])


@given(strategies.permutation_pairs(0, 70))
def test_law_3_pair_scores_are_symmetric(pair: tuple[list[int], list[int]]) -> None:
    first, second = batch([pair[0]]), batch([pair[1]])
    there, back = first.pair_scores(second), second.pair_scores(first)
    for name in PAIR_COLUMNS:
        assert there[name].tolist() == back[name].tolist()


@given(strategies.permutations(0, 70))
def test_law_3_a_pair_with_the_identity_is_the_score_itself(values: list[int]) -> None:
    one = batch([values])
    against_identity = one.pair_scores(batch([range(len(values))]))
    for name in ("kendall", "hamming", "spearman"):
        assert against_identity[name].tolist() == one.scores()[name].tolist()


def test_pairs_of_the_vectors_are_reproduced() -> None:
    rows = cases("permutation_pairs")
    first, second = (
        batch([[value - 1 for value in row[side]] for row in rows]) for side in ("pi", "sigma")
    )
    found = first.pair_scores(second)
    assert found["kendall"] == close([row["kendall"] for row in rows])
    assert found["hamming"] == close([row["hamming"] for row in rows])


def test_pairs_of_different_lengths_are_refused_by_place() -> None:
    with pytest.raises(InputError, match=r"permutation 1: .* same length"):
        batch([[0], [0, 1]]).pair_scores(batch([[0], [0, 1, 2]]))
    with pytest.raises(InputError, match=r"permutation 1: .* same length"):
        batch([[0], [0, 1]]).pair_scores(batch([[0]]))


def test_scores_are_kept_by_their_options() -> None:
    found = batch([[0, 2, 1, 3], [3, 1, 0, 2]])
    assert found.scores() is found.scores()
    assert found.scores(gamma=0.5) is not found.scores()
    assert found.scores(branching=Branching.RIGHT)["pef"].tolist() == found.scores()["pef"].tolist()
    assert found.counts["nodes"].tolist() == [3, 3]


@given(strategies.permutations(0, 40))
def test_kendall_by_itself_is_kendall_among_all_scores(values: list[int]) -> None:
    alone, among = batch([values]), batch([values])
    expected = among.scores(beta=0.1)["kendall"].tolist()
    assert alone.kendall_scores().tolist() == expected
    assert among.kendall_scores().tolist() == expected


def test_options_out_of_bounds_are_refused() -> None:
    with pytest.raises(OptionError, match="beta is 2; it must be a number between 0 and 1"):
        batch([[0]]).scores(beta=2)
