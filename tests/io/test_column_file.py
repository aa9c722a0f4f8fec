"""Parquet and Arrow files that are sound, damaged, or something else."""

import gzip
import lzma
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from kilter.core.errors import InputError
from kilter.io.column_file import column_format, opened_columns
from kilter.io.permutation import read_permutation_table
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_column
from tests.thorough import tried


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.parquet"


def written(path: Path, column: list[Any]) -> ByteSource:
    pq.write_table(pa.table({"a": column}), path, compression="snappy", use_dictionary=False)
    return ByteSource(str(path))


def damage(path: Path) -> None:
    """Overwrite what comes after the first bytes of the pages; the footer at the end stays."""
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little") + 8
    pages = len(data) - size
    path.write_bytes(data[:40] + b"\xff" * (pages - 40) + data[pages:])


def test_a_sound_file_is_opened(path: Path) -> None:
    with opened_columns(written(path, ["x", "y"])) as file:
        assert file.schema.names == ["a"]
        assert [(rows.to_pylist(), share) for rows, share in file.arrays("a", rows=1)] == [
            (["x"], 0.5),
            (["y"], 1.0),
        ]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_compressed_one_is_read_whole(path: Path, suffix: str, pack: Any) -> None:
    written(path, ["x", "y"])
    packed = path.with_name(path.name + suffix)
    packed.write_bytes(pack(path.read_bytes()))
    assert read_column(ByteSource(str(packed)), None) == ("x", "y")
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(InputError, match="is damaged or not compressed as its name says"):
        read_column(ByteSource(str(packed)), None)


def test_damaged_pages_of_a_file_are_told_from_what_is_no_parquet_file(path: Path) -> None:
    told = r"^.*t\.parquet: is damaged: .*[^.]; copy or write it once more$"
    source = written(path, [f"a text of some words {k}" for k in range(500)])
    damage(path)
    with pytest.raises(InputError, match=told):
        read_column(source, None)
    source = written(path, [[2, 1, 3, 4, 5]] * 500)
    damage(path)
    with pytest.raises(InputError, match=told):
        list(read_permutation_table(source))
    path.write_bytes(path.read_bytes()[:-9])
    source = ByteSource(str(path))
    for read in (lambda: read_column(source, None), lambda: list(read_permutation_table(source))):
        with pytest.raises(InputError, match=r"t\.parquet: is no Parquet file: "):
            read()


WRITERS: dict[str, Callable[..., Any]] = {
    "file": pa.ipc.new_file,
    "stream": pa.ipc.new_stream,
}
TEXTS = [f"a text of some words {k}" for k in range(10)]
ORDERS = [[2, 1, 3], [], [1, 2, 3, 4], [1]] * 3


def arrow(path: Path, kind: str, column: Any, *, batch: int = 4, compression: Any = None) -> Path:
    """Write a column beside two others into batches of some rows."""
    column = column if isinstance(column, pa.Array) else pa.array(column)
    numbers = pa.array(range(len(column)))
    table = pa.table({"before": numbers, "a": column, "after": numbers})
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with path.open("wb") as out, WRITERS[kind](out, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=batch)
    return path


def orders_of(path: Path) -> list[list[int]]:
    blocks = list(read_permutation_table(ByteSource(str(path)), "a"))
    return [(block.batch[k] + 1).tolist() for block in blocks for k in range(len(block.batch))]


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
@pytest.mark.parametrize("name", ["t.arrow", "t.ipc", "T.FEATHER"])
def test_arrow_is_read_as_parquet_is(
    tmp_path: Path, kind: str, compression: str | None, name: str
) -> None:
    path = arrow(tmp_path / name, kind, TEXTS, compression=compression)
    assert read_column(ByteSource(str(path)), "a") == (*TEXTS,)
    arrow(path, kind, ORDERS, compression=compression)
    assert orders_of(path) == ORDERS


@pytest.mark.parametrize("kind", WRITERS)
def test_every_kind_of_arrow_texts_and_lists_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t.arrow"
    for texts in (pa.string(), pa.large_string(), pa.string_view()):
        arrow(path, kind, pa.array(TEXTS, texts))
        assert read_column(ByteSource(str(path)), "a") == (*TEXTS,)
    arrow(path, kind, pa.array(TEXTS).dictionary_encode())
    assert read_column(ByteSource(str(path)), "a") == (*TEXTS,)
    number = pa.int16()
    for lists in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view):
        arrow(path, kind, pa.array(ORDERS, lists(number)))
        assert orders_of(path) == ORDERS
        arrow(path, kind, pa.array([None, *ORDERS[:5], None], lists(number)), batch=3)
        (first, *blocks) = read_permutation_table(ByteSource(str(path)), "a")
        bad = [each.line for block in (first, *blocks) for each in block.bad]
        assert (bad, first.lines.tolist()) == ([1, 7], [2, 3])


@pytest.mark.parametrize("kind", WRITERS)
def test_long_lists_of_arrow_come_fewer_at_a_time(tmp_path: Path, kind: str) -> None:
    path = arrow(tmp_path / "t.arrow", kind, [[1, 2, 3, 4]] * 8, batch=8)
    with opened_columns(ByteSource(str(path))) as file:
        found = list(file.arrays("a", rows=100, values=12))
    assert [len(rows) for rows, _ in found] == [3, 3, 2]
    assert all(share is not None and 0 < share <= 1 for _, share in found)


@pytest.mark.parametrize("kind", WRITERS)
def test_an_arrow_file_that_was_cut_off_is_refused_wherever_it_was(
    tmp_path: Path, kind: str
) -> None:
    path = arrow(tmp_path / "t.arrow", kind, TEXTS)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"t\.arrow: (is|ends|the file is) "):
            read_column(ByteSource(str(path)), "a")


@pytest.mark.parametrize("kind", WRITERS)
def test_damaged_arrow_files_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t.arrow"
    chance = random.Random(7)
    refused = 0
    for column, read in ((TEXTS, lambda: read_column(ByteSource(str(path)), "a")),
                         (ORDERS, lambda: orders_of(path))):  # fmt: skip
        whole = arrow(path, kind, column).read_bytes()
        for _ in range(tried(400, quick=60)):
            data = bytearray(whole)
            for _ in range(chance.randrange(1, 4)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)
            try:
                read()
            except InputError:
                refused += 1
    assert refused > 10


def test_what_is_no_arrow_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.feather"
    for data, told in (
        (b"", "the file is empty; it must hold a table"),
        (b"a\n", "is no Arrow file: "),
        (bytes(64), "is no Arrow file: "),
        (b"PAR1" * 9, "is a Parquet file; call it .parquet"),
        (b"ARROW1", "ends without the mark of its end"),
        (b"ARROW1\0\0\xff\xff", "ends without the mark of its end"),
        (b"ARROW1\0\0ARROW1", "is no Arrow file: "),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=re.escape(f"t.feather: {told}")):
            read_column(ByteSource(str(path)), None)
    path.write_bytes(b"FEA1" + bytes(40))
    with pytest.raises(InputError, match="is Feather of version 1; write version 2"):
        read_column(ByteSource(str(path)), None)


def test_compressed_arrow_is_read_whole_as_text_and_refused_as_permutations(tmp_path: Path) -> None:
    plain = arrow(tmp_path / "t.arrow", "stream", TEXTS)
    packed = tmp_path / "t.arrow.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_column(ByteSource(str(packed)), "a") == (*TEXTS,)
    with pytest.raises(InputError, match=r"is compressed once more, .* unpack it"):
        list(read_permutation_table(ByteSource(str(packed)), "a"))


def test_files_of_columns_are_known_by_their_names() -> None:
    assert [column_format(name) for name in ("a.PARQUET", "a.parquet.gz")] == ["Parquet"] * 2
    assert [column_format(f"a.{name}") for name in ("arrow", "ipc", "feather.xz")] == ["Arrow"] * 3
    assert [column_format(name) for name in ("parquet", "arrow", "a.tsv", "-")] == [None] * 4
