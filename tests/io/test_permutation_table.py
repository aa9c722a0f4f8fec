"""Permutations as a column of a Parquet file."""

import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.core.errors import InputError, MissingToolError
from kilter.io import permutation as permutation_table
from kilter.io.permutation import PermutationBlock, read_permutation_table
from kilter.io.stream import ByteSource
from tests.thorough import some

ROWS = [[2, 1, 3], [1, 2, 3], [3, 1, 2]]
NUMBERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint32(), pa.uint64()]
KINDS = [
    kind
    for number in NUMBERS
    for kind in (pa.list_(number), pa.large_list(number), pa.list_(number, 3))
]
QUICK = [pa.list_(pa.int8()), pa.large_list(pa.uint64()), pa.list_(pa.int16(), 3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "orders.parquet"


def read(path: Path, column: str | None = None, **options: Any) -> list[PermutationBlock]:
    return list(read_permutation_table(ByteSource(str(path)), column, **options))


def listed(blocks: list[PermutationBlock]) -> list[list[int]]:
    return [block.batch[place].tolist() for block in blocks for place in range(len(block.batch))]


@pytest.mark.parametrize("kind", some(KINDS, quick=QUICK), ids=str)
def test_every_type_of_lists_is_read(kind: pa.DataType, path: Path) -> None:
    pq.write_table(pa.table({"order": pa.array([*ROWS, None], kind)}), path)
    (block,) = read(path)
    assert listed([block]) == [[1, 0, 2], [0, 1, 2], [2, 0, 1]]
    assert block.lines.tolist() == [1, 2, 3]
    assert [bad.line for bad in block.bad] == [4]
    zero = pa.array([[value - 1 for value in row] for row in ROWS], kind)
    pq.write_table(pa.table({"order": zero}), path)
    assert listed(read(path, zero_based=True)) == listed([block])


@pytest.mark.parametrize("number", [-(2**31), 2**31 - 1, 0, -1])
def test_numbers_at_the_ends_of_their_type_are_out_of_range(number: int, path: Path) -> None:
    rows = pa.array([[number, 1], [2, 1]], pa.list_(pa.int32()))
    pq.write_table(pa.table({"order": rows}), path)
    (block,) = read(path)
    assert listed([block]) == [[1, 0]]
    assert [(bad.line, bad.reason.split(" at ")[0]) for bad in block.bad] == [(1, str(number))]


def test_rows_come_some_at_a_time_and_keep_their_numbers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[Any] = [[2, 1]] * 5 + [[1, 1]] + [[1]] * 5 + [None, []]
    pq.write_table(pa.table({"order": rows}), path, row_group_size=7)
    monkeypatch.setattr(permutation_table, "_MOST_ROWS", 4)
    blocks = read(path)
    assert max(block.rows for block in blocks) == 4
    lines = [line for block in blocks for line in block.lines.tolist()]
    assert lines == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13]
    assert [bad.line for block in blocks for bad in block.bad] == [6, 12]
    assert listed(blocks) == [[1, 0]] * 5 + [[0]] * 5 + [[]]
    read_rows = list(accumulate(block.rows for block in blocks))
    assert [round(13 * (block.share or 0)) for block in blocks] == read_rows
    assert blocks[-1].share == 1


def test_long_permutations_come_fewer_at_a_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permutation_table, "_MOST_VALUES", 200)
    pq.write_table(pa.table({"id": [1] * 10, "order": [[*range(1, 101)]] * 10}), path)
    assert [len(block.batch) for block in read(path)] == [2] * 5


BAD = {
    "null": (None, "the row is null; write a permutation such as [2, 1, 3]"),
    "null inside": ([1, None], "the number at position 2 is null"),
    "twice": ([1, 1], "1 at position 2 stands already at position 1; a permutation of 2 uses"),
    "zero": ([0, 1], "0 at position 1 is out of range; a permutation of 2 uses each of 1 to 2 once (--zero"),
    "negative": ([1, -2], "-2 at position 2 is out of range"),
    "large": ([2**40, 1], f"{2**40} at position 1 is out of range"),
    "beyond": ([3, 1], "3 at position 1 is out of range"),
    "one": ([2], "2 at position 1 is out of range; a permutation of one element is 1"),
}  # fmt: skip


def test_every_bad_row_says_what_is_wrong(path: Path) -> None:
    rows = [row for row, _ in BAD.values()]
    kind = pa.list_(pa.int64())
    pq.write_table(pa.table({"order": pa.array([[2, 1], *rows, [1]], kind)}), path)
    (block,) = read(path)
    assert listed([block]) == [[1, 0], [0]]
    assert block.lines.tolist() == [1, len(rows) + 2]
    assert [bad.line for bad in block.bad] == [*range(2, len(rows) + 2)]
    for bad, (_, reason) in zip(block.bad, BAD.values(), strict=True):
        assert bad.reason.startswith(reason)


def test_the_column_is_the_one_that_is_named_or_cannot_be_another(path: Path) -> None:
    pq.write_table(pa.table({"id": [7], "order": [[1, 2]]}), path)
    assert listed(read(path)) == listed(read(path, "order")) == listed(read(path, "Order"))
    pq.write_table(pa.table({"tags": [[5]], "permutation": [[2, 1]]}), path)
    assert listed(read(path)) == [[1, 0]]


@pytest.mark.parametrize(
    ("columns", "named", "fault"),
    [
        ({"a": [[1]], "b": [[1]]}, None, r"has the columns of lists a, b; choose one \(--column\)"),
        ({"a": [1]}, None, "has no column of lists; permutations are lists of whole numbers"),
        ({"a": [[1]]}, "b", "has no column 'b'; its columns are: a"),
        ({"a": [[1]], "A": [[1]]}, "aa", "has no column 'aa'"),
        ({"aB": [[1]], "Ab": [[1]]}, "ab", "has several columns 'ab'"),
        ({"a": ["2 1"]}, "a", "holds string in the column a; permutations are lists"),
        ({"a": [[1.0]]}, "a", "holds list<.*double> in the column a; permutations are lists"),
        ({"a": pa.array([], pa.list_(pa.int8()))}, None, "has no row; write a permutation"),
    ],
)
def test_what_holds_no_permutations_is_refused(
    columns: dict[str, Any], named: str | None, fault: str, path: Path
) -> None:
    pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match=rf"orders\.parquet: {fault}"):
        read(path, named)


def test_what_is_no_parquet_file_is_refused(path: Path) -> None:
    with pytest.raises(InputError, match=r"orders\.parquet: cannot be opened: No such file"):
        read(path)
    path.write_bytes(b"2 1 3\n")
    with pytest.raises(InputError, match=r"orders\.parquet: is no Parquet file"):
        read(path)
    with pytest.raises(InputError, match=r"a\.parquet\.gz: is compressed once more.* unpack it"):
        read(path.with_name("a.parquet.gz"))


def test_damaged_files_are_read_or_refused(path: Path) -> None:
    pq.write_table(pa.table({"order": ROWS * 50}), path)
    whole = path.read_bytes()
    chance = random.Random(5)
    refused = 0
    for _ in range(60):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data[: chance.choice([len(data), len(data), chance.randrange(len(data))])])
        try:
            read(path)
        except InputError:
            refused += 1
    assert refused > 10


def test_without_its_package_the_error_says_how_to_install_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[arrow\]'"):
        read(path)
