"""Columns of numbers that are set aside."""

import errno
from random import Random

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.spool import Spool


@pytest.mark.parametrize("kept", [1 << 24, 1])
def test_columns_are_what_was_added(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kilter.io.spool._KEPT_IN_MEMORY", kept)
    random = Random(1)
    spool: Spool[str] = Spool()
    whole: dict[str, list[float]] = {"a": [], "b": [], "equal": []}
    for _ in range(20):
        rows = random.randrange(5)
        block = {name: [random.choice([0.5, -0.0, 0.0]) for _ in range(rows)] for name in "ab"}
        block["equal"] = [7.0] * rows
        for name, values in block.items():
            whole[name] += values
        spool.add({name: np.array(values) for name, values in block.items()})
    assert len(spool) == len(whole["a"])
    for name, values in whole.items():
        for start in range(0, len(values) + 1, 3):
            for end in (None, start, start + 4):
                found = spool.column(name, start, end)
                # Zeros have signs, which are kept.
                assert found.tobytes() == np.array(values[start:end], dtype=float).tobytes()
        column = spool.columns()[name]
        assert column[:].tolist() == np.asarray(column).tolist() == values
        assert column[1:-1:2].tolist() == values[1:-1:2]
        assert (len(column), column.shape) == (len(values), (len(values),))


def test_equal_columns_take_the_room_of_one() -> None:
    spool: Spool[int] = Spool()
    values = np.arange(100.0)
    spool.add({0: values, 1: values.copy(), 2: np.ones(100)})
    assert spool.size == 808


def test_a_column_that_a_block_lacks_is_none() -> None:
    spool: Spool[str] = Spool()
    spool.add({"a": np.zeros(2), "b": np.zeros(2)})
    spool.add({"a": np.zeros(1)})
    spool.add({"a": np.zeros(1), "b": np.zeros(1)})
    assert len(spool.column("a")) == 4
    with pytest.raises(KeyError):
        spool.column("b")


def test_a_full_disk_is_told_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    spool: Spool[str] = Spool()

    class Full:
        def seek(self, _place: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spool, "_file", Full())
    with pytest.raises(InputError, match=r"No space left on device; name a folder .* TMPDIR"):
        spool.add({"a": np.zeros(1)})
