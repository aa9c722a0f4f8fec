"""Columns of numbers of any length, set aside block by block and read back one column at a time."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar, cast
from weakref import finalize

import numpy as np

from kilter.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_KEPT_IN_MEMORY = 16 << 20
_SIZE = 8  # of a float64
Key = TypeVar("Key", bound=Hashable)


class Spool(Generic[Key]):
    """Columns by key, in a temporary file once they are many: memory does not grow with their length.

    In a block, a column of equal numbers takes the room of one number, and equal columns are written once.

    >>> spool = Spool[str]()
    >>> spool.add({"one": np.array([1.0, 2.0]), "other": np.array([5.0, 5.0])})
    >>> spool.add({"one": np.array([3.0]), "other": np.array([6.0])})
    >>> spool.column("one").tolist(), spool.column("other", 1, 3).tolist()
    ([1.0, 2.0, 3.0], [5.0, 6.0])
    """

    def __init__(self) -> None:
        kept = SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115 - as long as this object
        finalize(self, kept.close)
        self._file = cast("IO[bytes]", kept)
        self._end = 0
        self._starts = array("q", [0])
        # Where a column lies, for each block; ~place of the only number where all are equal.
        self._places: dict[Key, array[int]] = {}

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def size(self) -> int:
        """How many bytes are set aside."""
        return self._end

    def add(self, columns: Mapping[Key, Floats]) -> None:
        """Set a block aside: the next numbers of every column that is read later on."""
        blocks = len(self._starts) - 1
        rows = len(next(iter(columns.values()), ()))
        written: dict[bytes, int] = {}
        with _explained():
            self._file.seek(self._end)
            for key, values in columns.items():
                raw = np.ascontiguousarray(values, dtype=np.float64).tobytes()
                equal = rows > 0 and raw == raw[:_SIZE] * rows
                place = written.get(raw)
                if place is None:
                    place = written[raw] = self._end
                    self._end += self._file.write(raw[:_SIZE] if equal else raw)
                places = self._places.setdefault(key, array("q"))
                if len(places) == blocks:  # else a block before this one lacks the column
                    places.append(~place if equal else place)
        self._starts.append(self._starts[-1] + rows)

    def columns(self) -> dict[Key, SpooledColumn]:
        """Return every column that all blocks have; nothing is read before it is looked at."""
        blocks = len(self._starts) - 1
        return {
            key: SpooledColumn(self, key)
            for key, places in self._places.items()
            if len(places) == blocks
        }

    def places(self, key: Key) -> bytes:
        """Return where a column lies: the same of two columns only if their numbers are."""
        return self._places[key].tobytes()

    def column(self, key: Key, start: int = 0, end: int | None = None) -> Floats:
        """Return the numbers of a column from one row to another."""
        end = len(self) if end is None else min(end, len(self))
        column = np.empty(max(0, end - start))
        for first, values in self._blocks(key, start, end):
            column[first - start : first - start + len(values)] = values
        return column

    def _blocks(self, key: Key, start: int, end: int) -> Iterator[tuple[int, Floats]]:
        places, starts = self._places[key], self._starts
        if len(places) != len(starts) - 1:
            raise KeyError(key)
        block = max(0, int(np.searchsorted(starts, start, side="right")) - 1)
        while block < len(places) and starts[block] < end:
            first, last = max(start, starts[block]), min(end, starts[block + 1])
            yield first, self._read(places[block], first - starts[block], last - first)
            block += 1

    def _read(self, place: int, skipped: int, rows: int) -> Floats:
        equal = place < 0
        with _explained():
            self._file.seek(~place if equal else place + skipped * _SIZE)
            raw = self._file.read(_SIZE if equal else rows * _SIZE)
        values = np.frombuffer(raw)
        return np.full(rows, values[0]) if equal else values


class SpooledColumn:
    """A column of a spool, of which slices are read as they are asked for.

    >>> spool = Spool[str]()
    >>> spool.add({"one": np.array([1.0, 2.0, 3.0])})
    >>> column = spool.columns()["one"]
    >>> len(column), column[1:].tolist(), float(np.sum(column))
    (3, [2.0, 3.0], 6.0)
    """

    def __init__(self, spool: Spool[Any], key: Hashable) -> None:
        self._spool = spool
        self._key = key

    @property
    def shape(self) -> tuple[int]:
        """How many numbers there are."""
        return (len(self._spool),)

    @property
    def identity(self) -> bytes:
        """The same of two columns only if their numbers are."""
        return self._spool.places(self._key)

    def __len__(self) -> int:
        return len(self._spool)

    def __getitem__(self, rows: slice) -> Floats:
        start, end, step = rows.indices(len(self))
        return self._spool.column(self._key, start, end)[::step]

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> NDArray[Any]:
        return self._spool.column(self._key).astype(dtype or np.float64, copy=False)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what goes wrong with the temporary file into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"what is measured cannot be set aside: {error.strerror or error}; name a folder with room for "
            "temporary files in TMPDIR",
            where=gettempdir(),
        ) from error
