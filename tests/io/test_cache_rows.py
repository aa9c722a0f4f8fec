"""Files of kept rows: read as they were written, or refused."""

import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.cache_rows import CacheRows, read_cache_rows, read_maker, write_cache_rows

ROWS = CacheRows(
    keys=(b"a" * 16, b"b" * 16, b"\0" * 16),
    values=np.array([[-1, 0, 1], [0, 1, 1], [7, 1, 0]], dtype=np.int32),
    offsets=np.array([0, 2, 2, 3]),
    names=("nsubj", "_"),
    named=2,
)


def content(rows: CacheRows) -> tuple[tuple[bytes, ...], list[int], list[list[str]], list[int]]:
    names = np.array(rows.names)[rows.values[:, rows.values.shape[1] - rows.named :]]
    return rows.keys, rows.values[:, 0].tolist(), names.tolist(), rows.offsets.tolist()


def read(path: Path, maker: str = "model(1)") -> CacheRows:
    return read_cache_rows(path, maker, columns=3, named=2)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    path = write_cache_rows(tmp_path, "model(1)", ROWS)
    assert content(read(path)) == content(ROWS)
    assert read_maker(path) == ("model(1)", 3)


def test_large_numbers_come_back_too(tmp_path: Path) -> None:
    large = CacheRows((b"k" * 16,), np.array([[70_000, -1]], np.int32), np.array([0, 1]))
    path = write_cache_rows(tmp_path, "m", large)
    assert read_cache_rows(path, "m", columns=2, named=0).values.tolist() == [[70_000, -1]]


def test_the_same_rows_are_the_same_file(tmp_path: Path) -> None:
    first = write_cache_rows(tmp_path, "model(1)", ROWS)
    data = first.read_bytes()
    assert write_cache_rows(tmp_path, "model(1)", ROWS) == first
    assert first.read_bytes() == data
    assert write_cache_rows(tmp_path, "model(2)", ROWS) != first


def test_joined_rows_number_names_anew_and_chosen_ones_keep_their_order() -> None:
    other = CacheRows(
        (b"c" * 16,), np.array([[3, 0, 1]], np.int32), np.array([0, 1]), ("_", "X"), 2
    )
    both = CacheRows.joined([ROWS, other])
    _, heads, names, offsets = content(both.chosen(np.array([3, 0])))
    assert heads == [3, -1, 0]
    assert names == [["_", "X"], ["nsubj", "_"], ["_", "_"]]
    assert offsets == [0, 1, 3]


def test_what_another_maker_made_is_refused(tmp_path: Path) -> None:
    path = write_cache_rows(tmp_path, "model(1)", ROWS)
    with pytest.raises(InputError, match=r"holds what 'model\(1\)' made, not model\(2\)"):
        read(path, "model(2)")


def test_other_numbers_of_columns_are_refused(tmp_path: Path) -> None:
    path = write_cache_rows(tmp_path, "model(1)", ROWS)
    with pytest.raises(InputError, match="do not fit together"):
        read_cache_rows(path, "model(1)", columns=2, named=0)


@pytest.mark.parametrize(
    "broken",
    [
        {"offsets": np.array([0, 2, 2, 4])},
        {"offsets": np.array([0, 2, 1, 3])},
        {"offsets": np.array([0, 3])},
        {"values": np.array([[0, 0, 2]] * 3, dtype=np.int32)},
        {"values": np.array([[0, 0, -1]] * 3, dtype=np.int32)},
        {"names": ()},
    ],
)
def test_numbers_that_do_not_fit_together_are_refused(
    broken: dict[str, object], tmp_path: Path
) -> None:
    parts: dict[str, Any] = {
        name: getattr(ROWS, name) for name in ("keys", "values", "offsets", "names")
    }
    path = write_cache_rows(tmp_path, "model(1)", CacheRows(**(parts | broken), named=2))
    with pytest.raises(InputError, match="do not fit together"):
        read(path)


def test_a_cut_or_changed_or_renamed_file_is_refused(tmp_path: Path) -> None:
    path = write_cache_rows(tmp_path, "model(1)", ROWS)
    data = path.read_bytes()
    draw = random.Random(5)
    changed = [data[: draw.randrange(len(data))] for _ in range(40)]
    for _ in range(200):
        at = draw.randrange(len(data))
        changed.append(data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :])
    for bad in changed:
        path.write_bytes(bad)
        with pytest.raises(InputError, match="cut off or was changed") as caught:
            read(path)
        assert str(path) in str(caught.value)
    path.write_bytes(data)
    assert content(read(path)) == content(ROWS)
    with pytest.raises(InputError, match="cut off or was changed"):
        read(path.rename(tmp_path / "other.kept"))


def test_another_archive_of_arrays_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", keys=np.zeros(3))
    data = (tmp_path / "x.npz").read_bytes()
    path = tmp_path / (sha256(data).hexdigest()[:32] + ".kept")
    path.write_bytes(data)
    with pytest.raises(InputError, match="not of the format kilter-cache/1"):
        read(path)


@pytest.mark.parametrize("foreign", [b"", b"no cache", b"PK\x03\x04 nothing"])
def test_a_foreign_file_is_refused(foreign: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.kept"
    path.write_bytes(foreign)
    with pytest.raises(InputError, match="remove it, and what it held is made anew"):
        read(path)
