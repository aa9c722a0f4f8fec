"""A folder of kept rows: shared, joined, cleared, and honest about what cannot be kept."""

import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.errors import InputError, KilterWarning
from kilter.io.cache_rows import CacheRows, read_cache_rows
from kilter.run.cache import cache_folder
from kilter.run.cache.cache_folder import CacheFolder, Keep


def rows(*numbers: int) -> CacheRows:
    """Return a row for each number, whose key is made of it."""
    keys = tuple(number.to_bytes(16, "little") for number in numbers)
    values = np.array([[number, 0] for number in numbers], dtype=np.int32).reshape(-1, 2)
    return CacheRows(keys, values, np.arange(len(numbers) + 1, dtype=np.int64))


def kept(folder: CacheFolder, maker: str = "m(1)") -> list[int]:
    found = folder.rows("links", maker, columns=2, named=0)
    return [] if found is None else sorted(found.values[:, 0].tolist())


def files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.kept"))


def test_what_was_added_is_there_and_nothing_of_others(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path / "a" / "b"))
    assert kept(folder) == []
    folder.add("links", "m(1)", rows(1, 2))
    folder.add("links", "m(1)", rows(3))
    folder.add("links", "m(2)", rows(4))
    assert kept(folder) == [1, 2, 3]
    assert kept(folder, "m(2)") == [4]


def test_many_files_are_joined_and_every_key_stays_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_folder, "MOST_FILES", 3)
    folder = CacheFolder(str(tmp_path))
    for number in range(10):
        folder.add("links", "m(1)", rows(number, number + 1))
        assert len(files(tmp_path)) <= 3
    assert sorted({*kept(folder)}) == [*range(11)]
    (maker,) = folder.makers()
    assert maker.entries < 20


def add_many(path: str, first: int) -> None:
    for number in range(first, first + 30):
        CacheFolder(path).add("links", "m(1)", rows(number, number // 2))
        kept(CacheFolder(path))


def test_several_processes_lose_nothing_and_read_nothing_half_written(
    tmp_path: Path,
) -> None:
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as pool:
        for done in [pool.submit(add_many, str(tmp_path), first) for first in (0, 20, 40)]:
            done.result()
    assert sorted({*kept(CacheFolder(str(tmp_path)))}) == [*range(70)]
    assert not list(tmp_path.rglob("*.part"))


def test_a_damaged_file_is_an_error_that_names_it_and_is_cleared(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match="damaged") as caught:
        kept(folder)
    assert caught.value.where == str(path)
    assert [(each.kind, each.maker) for each in folder.makers()] == [("damaged", str(path))]
    assert folder.clear() == [path]
    assert kept(folder) == []


def test_a_read_only_folder_is_read_and_says_that_it_keeps_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    # Asked for, not made: the administrator may write in any folder.
    monkeypatch.setattr("kilter.io.output.os.access", lambda *_: False)
    assert kept(folder) == [1]
    with pytest.warns(
        KilterWarning, match="nothing can be added.*; results are right, but nothing new is kept"
    ):
        folder.add("links", "m(1)", rows(2))
    monkeypatch.undo()
    assert kept(folder) == [1]


def test_a_full_disk_is_said_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    monkeypatch.setattr("kilter.io.output.os.fsync", full)
    with pytest.warns(KilterWarning, match="No space left on device; results are right"):
        folder.add("links", "m(1)", rows(2))
    monkeypatch.undo()
    assert kept(folder) == [1]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == files(tmp_path)


def test_files_that_vanish_while_they_are_read_are_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    calls: list[Path] = []

    def vanishing(path: Path, maker: str, *, columns: int, named: int) -> CacheRows:
        calls.append(path)
        if len(calls) == 1:
            raise FileNotFoundError(path)
        return read_cache_rows(path, maker, columns=columns, named=named)

    monkeypatch.setattr(cache_folder, "read_cache_rows", vanishing)
    assert kept(folder) == [1]
    assert len(calls) == 2


def test_clearing_leaves_what_is_not_ours(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    folder.add("links", "other(1)", rows(1))
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (files(tmp_path)[0].parent / "notes.txt").write_text("mine", encoding="utf-8")
    assert len(folder.clear(maker="m")) == 1
    assert [each.name for each in folder.makers()] == ["other"]
    assert len(folder.clear()) == 1
    assert len([*tmp_path.rglob("notes.txt")]) == 2


def test_what_was_written_lately_stays_if_old_files_are_cleared(tmp_path: Path) -> None:
    folder = CacheFolder(str(tmp_path))
    folder.add("links", "m(1)", rows(1))
    (old,) = files(tmp_path)
    folder.add("links", "m(1)", rows(2))
    os.utime(old, (time.time() - 5 * 86_400,) * 2)
    assert folder.clear(days=6) == []
    assert folder.clear(days=4) == [old]
    assert kept(folder) == [2]


def test_a_file_is_no_folder_and_neither_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is a file; name a folder"):
        CacheFolder(str(tmp_path / "file"))
    with pytest.raises(InputError, match="empty"):
        CacheFolder("")
    with pytest.raises(InputError, match="there is no such folder"):
        CacheFolder(str(tmp_path / "none")).makers()


# What was said once is not asked for again.


class Counter:
    """Makes rows of keys: as many as its last byte says, each that number; and remembers what it made."""

    def __init__(self, keys: list[bytes]) -> None:
        self.keys = keys
        self.asked: list[bytes] = []

    def __call__(self, places: NDArray[np.int64]) -> CacheRows:
        self.asked += [self.keys[place] for place in places.tolist()]
        sizes = [self.keys[place][-1] for place in places.tolist()]
        values = np.repeat(np.array(sizes, dtype=np.int32), sizes).reshape(-1, 1)
        return CacheRows((), values, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def key(size: int) -> bytes:
    return b"k" * 15 + bytes([size])


def asked(keep: Keep, sizes: list[int]) -> list[int]:
    """Return what had to be made for keys of these sizes, after checking all rows."""
    keys = [key(size) for size in sizes]
    make = Counter(keys)
    found = keep.rows(keys, make)
    assert np.diff(found.offsets).tolist() == sizes
    assert found.values[:, 0].tolist() == [size for size in sizes for _ in range(size)]
    return [made[-1] for made in make.asked]


def test_equal_keys_are_made_once_within_a_run() -> None:
    keep = Keep("links", "m", None, columns=1)
    assert asked(keep, [2, 3, 2, 0]) == [2, 3, 0]
    assert asked(keep, [3, 5, 0, 2, 5]) == [5]
    assert asked(keep, []) == []


def test_a_folder_keeps_them_for_the_next_run_of_the_same_maker(tmp_path: Path) -> None:
    def keep(maker: str, kind: str = "links") -> Keep:
        return Keep(kind, maker, CacheFolder(str(tmp_path / "new")), columns=1)

    assert asked(keep("m"), [2, 3]) == [2, 3]
    assert asked(keep("m"), [3, 4, 2]) == [4]
    assert asked(keep("m"), [3, 4, 2]) == []
    assert asked(keep("other"), [3]) == [3]
    assert asked(keep("m", "parses"), [3]) == [3]
