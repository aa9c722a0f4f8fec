"""Permutations in a file of columns, Parquet or Arrow: a column of lists of whole numbers, read some rows at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.io.column_file import opened_columns
from kilter.io.permutation_row import checked_rows, chosen_name, from_zero

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.io.permutation import PermutationBlock
    from kilter.io.stream import ByteSource

_MOST_ROWS = 1 << 16
_MOST_VALUES = 1 << 21


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
    if source.path.lower().endswith((".gz", ".xz")):
        raise InputError(
            "is compressed once more, and files of columns are read from their end; unpack it",
            where=source.name,
        )
    with opened_columns(source) as file:
        name = _chosen(file.schema, column, source.name)
        done = 0
        arrays = file.arrays(name, rows=_MOST_ROWS, values=_MOST_VALUES, jobs=jobs)
        for rows, share in arrays:
            block = _block(rows, done, base=0 if zero_based else 1, jobs=jobs)
            done += len(rows)
            yield replace(block, share=share)
        if not done:
            raise InputError(
                "has no row; write a permutation, such as [2, 1, 3], in each", where=source.name
            )


def _chosen(schema: Any, wanted: str | None, where: str) -> str:
    """Return the name of the column; what it holds is lists of whole numbers."""
    import pyarrow.types as kind

    lists = [field.name for field in schema if _is_list(field.type)]
    name = chosen_name(schema.names, lists, wanted, noun="column", where=where)
    held = schema.field(name).type
    if not _is_list(held) or not kind.is_integer(held.value_type):
        raise InputError(
            f"holds {held} in the column {name}; permutations are lists of whole numbers",
            where=where,
        )
    return name


def _is_list(held: Any) -> bool:
    import pyarrow.types as kind

    return _has_offsets(held) or any(
        is_kind(held)
        for is_kind in (kind.is_fixed_size_list, kind.is_list_view, kind.is_large_list_view)
    )


def _has_offsets(held: Any) -> bool:
    """Return whether lists of this type end where the next ones begin."""
    import pyarrow.types as kind

    return bool(kind.is_list(held) or kind.is_large_list(held))


def _block(rows: Any, before: int, *, base: int, jobs: int) -> PermutationBlock:
    """Return rows of a column, the first of which comes after `before` others."""
    offsets = _offsets(rows)
    inner = rows.flatten()  # leaves out what lies below a null
    values = from_zero(np.from_dlpack(inner.fill_null(0) if inner.null_count else inner), base)
    lines = np.arange(before + 1, before + 1 + len(rows), dtype=np.int64)
    if inner.null_count:
        values[inner.is_null().to_numpy(zero_copy_only=False)] = -1
    there = rows.is_valid().to_numpy(zero_copy_only=False) if rows.null_count else None
    return checked_rows(
        values,
        offsets,
        lines=lines,
        given=lambda row: rows[row].as_py(),
        base=base,
        jobs=jobs,
        there=there,
    )


def _offsets(rows: Any) -> NDArray[np.int64]:
    """Return where rows begin and end among their values; one that is null holds none."""
    if not rows.null_count and _has_offsets(rows.type):
        # Not by to_numpy, which would load pandas where it is installed.
        given: NDArray[np.int64] = np.from_dlpack(rows.offsets).astype(np.int64)
        given -= given[0]
        return given
    import pyarrow.compute as pc

    lengths = pc.list_value_length(rows).fill_null(0).to_numpy(zero_copy_only=False)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
