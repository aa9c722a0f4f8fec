"""Permutations as JSON lines: a list of whole numbers a line, or an object that holds one, read block by block."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import chain
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError, spelled
from kilter.io.json_text import RepeatedKeyError, parse_json
from kilter.io.permutation import BadLine
from kilter.io.permutation_row import (
    LISTS,
    USUAL_NAME,
    checked_rows,
    chosen_name,
    from_zero,
    is_number,
    spelled_value,
)
from kilter.io.text import COMPRESSED, COMPRESSED_STARTS, line_blocks, undecoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.io.permutation import PermutationBlock
    from kilter.io.stream import ByteSource

_EXAMPLE = 'write {"permutation": [2, 1, 3]} or [2, 1, 3]'


def is_json_lines(path: str) -> bool:
    """Return whether a file holds JSON lines by its name.

    >>> is_json_lines("orders.jsonl.gz"), is_json_lines("orders.txt")
    (True, False)
    """
    return path.lower().removesuffix(".gz").removesuffix(".xz").endswith(".jsonl")


def read_permutation_json(
    source: ByteSource,
    field: str | None = None,
    *,
    zero_based: bool = False,
    jobs: int = 1,
    again: bool = False,
) -> Iterator[PermutationBlock]:
    """Yield the lines of a source block by block; memory does not grow with their number.

    Without the name of a field it is `permutation`, or the only one of the first object that is a list. A
    line that is a list has no fields. An input without any byte is an `InputError`.
    """
    lines = _Lines(source.name, field, base=0 if zero_based else 1, jobs=jobs)
    for data in line_blocks(source.chunks(again=again)):
        yield replace(lines.block(data), share=source.share)
    if not lines.read:
        raise InputError(f"holds nothing; {_EXAMPLE} in each line", where=source.name)


class _FaultError(Exception):
    """What is wrong with a line."""


class _Lines:
    """Lines of one source: how many are read, and which field of theirs."""

    def __init__(self, name: str, field: str | None, *, base: int, jobs: int) -> None:
        self.read = 0
        self._name = name
        self._wanted = field
        self._field: str | None = None
        self._base = base
        self._jobs = jobs

    def block(self, data: bytes) -> PermutationBlock:
        """Return the next lines."""
        if not self.read and data.startswith(COMPRESSED_STARTS):
            raise InputError(COMPRESSED.reason, where=self._name)
        rows: list[list[Any]] = []
        places: list[int] = []
        bad: list[BadLine] = []
        for line in data.removesuffix(b"\n").split(b"\n"):
            self.read += 1
            try:
                rows.append(self._row(line))
            except _FaultError as fault:
                bad.append(BadLine(self.read, spelled(" ".join(str(fault).split()))))
            else:
                places.append(self.read)
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([*map(len, rows)], out=offsets[1:])
        block = checked_rows(
            from_zero(_numbers(rows), self._base),
            offsets,
            lines=np.array(places, dtype=np.int64),
            given=rows.__getitem__,
            base=self._base,
            jobs=self._jobs,
        )
        return replace(block, bad=sorted(bad + block.bad, key=lambda each: each.line))

    def _row(self, line: bytes) -> list[Any]:
        """Return the list of a line, whatever it holds."""
        try:
            entry = parse_json(line.decode())
        except UnicodeDecodeError as error:
            raise _FaultError(undecoded(line, error)) from None
        except RepeatedKeyError as error:
            raise _FaultError(str(error)) from None
        except JSONDecodeError as error:
            raise _FaultError(_no_json(line, error)) from None
        if type(entry) is dict:
            return self._listed(entry)
        if type(entry) is not list:
            raise _FaultError(f"{spelled_value(entry)} is no object and no list; {_EXAMPLE}")
        if self._wanted is not None:
            raise _FaultError(f"is a list, without a field {self._wanted!r}; leave --column out")
        return entry

    def _listed(self, entry: dict[str, Any]) -> list[Any]:
        if self._field is None:
            self._field = self._chosen(entry)
        try:
            found = entry[self._field]
        except KeyError:
            has = f"its fields are: {', '.join(entry)}" if entry else "it has none"
            raise _FaultError(f"has no field {self._field!r}; {has}") from None
        if type(found) is not list:
            raise _FaultError(
                f"{spelled_value(found)} in the field {self._field!r} is no list; {LISTS}"
            )
        return found

    def _chosen(self, entry: dict[str, Any]) -> str:
        # A null is what stands for a permutation where bad lines are marked.
        lists = [key for key in entry if key == USUAL_NAME or type(entry[key]) is list]
        where = f"{self._name}:{self.read}"
        return chosen_name([*entry], lists, self._wanted, noun="field", where=where)


def _numbers(rows: list[list[Any]]) -> NDArray[np.int64]:
    """Return all values of rows, -1 for what is no number of any permutation."""
    if {*map(type, chain.from_iterable(rows))} <= {int}:
        with suppress(OverflowError):
            return np.fromiter(chain.from_iterable(rows), np.int64)
    values = [value if is_number(value) else -1 for value in chain.from_iterable(rows)]
    return np.array(values, dtype=np.int64)


def _no_json(line: bytes, error: JSONDecodeError) -> str:
    if not line.strip():
        return "the line is empty; write a permutation such as [2, 1, 3], or [] for one of no words"
    return f"is no JSON: {error.msg} in column {error.colno}; {_EXAMPLE}"
