"""Parquet files that are sound, damaged, or something else."""

import gzip
import lzma
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.errors import InputError
from kilter.formats.parquet_file import opened_parquet
from kilter.formats.permutation_table import read_permutation_table
from kilter.formats.stream import ByteSource
from kilter.formats.text_table import read_column


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
    with opened_parquet(written(path, ["x", "y"])) as file:
        assert file.metadata.num_rows == 2


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
    for read in (lambda: read_column(source, None), lambda: list(read_permutation_table(source))):
        with pytest.raises(InputError, match=r"t\.parquet: is no Parquet file: "):
            read()
