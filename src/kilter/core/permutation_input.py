"""Permutations as callers have them: lists of lists, arrays, Arrow columns."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from kilter.core.errors import InputError
from kilter.core.permutation_batch import PermutationBatch, describe_fault
from kilter.core.settings import in_order, unsequenced

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_batch(values: object, offsets: object = None, *, jobs: int = 1) -> PermutationBatch:
    """Return permutations as a batch, for use before the caller can change them.

    `values` are a batch already, or zero-based: a list of lists, an array with a permutation a row, a flat
    array with `offsets` (segment s is `values[offsets[s]:offsets[s + 1]]`), or an Arrow list array.

    >>> as_batch([[1, 0], [0]]).values.tolist()
    [1, 0, 0]
    """
    if isinstance(values, PermutationBatch):
        if offsets is not None:
            raise InputError("a batch has offsets of its own; leave out the others")
        return values
    return PermutationBatch.borrowed(*_as_flat(values, offsets), jobs=jobs)


def as_unproved_batch(values: object, offsets: object = None, *, jobs: int = 1) -> PermutationBatch:
    """Return the same batch for a single call of its `scores`, which finds out what is not a permutation.

    >>> as_unproved_batch([[1, 0], [0]]).scores()["kendall"].tolist()
    [0.0, 1.0]
    """
    if isinstance(values, PermutationBatch):
        return as_batch(values, offsets)
    return PermutationBatch.unproved(*_as_flat(values, offsets), jobs=jobs)


def _as_flat(values: object, offsets: object) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    if offsets is not None:
        borders = _as_int64(_as_array(offsets, "offsets"))
        return _as_int32(_one_row(_as_array(values, "values"), "values"), borders), borders
    if type(values).__module__.split(".")[0] == "pyarrow":
        return _from_arrow(values)
    if isinstance(values, np.ndarray) and values.ndim == 2:
        rows, columns = values.shape
        borders = np.arange(rows + 1, dtype=np.int64) * columns
        return _as_int32(values.reshape(-1), borders), borders
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise InputError(f"an array of permutations has two dimensions, not {values.ndim}")
    fault = unsequenced(values)
    if fault is not None:
        raise InputError(
            f"{fault}; pass a list of lists, or a flat array with offsets", where="values"
        )
    rows = list(in_order(values))
    plain = _from_plain(rows)
    if plain is not None:
        return plain
    listed = [_row(row, segment) for segment, row in enumerate(rows)]
    borders = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in listed], out=borders[1:])
    # Row by row: rows of different types must not be joined into floats.
    whole = [
        _as_int32(row, borders[segment : segment + 2] - borders[segment], segment)
        for segment, row in enumerate(listed)
    ]
    return np.concatenate([np.empty(0, dtype=np.int32), *whole]), borders


def _from_plain(rows: list[Any]) -> tuple[NDArray[np.int32], NDArray[np.int64]] | None:
    """Return lists and tuples of Python's integers at once, or None where there is something else to look at."""
    if not {type(row) for row in rows} <= {list, tuple}:
        return None
    if not set(map(type, chain.from_iterable(rows))) <= {int}:
        return None
    borders = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=borders[1:])
    try:
        flat = np.fromiter(chain.from_iterable(rows), np.int32, int(borders[-1]))
    except OverflowError:
        return None
    return flat, borders


def _as_array(values: object, what: str) -> NDArray[Any]:
    _check_unmasked(values)
    try:
        return np.asarray(values)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be one row of integers, not {values!r:.80}") from None


def _as_int64(array: NDArray[Any]) -> NDArray[np.int64]:
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"offsets are integers, not {array.dtype}")
    return np.ascontiguousarray(_one_row(array, "offsets"), dtype=np.int64)


def _one_row(array: NDArray[Any], what: str) -> NDArray[Any]:
    if array.ndim > 1:
        raise InputError(f"{what} must be one row of integers, not an array of shape {array.shape}")
    return array


def _row(row: Any, segment: int) -> NDArray[Any]:
    _check_unmasked(row)
    try:
        array = np.asarray(row if hasattr(row, "__len__") else list(row))
    except (TypeError, ValueError):
        array = np.asarray(0)
    if array.ndim != 1:
        raise InputError(
            "is not a row of integers; pass a list of lists, or a flat array with offsets",
            where=f"permutation {segment}",
        )
    if array.dtype.kind in "iu" and not isinstance(row, np.ndarray) and bool in map(type, row):
        raise InputError(
            "permutations are made of integers, not of bool", where=f"permutation {segment}"
        )
    return array


def is_masked(values: object) -> bool:
    """Return whether some values are masked; numpy loads masked arrays when it is first asked about one."""
    plain = type(values) is np.ndarray or not isinstance(values, np.ndarray)
    return not plain and bool(np.ma.is_masked(values))


def _check_unmasked(values: object) -> None:
    if is_masked(values):
        raise InputError("permutations have no missing values; fill or drop the masked ones")


def _as_int32(array: NDArray[Any], borders: NDArray[np.int64], first: int = 0) -> NDArray[np.int32]:
    _check_unmasked(array)
    if array.dtype == np.int32:
        return np.ascontiguousarray(array)
    if array.size == 0:
        return np.empty(array.shape, dtype=np.int32)
    if array.dtype.kind not in "iu" and not _holds_integers(array):
        raise InputError(f"permutations are made of integers, not of {array.dtype}")
    outside = np.flatnonzero((array < 0) | (array > np.iinfo(np.int32).max))
    if outside.size:
        _refuse(int(array.reshape(-1)[outside[0]]), int(outside[0]), borders, first)
    return np.ascontiguousarray(array, dtype=np.int32)


def _holds_integers(array: NDArray[Any]) -> bool:
    """Return whether objects are integers, too large for a machine word."""
    return array.dtype == object and {*map(type, array.reshape(-1).tolist())} == {int}


def _refuse(value: int, at: int, borders: NDArray[np.int64], first: int) -> NoReturn:
    """Raise the error for a value that no machine word holds, with its place."""
    segment = int(np.searchsorted(borders, at, side="right")) - 1
    if not 0 <= segment < len(borders) - 1:
        raise InputError(f"{value} is out of range for any permutation")
    start, end = int(borders[segment]), int(borders[segment + 1])
    reason = describe_fault(end - start, at - start, value, None, base=0)
    raise InputError(reason, where=f"permutation {first + segment}")


def _from_arrow(values: Any) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    array = values.combine_chunks() if hasattr(values, "combine_chunks") else values
    kind = getattr(array, "type", type(array).__name__)
    if not hasattr(kind, "value_type") or not hasattr(array, "flatten"):
        raise InputError(f"an Arrow array of permutations is a list array, not {kind}")
    inner = array.flatten()  # in the order of lists, of a slice only those that it shows
    if array.null_count or inner.null_count:
        raise InputError("an Arrow array of permutations cannot hold nulls")
    borders = np.zeros(len(array) + 1, dtype=np.int64)
    np.cumsum(np.asarray(array.value_lengths()), out=borders[1:])
    return _as_int32(np.asarray(inner), borders), borders
