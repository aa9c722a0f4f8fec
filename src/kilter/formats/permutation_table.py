"""Permutations in a Parquet file: a column of lists of whole numbers, read some rows at a time."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.errors import InputError, MissingToolError
from kilter.formats.permutation import BadLine, PermutationBlock
from kilter.structures.permutation.permutation_batch import PermutationBatch, describe_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.formats.stream import ByteSource

USUAL_COLUMN = "permutation"
"""The column that is read where none is named: what `kilter permutation` writes."""
_MOST_ROWS = 1 << 16
_MOST_VALUES = 1 << 21
_READ_AHEAD = 1 << 20
_LARGEST = 2**31 - 1


def is_parquet(path: str) -> bool:
    """Return whether a file is Parquet by its name.

    >>> is_parquet("orders.parquet"), is_parquet("orders.txt.gz")
    (True, False)
    """
    return path.lower().removesuffix(".gz").removesuffix(".xz").endswith(".parquet")


def read_permutation_table(
    source: ByteSource,
    column: str | None = None,
    *,
    zero_based: bool = False,
    jobs: int = 1,
) -> Iterator[PermutationBlock]:
    """Yield the rows of a column block by block; memory does not grow with their number.

    Rows count from 1 and stand where lines do. Without the name of a column it is `permutation`, or the
    only one that holds lists. A file without any row is an `InputError`.
    """
    with _explained(source), source.opened() as stream:
        import pyarrow.parquet as pq

        # Buffered: a row group may be the whole file.
        file = pq.ParquetFile(stream, buffer_size=_READ_AHEAD, pre_buffer=False)
        name = _chosen(file.schema_arrow, column, source.name)
        total = file.metadata.num_rows
        if not total:
            raise InputError(
                "has no row; write a permutation, such as [2, 1, 3], in each", where=source.name
            )
        done = 0
        rows = _rows_at_once(file, name)
        for batch in file.iter_batches(rows, columns=[name], use_threads=jobs > 1):
            block = _block(batch.column(0), done, base=0 if zero_based else 1, jobs=jobs)
            done += batch.num_rows
            yield replace(block, share=done / total)


@contextmanager
def _explained(source: ByteSource) -> Iterator[None]:
    """Turn what goes wrong while reading into an `InputError`."""
    if not source.path.lower().endswith(".parquet"):
        raise InputError(
            "is compressed once more, and Parquet is read from its end; unpack it",
            where=source.name,
        )
    if find_spec("pyarrow") is None:
        raise MissingToolError(
            f"the Parquet file {source.name}", install="pip install 'kilter[arrow]'"
        )
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"is no Parquet file: {error}", where=source.name) from error


def _chosen(schema: Any, wanted: str | None, where: str) -> str:
    """Return the name of the column; what it holds is lists of whole numbers."""
    import pyarrow.types as kind

    names: list[str] = schema.names
    lists = [field.name for field in schema if _is_list(field.type)]
    if wanted is None and (USUAL_COLUMN in lists or len(lists) == 1):
        wanted = USUAL_COLUMN if USUAL_COLUMN in lists else lists[0]
    elif wanted is None:
        which = "no column of lists" if not lists else f"the columns of lists {', '.join(lists)}"
        remedy = "permutations are lists of whole numbers" if not lists else "choose one (--column)"
        raise InputError(f"has {which}; {remedy}", where=where)
    alike = [name for name in names if name == wanted]
    if not alike:
        alike = [name for name in names if name.lower() == wanted.lower()]
    if len(alike) != 1:
        fault = "several columns" if alike else "no column"
        raise InputError(
            f"has {fault} {wanted!r}; its columns are: {', '.join(names)}", where=where
        )
    held = schema.field(alike[0]).type
    if not _is_list(held) or not kind.is_integer(held.value_type):
        raise InputError(
            f"holds {held} in the column {alike[0]}; permutations are lists of whole numbers",
            where=where,
        )
    return alike[0]


def _is_list(held: Any) -> bool:
    import pyarrow.types as kind

    return bool(kind.is_list(held) or kind.is_large_list(held) or kind.is_fixed_size_list(held))


def _rows_at_once(file: Any, name: str) -> int:
    """Return how many rows make a block: fewer where permutations are long."""
    metadata = file.metadata
    leaves = [
        place
        for place in range(metadata.num_columns)
        if file.schema.column(place).path.startswith(f"{name}.")
    ]
    values = 0
    for place in range(metadata.num_row_groups):
        # Asked for what it says of a damaged group, pyarrow ends the process; reading it raises an error.
        next(file.iter_batches(1, row_groups=[place], columns=[name], use_threads=False), None)
        group = metadata.row_group(place)
        values += sum(group.column(leaf).num_values for leaf in leaves)
    return int(min(_MOST_ROWS, max(1, _MOST_VALUES * metadata.num_rows // max(1, values))))


def _block(rows: Any, before: int, *, base: int, jobs: int) -> PermutationBlock:
    """Return rows of a column, the first of which comes after `before` others."""
    offsets = _offsets(rows)
    inner = rows.flatten()  # leaves out what lies below a null
    values = _from_zero(np.from_dlpack(inner.fill_null(0) if inner.null_count else inner), base)
    lines = np.arange(before + 1, before + 1 + len(rows), dtype=np.int64)
    if inner.null_count:
        values[inner.is_null().to_numpy(zero_copy_only=False)] = -1
    if not rows.null_count and _core.find_fault(values, offsets)[0] < 0:
        return PermutationBlock(PermutationBatch.trusted(values, offsets, jobs=jobs), lines, [])
    keep = ~_faulty(values, offsets)
    if rows.null_count:
        keep &= rows.is_valid().to_numpy(zero_copy_only=False)
    bad = [
        BadLine(int(lines[row]), _reason(rows[row].as_py(), base))
        for row in np.flatnonzero(~keep).tolist()
    ]
    borders = np.zeros(int(keep.sum()) + 1, dtype=np.int64)
    np.cumsum(np.diff(offsets)[keep], out=borders[1:])
    good = values[np.repeat(keep, np.diff(offsets))]
    return PermutationBlock(PermutationBatch.trusted(good, borders, jobs=jobs), lines[keep], bad)


def _offsets(rows: Any) -> NDArray[np.int64]:
    """Return where rows begin and end among their values; one that is null holds none."""
    import pyarrow.types as kind

    if not rows.null_count and not kind.is_fixed_size_list(rows.type):
        # Not by to_numpy, which would load pandas where it is installed.
        given: NDArray[np.int64] = np.from_dlpack(rows.offsets).astype(np.int64)
        given -= given[0]
        return given
    import pyarrow.compute as pc

    lengths = pc.list_value_length(rows).fill_null(0).to_numpy(zero_copy_only=False)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _from_zero(given: NDArray[Any], base: int) -> NDArray[np.int32]:
    """Return values counted from 0; what is out of range of any permutation is -1, or as large as can be."""
    values: NDArray[np.int32]
    if given.dtype == np.int32:
        values = given - np.int32(base)  # the least number becomes the largest
        return values
    if not given.size or (given.min() >= base and given.max() <= _LARGEST):
        values = given.astype(np.int32)
        values -= base
        return values
    inside = (given >= base) & (given <= _LARGEST)
    values = np.where(inside, given, base).astype(np.int32)
    values -= base
    values[~inside] = -1
    return values


def _faulty(values: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows are no permutation, all of them in a few passes."""
    lengths = np.diff(offsets)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    fits = (values >= 0) & (values < lengths[owner])
    times = np.bincount(offsets[owner[fits]] + values[fits], minlength=len(values))
    found = np.zeros(len(lengths), dtype=np.bool_)
    found[owner[~fits]] = True
    found[owner[times != 1]] = True
    return found


def _reason(row: list[int | None] | None, base: int) -> str:
    """Return what is wrong with a row and what would be right, in one line."""
    if row is None:
        return "the row is null; write a permutation such as [2, 1, 3], or [] for one of no words"
    seen: dict[int, int] = {}
    for place, value in enumerate(row):
        if value is None:
            return f"the number at position {place + 1} is null; a permutation has none missing"
        outside = not base <= value < base + len(row)
        if outside or value in seen:
            fault = describe_fault(len(row), place, value, seen.get(value), base=base)
            hint = " (--zero-based reads those that count from 0)" if base and not value else ""
            return fault + hint
        seen[value] = place
    raise AssertionError("the row is a permutation")
