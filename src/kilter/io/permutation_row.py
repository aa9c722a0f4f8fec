"""Rows of a table that are permutations: which column holds them, and what is wrong with bad ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError, spelled
from kilter.core.permutation_batch import PermutationBatch, describe_fault
from kilter.io.permutation import BadLine, PermutationBlock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

USUAL_NAME = "permutation"
"""The column that is read where none is named: what `kilter permutation` writes."""
LISTS = "permutations are lists of whole numbers"
_LARGEST = 2**31 - 1
_NUMBERS = 2**63 - 1
_SHOWN = 40


def chosen_name(
    names: Sequence[str], lists: Sequence[str], wanted: str | None, *, noun: str, where: str
) -> str:
    """Return the name of the column that holds permutations; `lists` are those that hold lists.

    Without a wanted one it is `permutation`, or the only one with lists. Where none is written as the wanted
    one, upper and lower case do not matter. `noun` is what the table calls its columns.
    """
    if wanted is None and (USUAL_NAME in lists or len(lists) == 1):
        wanted = USUAL_NAME if USUAL_NAME in lists else lists[0]
    elif wanted is None:
        which = f"no {noun} of lists" if not lists else f"the {noun}s of lists {', '.join(lists)}"
        remedy = LISTS if not lists else "choose one (--column)"
        raise InputError(f"has {which}; {remedy}", where=where)
    alike = [name for name in names if name == wanted]
    if not alike:
        alike = [name for name in names if name.lower() == wanted.lower()]
    if len(alike) != 1:
        fault = f"several {noun}s" if alike else f"no {noun}"
        raise InputError(
            f"has {fault} {wanted!r}; its {noun}s are: {', '.join(names)}", where=where
        )
    return alike[0]


def checked_rows(
    values: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    lines: NDArray[np.int64],
    given: Callable[[int], list[Any] | None],
    base: int,
    jobs: int,
    there: NDArray[np.bool_] | None = None,
) -> PermutationBlock:
    """Return rows of values that count from 0 and may be anything, the good ones apart from the bad ones.

    `given` returns a row as the file has it, which counts from `base`; `there` says which are not null.
    """
    if there is None and _core.find_fault(values, offsets)[0] < 0:
        return PermutationBlock(PermutationBatch.trusted(values, offsets, jobs=jobs), lines, [])
    keep = ~_faulty(values, offsets)
    if there is not None:
        keep &= there
    bad = [
        BadLine(int(lines[row]), _reason(given(row), base))
        for row in np.flatnonzero(~keep).tolist()
    ]
    borders = np.zeros(int(keep.sum()) + 1, dtype=np.int64)
    np.cumsum(np.diff(offsets)[keep], out=borders[1:])
    good = values[np.repeat(keep, np.diff(offsets))]
    return PermutationBlock(PermutationBatch.trusted(good, borders, jobs=jobs), lines[keep], bad)


def from_zero(given: NDArray[Any], base: int) -> NDArray[np.int32]:
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


def _reason(row: list[Any] | None, base: int) -> str:
    """Return what is wrong with a row and what would be right, in one line."""
    if row is None:
        return "the row is null; write a permutation such as [2, 1, 3], or [] for one of no words"
    seen: dict[int, int] = {}
    for place, value in enumerate(row):
        if value is None:
            return f"the number at position {place + 1} is null; a permutation has none missing"
        if type(value) is not int:
            return f"{spelled_value(value)} at position {place + 1} is no whole number; {LISTS}"
        if not is_number(value):
            return f"the number at position {place + 1} is too large for any permutation"
        outside = not base <= value < base + len(row)
        if outside or value in seen:
            fault = describe_fault(len(row), place, value, seen.get(value), base=base)
            hint = " (--zero-based reads those that count from 0)" if base and not value else ""
            return fault + hint
        seen[value] = place
    raise AssertionError("the row is a permutation")


def is_number(value: object) -> bool:
    """Return whether a value of any type is a whole number of 64 bits.

    >>> is_number(3), is_number(True), is_number(3.0), is_number(2**63)
    (True, False, False, False)
    """
    return type(value) is int and abs(value) <= _NUMBERS


def spelled_value(value: object) -> str:
    """Return a value as JSON spells it, the beginning of a long one; of what holds others, what it is.

    >>> spelled_value(None), spelled_value("a b"), spelled_value([1, 2])
    ('null', '"a b"', 'a list')
    """
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = spelled(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
