"""What was said once is not asked for again."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kilter.io.cache_rows import CacheRows
from kilter.run.cache.cache_folder import CacheFolder, Keep


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
