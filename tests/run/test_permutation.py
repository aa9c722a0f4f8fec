"""Scores from arrays and lists, and lines in a stream."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.core.permutation_batch import SCORE_COLUMNS
from kilter.io.stream import ByteSource
from kilter.metrics.registry import metric
from kilter.run.permutation import (
    LineCount,
    OnError,
    block_columns,
    metric_columns,
    pair_columns,
    permutation_scores,
    read_lines,
)
from tests import strategies
from tests.arrays import all_up_to, flat, one_based, zero_based
from tests.oracles import permutation as oracle
from tests.shapes import identity
from tests.tolerance import close

LISTS = [[1, 0], [0], [], [2, 0, 1]]
KENDALL = [0.0, 1.0, 0.0, 1 / 3]
Source = Callable[[str], ByteSource]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    def write(text: str) -> ByteSource:
        path = tmp_path / "orders.txt"
        path.write_text(text, encoding="utf-8")
        return ByteSource(str(path))

    return write


@pytest.mark.parametrize(
    "values",
    [
        LISTS,
        [np.array(row, dtype=np.int64) for row in LISTS],
        [np.array(row, dtype=np.uint64) for row in LISTS],
        [np.array([1, 0], dtype=np.int8), range(1), (), iter([2, 0, 1])],
        pa.array(LISTS),
        pa.array(LISTS, type=pa.large_list(pa.int16())),
        pa.chunked_array([LISTS[:1], LISTS[1:]]),
        pa.array([[5], *LISTS, [9]])[1:5],
    ],
)
def test_lists_of_any_kind_score_the_same(values: Any) -> None:
    assert permutation_scores(values)["kendall"] == close(KENDALL)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_flat_values_with_offsets_score_the_same(dtype: Any) -> None:
    values, offsets = flat(LISTS)
    table = permutation_scores(values.astype(dtype), offsets.astype(np.int32))
    assert table["kendall"] == close(KENDALL)
    assert permutation_scores(values.tolist(), offsets.tolist())["kendall"] == close(KENDALL)


def test_a_matrix_holds_one_permutation_a_row() -> None:
    rows = np.array([zero_based(pi) for pi in all_up_to(4, start=4)])
    expected = [oracle.kendall(one_based(row)) for row in rows]
    assert permutation_scores(rows)["kendall"] == close(expected)
    assert permutation_scores(np.asfortranarray(rows))["kendall"] == close(expected)
    assert len(permutation_scores(np.zeros((3, 0), dtype=np.int32))) == 3
    assert len(permutation_scores(np.zeros((0, 3), dtype=np.int32))) == 0


def test_columns_come_in_the_published_order() -> None:
    table = permutation_scores([[1, 3, 4, 5, 0, 2], []])
    assert table.names == (*SCORE_COLUMNS, "nodes", "max-operator", "chunks", "primal")
    assert [table[name][0] for name in ("nodes", "max-operator", "chunks", "primal")] == [
        3,
        4,
        4,
        0,
    ]
    assert table["primal"].dtype == np.bool_


def test_options_reach_the_scores() -> None:
    seven = [4, 6, 3, 5, 2, 0, 1]
    table = permutation_scores([seven, []], beta=0.5, gamma=0.5, branching="right", empty=0.25)
    assert table["pef"][0] == close(oracle.pef(one_based(seven), beta=0.5, gamma=0.5))
    right = oracle.pet(one_based(seven), beta=0.5, gamma=0.5, branching="right")
    assert table["pet"][0] == close(right)
    assert {float(table[name][1]) for name in SCORE_COLUMNS} == {0.25}


@given(st.lists(strategies.permutations(0, 30), max_size=30), st.integers(2, 5))
def test_jobs_change_nothing(corpus: list[list[int]], jobs: int) -> None:
    alone, shared = permutation_scores(corpus), permutation_scores(corpus, jobs=jobs)
    assert alone.to_numpy().tolist() == shared.to_numpy().tolist()


def test_nothing_scores_nothing() -> None:
    assert len(permutation_scores([])) == 0
    assert len(permutation_scores([], [0])) == 0
    assert len(permutation_scores(np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64))) == 0


@pytest.mark.parametrize(
    ("values", "offsets", "reason"),
    [
        ([[0], [1, 1]], None, "permutation 1: 1 at index 1 stands already at index 0"),
        ([[0], [2**40, 0]], None, "permutation 1: 1099511627776 at index 0 is out of range"),
        ([[-5]], None, "permutation 0: -"),
        ([[0.5]], None, "made of integers, not of float64"),
        ([[True]], None, "made of integers, not of bool"),
        ([["a"]], None, "made of integers"),
        ([[None]], None, "made of integers, not of object"),
        ([[[0]]], None, "permutation 0: is not a row of integers"),
        ([0, 1], None, "permutation 0: is not a row of integers; pass a list of lists"),
        (["10"], None, "permutation 0: is not a row of integers"),
        (None, None, "values: is None; pass a list of lists, or a flat array with offsets"),
        (7, None, "pass a list of lists"),
        (np.zeros((1, 1, 1), dtype=np.int32), None, "two dimensions, not 3"),
        (np.array(1), None, "two dimensions, not 0"),
        ([0, 1], [0, 1.5, 2], "offsets are integers, not float64"),
        ([0, 1], ["0", "2"], "offsets are integers"),
        ([0, 1], [0, 2**70], "offsets are integers, not object"),
        ([0, 1], [[0], [1, 2]], "offsets must be one row of integers"),
        ([0, 1], [[0, 2]], "offsets must be one row of integers"),
        ([[0], [1, 0]], [0, 1], "values must be one row of integers"),
        ([0, 1], [], "start at 0 and end at the number of values"),
        ([0, 1], [0, 3], "end at the number of values"),
        ([0, 1], [0, 3, 2], "offsets fall"),
        ([0, 1], [0, -1, 2], "offsets fall"),
        (np.array([0, 1]), np.array([0, 2**63 + 5], dtype=np.uint64), "end at the number"),
        (pa.array([[0], None]), None, "cannot hold nulls"),
        (pa.array([[0, None]]), None, "cannot hold nulls"),
        (pa.array(["a"]), None, "is a list array, not string"),
        (pa.array([[0.5]]), None, "made of integers"),
        (pa.table({"a": [1]}), None, "is a list array, not Table"),
    ],
)
def test_what_are_no_permutations_is_refused_with_a_reason(
    values: Any, offsets: Any, reason: str
) -> None:
    with pytest.raises(InputError) as caught:
        permutation_scores(values, offsets)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"jobs": 0}, "jobs is 0; it must be a whole number from 1 to 2147483647"),
        ({"jobs": -3}, "jobs is -3"),
        ({"jobs": "2"}, "jobs is '2'"),
        ({"jobs": 2.5}, "jobs is 2.5"),
        ({"jobs": 10**12}, "jobs is 1000000000000"),
        ({"beta": 2}, "beta is 2.0; it must lie between 0 and 1"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"empty": -1}, "empty is -1.0"),
        ({"branching": "up"}, "branching is 'up'; it can be left, right"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        permutation_scores([[0]], **options)
    assert reason in str(caught.value)


def test_the_package_offers_it() -> None:
    assert kilter.permutation_scores is permutation_scores


def test_a_bad_line_stops_before_the_first_block(source: Source) -> None:
    blocks = read_lines(source("1\n2 1\n1 1\n"))
    with pytest.raises(InputError, match=r"orders\.txt:3: 1 at position 2 stands already"):
        next(blocks)


@pytest.mark.parametrize("on_error", [OnError.SKIP, OnError.MARK])
def test_bad_lines_are_counted_and_the_first_is_kept(source: Source, on_error: OnError) -> None:
    count = LineCount()
    blocks = list(read_lines(source("1\nx\n2 1\n\n"), on_error=on_error, count=count))
    assert (count.good, count.bad) == (2, 2)
    assert count.first is not None
    assert count.first.line == 2
    assert [line for block in blocks for line in block.lines.tolist()] == [1, 3]


def test_a_file_that_changes_between_readings_still_stops(tmp_path: Path) -> None:
    path = tmp_path / "orders.txt"

    class Changing(ByteSource):
        def chunks(self, *, again: bool = False) -> Any:
            path.write_bytes(b"1\n" if again else b"x\n")
            return super().chunks(again=again)

    with pytest.raises(InputError, match="was changed or replaced while it was read"):
        list(read_lines(Changing(str(path))))


def test_columns_of_a_block_are_those_of_the_command(source: Source) -> None:
    (block,) = read_lines(source("2 4 5 6 1 3\n[]\n"))
    columns = block_columns(block)
    assert list(columns) == [
        "n", *SCORE_COLUMNS, "nodes", "max-operator", "trees", "chunks", "primal",
    ]  # fmt: skip
    assert columns["n"].tolist() == [6, 0]
    assert columns["trees"].listed() == ["2", "0"]
    assert columns["primal"].tolist() == [False, False]
    assert "trees" not in block_columns(block, exact_trees=False)


def test_exact_tree_counts_are_written_beyond_machine_words(source: Source) -> None:
    lines = [" ".join(str(v + 1) for v in identity(n)) for n in (37, 38, 64, 65, 300)]
    (block,) = read_lines(source("\n".join(lines) + "\n"))
    expected = [str(oracle.catalan(n - 1)) for n in (37, 38, 64, 65, 300)]
    assert block_columns(block)["trees"].listed() == expected


def test_metrics_are_columns_under_their_specifications(source: Source) -> None:
    (block,) = read_lines(source("2 1 3\n[]\n"))
    names = ("pef:beta=0.5", "pef:empty=1.0", "fuzzy:joints=all")
    columns = metric_columns(block, {name: metric(name) for name in names})  # type: ignore[misc]
    assert list(columns) == ["n", "pef:beta=0.5", "pef:empty=1.0", "fuzzy:joints=all"]
    assert columns["pef:beta=0.5"] == close([0.5, 0.0])
    assert columns["pef:empty=1.0"] == close([0.6, 1.0])
    assert columns["fuzzy:joints=all"] == close([0.25, 0.0])


def test_pairs_are_columns(source: Source) -> None:
    (block,) = read_lines(source("1 3 2 ||| 3 2 1\n"), pairs=True)
    assert pair_columns(block) == {
        "n": [3],
        "kendall": close([1 / 3]),
        "hamming": [0.0],
        "spearman": close([oracle.spearman_between((1, 3, 2), (3, 2, 1))]),
        "footrule": close([oracle.footrule_between((1, 3, 2), (3, 2, 1))]),
    }
