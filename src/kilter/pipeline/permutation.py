"""Scores of permutations: from arrays, and from lines of text in a stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from kilter import _core
from kilter.errors import InputError, OptionError
from kilter.formats.permutation import BadLine, PermutationBlock, read_permutations
from kilter.metrics.pef import Pef
from kilter.metrics.pet import Pet
from kilter.structures.branching import Branching
from kilter.structures.permutation_batch import (
    COUNT_COLUMNS,
    SCORE_COLUMNS,
    PermutationBatch,
    describe_fault,
)
from kilter.structures.score_table import ScoreTable
from kilter.structures.tree_count import tree_count_digits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.formats.stream import ByteSource
    from kilter.metrics.metric import PermutationMetric


def permutation_scores(
    values: Any,
    offsets: Any = None,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    branching: Branching | str = Branching.LEFT,
    empty: float = 0.0,
    jobs: int = 1,
) -> ScoreTable:
    """Return every permutation score of many permutations at once.

    `values` are zero-based: a list of lists, a 2-D array (one permutation a row), a flat array with
    `offsets` (segment s is `values[offsets[s]:offsets[s + 1]]`), or an Arrow list array. The result
    is the same for every number of `jobs`. A permutation of no words scores `empty`.

    >>> table = permutation_scores([[1, 3, 4, 5, 0, 2], [0, 1]])
    >>> table["pef"].tolist(), table["max-operator"].tolist()
    ([0.4, 1.0], [4, 2])
    """
    if not isinstance(jobs, int) or not 1 <= jobs <= np.iinfo(np.int32).max:
        raise OptionError(f"jobs is {jobs!r}; it must be a whole number from 1 on")
    Pef(beta=beta, gamma=gamma, empty=empty)  # checks the options
    flat, borders = _as_flat(values, offsets)
    batch = PermutationBatch.borrowed(flat, borders, jobs=jobs)
    columns = batch.scores(beta=beta, gamma=gamma, branching=_branching(branching))
    none = batch.lengths == 0
    table: dict[str, NDArray[Any]] = {
        name: np.where(none, empty, columns[name]) for name in SCORE_COLUMNS
    }
    for name in COUNT_COLUMNS:
        table[name] = np.ascontiguousarray(columns[name])
    table["primal"] = table["primal"].astype(np.bool_)
    return ScoreTable(table)


def _branching(branching: Branching | str) -> Branching:
    return Pet(branching=branching).branching  # type: ignore[arg-type]


def _as_flat(values: Any, offsets: Any) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    if offsets is not None:
        borders = _as_int64(_as_array(offsets, "offsets"))
        return _as_int32(_as_array(values, "values"), borders), borders
    if type(values).__module__.split(".")[0] == "pyarrow":
        return _from_arrow(values)
    if isinstance(values, np.ndarray) and values.ndim == 2:
        rows, columns = values.shape
        borders = np.arange(rows + 1, dtype=np.int64) * columns
        return _as_int32(values.reshape(-1), borders), borders
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise InputError(f"an array of permutations has two dimensions, not {values.ndim}")
    if not hasattr(values, "__iter__"):
        raise InputError(f"pass a list of lists, or a flat array with offsets, not {values!r:.80}")
    listed = [_row(row, segment) for segment, row in enumerate(values)]
    borders = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in listed], out=borders[1:])
    # Row by row: rows of different types must not be joined into floats.
    whole = [
        _as_int32(row, borders[segment : segment + 2] - borders[segment], segment)
        for segment, row in enumerate(listed)
    ]
    return np.concatenate([np.empty(0, dtype=np.int32), *whole]), borders


def _as_array(values: Any, what: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be one row of integers, not {values!r:.80}") from None


def _as_int64(array: NDArray[Any]) -> NDArray[np.int64]:
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"offsets are integers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _row(row: Any, segment: int) -> NDArray[Any]:
    try:
        array = np.asarray(row if hasattr(row, "__len__") else list(row))
    except (TypeError, ValueError):
        array = np.asarray(0)
    if array.ndim != 1:
        raise InputError(
            "is not a row of integers; pass a list of lists, or a flat array with offsets",
            where=f"permutation {segment}",
        )
    return array


def _as_int32(array: NDArray[Any], borders: NDArray[np.int64], first: int = 0) -> NDArray[np.int32]:
    if isinstance(array, np.ma.MaskedArray):
        raise InputError("permutations have no missing values; fill or drop the masked ones")
    if array.dtype == np.int32:
        return np.ascontiguousarray(array)
    if array.size == 0:
        return np.empty(array.shape, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise InputError(f"permutations are made of integers, not of {array.dtype}")
    outside = np.flatnonzero((array < 0) | (array > np.iinfo(np.int32).max))
    if outside.size:
        _refuse(int(array.reshape(-1)[outside[0]]), int(outside[0]), borders, first)
    return np.ascontiguousarray(array, dtype=np.int32)


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
    if not hasattr(array, "offsets"):
        kind = getattr(array, "type", type(array).__name__)
        raise InputError(f"an Arrow array of permutations is a list array, not {kind}")
    if array.null_count:
        raise InputError("an Arrow array of permutations cannot hold nulls")
    borders = np.asarray(array.offsets).astype(np.int64)
    inner = array.values
    if inner.null_count:
        raise InputError("an Arrow array of permutations cannot hold nulls")
    flat = np.asarray(inner)[borders[0] : borders[-1]]
    own = np.ascontiguousarray(borders - borders[0])
    return _as_int32(flat, own), own


class OnError(StrEnum):
    """What to do with a line that is not a permutation."""

    STOP = "stop"
    SKIP = "skip"
    MARK = "mark"


@dataclass(slots=True)
class LineCount:
    """How many lines were read, how many of them were bad, and the first bad one."""

    good: int = 0
    bad: int = 0
    first: BadLine | None = None


def read_lines(
    source: ByteSource,
    *,
    pairs: bool = False,
    zero_based: bool = False,
    jobs: int = 1,
    on_error: OnError = OnError.STOP,
    count: LineCount | None = None,
) -> Iterator[PermutationBlock]:
    """Yield the lines of a source; with `stop`, only after all of them proved to be good.

    Reading twice is what makes it true that a bad line leaves nothing half-written.
    """
    count = LineCount() if count is None else count
    if on_error is OnError.STOP:
        for block in read_permutations(source, pairs=pairs, zero_based=zero_based, again=True):
            if block.bad:
                worst = block.bad[0]
                raise InputError(worst.reason, where=f"{source.name}:{worst.line}")
    for block in read_permutations(source, pairs=pairs, zero_based=zero_based, jobs=jobs):
        if block.bad and on_error is OnError.STOP:  # the file changed in between
            worst = block.bad[0]
            raise InputError(worst.reason, where=f"{source.name}:{worst.line}")
        count.good += len(block.lines)
        count.bad += len(block.bad)
        if block.bad and count.first is None:
            count.first = block.bad[0]
        yield block


def block_columns(
    block: PermutationBlock,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    branching: Branching = Branching.LEFT,
    exact_trees: bool = True,
) -> dict[str, Any]:
    """Return every column of `kilter permutation` for a block, in the published order."""
    batch = block.batch
    scores = batch.scores(beta=beta, gamma=gamma, branching=branching)
    columns: dict[str, Any] = {"n": batch.lengths}
    for name in (*SCORE_COLUMNS, "nodes", "max-operator"):
        columns[name] = scores[name]
    if exact_trees:
        columns["trees"] = _tree_digits(batch, scores["trees"])
    columns["chunks"] = scores["chunks"]
    columns["primal"] = scores["primal"].astype(np.bool_)
    return columns


def metric_columns(
    block: PermutationBlock, metrics: Mapping[str, PermutationMetric]
) -> dict[str, Any]:
    """Return one column per metric, under its name."""
    columns: dict[str, Any] = {"n": block.batch.lengths}
    for name, chosen in metrics.items():
        columns[name] = chosen.permutation_scores(block.batch)
    return columns


def pair_columns(block: PermutationBlock) -> dict[str, Any]:
    """Return the similarities of the two permutations of each line."""
    first, second = block.sides()
    return {"n": first.lengths, **first.pair_scores(second)}


def _tree_digits(batch: PermutationBatch, trees: NDArray[np.uint64]) -> list[str]:
    digits = [str(count) for count in trees.tolist()]
    for segment in np.flatnonzero((trees == 0) & (batch.lengths > 0)).tolist():
        widths = _core.linear_widths(np.ascontiguousarray(batch[segment]))
        digits[segment] = tree_count_digits(widths.tolist())
    return digits
