"""Permutations in every form that callers have them, for every metric of permutations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kilter
from kilter.core.errors import InputError
from kilter.core.permutation_input import as_batch, as_unproved_batch
from kilter.metrics.permutation_metric import PermutationMetric

ROWS = [[0, 2, 1, 3], [3, 2, 1, 0], [0, 1, 2, 3]]
FLAT, OFFSETS = np.array(ROWS, dtype=np.int32).reshape(-1), np.array([0, 4, 8, 12])
FORMS: dict[str, tuple[Any, ...]] = {
    "lists": (ROWS,),
    "tuples": (tuple(map(tuple, ROWS)),),
    "an iterator": (iter(ROWS),),
    "a table": (np.array(ROWS),),
    "a flat array": (FLAT, OFFSETS),
    "an Arrow array": (pa.array(ROWS),),
    "an Arrow array of one length": (pa.array(ROWS, pa.list_(pa.int32(), 4)),),
    "an Arrow array of views": (pa.array(ROWS, pa.list_view(pa.int32())),),
    "large views in pieces": (
        pa.chunked_array([pa.array(ROWS[:1], pa.large_list_view(pa.int64())), ROWS[1:]]),
    ),
    "views in any order": (
        pa.ListViewArray.from_arrays([4, 8, 0], [4, 4, 4], [*ROWS[2], *ROWS[0], *ROWS[1]]),
    ),
    "a slice beside nulls": (pa.array([None, [None], *ROWS, [None]])[2:5],),
    "an array without a masked value": (np.ma.array(ROWS),),
    "a batch": (kilter.PermutationBatch(FLAT, OFFSETS),),
}
METRICS = [
    found
    for found in map(kilter.metric, kilter.metric_names())
    if isinstance(found, PermutationMetric)
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_of_permutations_takes_every_form(metric: PermutationMetric) -> None:
    forms = {**FORMS, "an iterator": (iter(ROWS),)}
    found = [metric.permutation_scores(*form).tolist() for form in forms.values()]
    assert all(each == found[0] for each in found)
    assert len(found[0]) == 3
    assert metric.permutation_scores([[]]).tolist() == [metric.empty]


@pytest.mark.parametrize("name", ["kendall", "spearman", "ulam", "pef", "pet", "pet-size"])
def test_a_metric_gives_what_all_scores_hold(name: str) -> None:
    metric = kilter.metric(name)
    assert isinstance(metric, PermutationMetric)
    assert (
        metric.permutation_scores(ROWS).tolist() == kilter.permutation_scores(ROWS)[name].tolist()
    )


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({(0, 1), (1, 0)}, "values: is a set, which has no order; pass a list of lists"),
        ({"a": [0]}, "values: is a mapping"),
        (None, "values: is None"),
        ("01", "values: is a single string"),
        ([[0, 2]], "permutation 0: 2 at index 1 is out of range"),
        ([["a"]], "permutations are made of integers"),
        ([[True, 0]], "permutation 0: permutations are made of integers, not of bool"),
        ([[0], [2**100, 1]], f"permutation 1: {2**100} at index 0 is out of range"),
        ([[None, 1]], "permutations are made of integers, not of object"),
        (pa.array([[0], [None]]), "an Arrow array of permutations cannot hold nulls"),
        (pa.array([[0], None]), "an Arrow array of permutations cannot hold nulls"),
        (pa.array([0]), "an Arrow array of permutations is a list array, not int64"),
        (
            pa.array([[0]], pa.list_(pa.float32(), 1)),
            "permutations are made of integers, not of float32",
        ),
        ([np.ma.array([0, 1], mask=[False, True])], "permutations have no missing values"),
    ],
)
def test_what_are_no_permutations_is_refused(values: Any, reason: str) -> None:
    for take in (as_batch, kilter.permutation_scores, METRICS[0].permutation_scores):
        with pytest.raises(InputError) as raised:
            take(values)
        assert str(raised.value).startswith(reason)


def test_values_with_offsets_are_one_row_without_a_mask() -> None:
    with pytest.raises(
        InputError, match=r"^values must be one row of integers, not an array of sh"
    ):
        as_batch(np.array([[0, 1]]), np.array([0, 2]))
    half = [False, True]
    masked = np.ma.array([0, 1], mask=half), [0, 2]
    for given in (masked, ([0, 1], np.ma.array([0, 2], mask=half))):
        with pytest.raises(InputError, match=r"^permutations have no missing values"):
            as_batch(*given)


@pytest.mark.parametrize("value", [1, 2**40])
def test_offsets_are_one_row_whatever_the_values_are(value: int) -> None:
    with pytest.raises(InputError, match=r"one row of integers, not an array of shape \(2, 2\)"):
        as_batch(np.array([0, value]), np.zeros((2, 2), dtype=np.int64))


def test_a_batch_has_its_own_offsets() -> None:
    with pytest.raises(InputError, match="a batch has offsets of its own"):
        as_batch(kilter.PermutationBatch(FLAT, OFFSETS), OFFSETS)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_value_that_no_machine_word_holds_is_named_with_its_permutation(place: int) -> None:
    values = np.array([[0, 1], [1, 0], [0, 1]])
    values[place, 1] = 2**40
    with pytest.raises(InputError, match=rf"^permutation {place}: .*{2**40}"):
        as_batch(values)


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_rows_of_plain_integers_are_what_rows_of_any_kind_are(kind: Callable[..., object]) -> None:
    rows = [[2, 0, 1], [], [0], [1, 0]]
    plain = as_unproved_batch(rows)
    other = as_batch([kind(row) for row in rows])
    assert plain.values.dtype == other.values.dtype == np.int32
    assert plain.values.tolist() == other.values.tolist() == [2, 0, 1, 0, 1, 0]
    assert plain.offsets.tolist() == other.offsets.tolist() == [0, 3, 3, 4, 6]


@pytest.mark.parametrize(
    "row", [[1.0, 0], [True, False], ["1", "0"], [2**31, 0], [-1, 0], [0, 0], [1]]
)
def test_what_is_no_permutation_is_named_by_whoever_looks_first(row: list[object]) -> None:
    with pytest.raises(InputError) as first:
        as_batch([[0, 1], row])
    with pytest.raises(InputError) as later:
        as_unproved_batch([[0, 1], row]).scores()
    assert str(first.value) == str(later.value)
