"""Permutations as lines of text: one-based integers, blanks or commas, brackets or none."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError, spelled
from kilter.core.permutation_batch import PermutationBatch, describe_fault
from kilter.io.column_file import opened_columns
from kilter.io.compression import begins_compressed, compression, format_suffix
from kilter.io.json_text import RepeatedKeyError, parse_json
from kilter.io.table import column_index
from kilter.io.text import COMPRESSED, line_blocks, undecoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.io.stream import ByteSource


class Problem(IntEnum):
    """What can be wrong with a line; the numbers are the kernel's."""

    EMPTY_LINE = 1
    UNEXPECTED_CHARACTER = 2
    MISSING_NUMBER = 3
    NUMBER_TOO_LARGE = 4
    OPEN_BRACKET = 5
    ZERO = 6
    OUT_OF_RANGE = 7
    REPEATED = 8
    NO_SECOND = 9
    THIRD = 10
    LENGTHS = 11


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class PermutationBlock:
    """A stretch of lines: the good ones as a batch, the bad ones with their reasons.

    For pairs the batch holds two permutations per line, one after the other.
    """

    batch: PermutationBatch
    lines: NDArray[np.int64]
    bad: list[BadLine]
    share: float | None = None
    """How much of the input is read with these lines, up to 1; None where nobody knows."""

    @property
    def rows(self) -> int:
        """The number of lines, good or bad."""
        return len(self.lines) + len(self.bad)

    def sides(self) -> tuple[PermutationBatch, PermutationBatch]:
        """Return the first and the second permutations of lines of pairs."""
        return _every_second(self.batch, 0), _every_second(self.batch, 1)


def read_permutations(
    source: ByteSource,
    *,
    pairs: bool = False,
    zero_based: bool = False,
    jobs: int = 1,
    again: bool = False,
) -> Iterator[PermutationBlock]:
    """Yield the lines of a source block by block; memory does not grow with their number.

    An input without any byte, or with a byte order mark only, is an `InputError`.
    """
    reader = _core.PermutationReader(pairs, zero_based)
    pieces = source.chunks(again=again)
    text = next(pieces, None)
    if text is None:
        raise InputError(
            "holds nothing; write one permutation a line, such as 2 1 3", where=source.name
        )
    compressed = begins_compressed(text)
    while text is not None:
        reader.feed(text)
        share = source.share
        text = next(pieces, None)
        if (
            text is None
        ):  # a last line without an end belongs to the last block, as one with it does
            reader.finish()
        block = _block(reader, zero_based=zero_based, jobs=jobs)
        if compressed and block.bad and block.bad[0].line == COMPRESSED.line:
            block.bad[0] = BadLine(COMPRESSED.line, COMPRESSED.reason)
        yield replace(block, share=share)


def _block(reader: _core.PermutationReader, *, zero_based: bool, jobs: int) -> PermutationBlock:
    bad = [
        BadLine(line, _reason(Problem(code), position, value, other, 0 if zero_based else 1))
        for line, code, position, value, other in reader.problems()
    ]
    values, offsets, lines = reader.take()
    return PermutationBlock(PermutationBatch.trusted(values, offsets, jobs=jobs), lines, bad)


def _every_second(batch: PermutationBatch, which: int) -> PermutationBatch:
    import numpy as np  # noqa: PLC0415 - pairs only

    lengths = batch.lengths
    mask = np.repeat(np.arange(len(lengths)) % 2 == which, lengths)
    offsets = np.concatenate([[0], np.cumsum(lengths[which::2])]).astype(np.int64)
    return PermutationBatch.trusted(batch.values[mask], offsets, jobs=batch.jobs)


_REASONS = {
    Problem.EMPTY_LINE: (
        "the line is empty; write a permutation such as 2 1 3, or [] for one of no words"
    ),
    Problem.UNEXPECTED_CHARACTER: (
        "{character} in column {position} is not part of a permutation; write whole numbers "
        "separated by spaces or commas"
    ),
    Problem.MISSING_NUMBER: "there is no number beside the comma near column {position}",
    Problem.NUMBER_TOO_LARGE: "the number at position {position} is too large for any permutation",
    Problem.OPEN_BRACKET: "the bracket is never closed",
    Problem.ZERO: (
        "0 at position {position}: permutations count from 1 (--zero-based reads those that count "
        "from 0)"
    ),
    Problem.OUT_OF_RANGE: (
        "{value} at position {position} is out of range while {other} is missing; a permutation of "
        "n numbers uses each from {first} to {last} once"
    ),
    Problem.REPEATED: "{value} at position {position} stands already at position {other}",
    Problem.NO_SECOND: "only one permutation; write two, separated by ||| or a tab",
    Problem.THIRD: "more than two permutations; write two, separated by ||| or a tab",
    Problem.LENGTHS: (
        "the two permutations have {value} and {other} elements; both need the same number"
    ),
}


_JSON = (
    "'{{' in column {position} begins an object of JSON, not a permutation; JSON lines are read from a file "
    "whose name ends in .jsonl, and from standard input with --column NAME"
)


def _reason(problem: Problem, position: int, value: int, other: int, base: int) -> str:
    """Return what is wrong and what would be right, in one line."""
    if problem is Problem.UNEXPECTED_CHARACTER and value == ord("{"):
        return _JSON.format(position=position)
    return _REASONS[problem].format(
        position=position,
        value=value,
        other=other,
        first=base,
        last="n" if base else "n - 1",
        character=_character(value) if problem is Problem.UNEXPECTED_CHARACTER else "",
    )


def _character(packed: int) -> str:
    raw = packed.to_bytes(max(1, (packed.bit_length() + 7) // 8), "big")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return f"byte 0x{raw[0]:02x}"
    return f"'{text}'" if text.isprintable() else f"byte 0x{raw[0]:02x}"


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
    return names[column_index(names, wanted, noun=noun, where=where)]


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
        BadLine(int(lines[row]), _reason_permutation_row(given(row), base))
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
    faulty = np.zeros(len(lengths), dtype=np.bool_)
    faulty[owner[~fits]] = True
    faulty[owner[times != 1]] = True
    return faulty


def _reason_permutation_row(row: list[Any] | None, base: int) -> str:
    """Return what is wrong with a row and what would be right, in one line."""
    if row is None:
        return "the row is null; write a permutation such as [2, 1, 3], or [] for one of no words"
    seen: dict[int, int] = {}
    for index, value in enumerate(row):
        if value is None:
            return f"the number at position {index + 1} is null; a permutation has none missing"
        if type(value) is not int:
            return f"{spelled_value(value)} at position {index + 1} is not a whole number; {LISTS}"
        if not is_number(value):
            return f"the number at position {index + 1} is too large for any permutation"
        outside = not base <= value < base + len(row)
        if outside or value in seen:
            fault = describe_fault(len(row), index, value, seen.get(value), base=base)
            hint = " (--zero-based reads those that count from 0)" if base and not value else ""
            return fault + hint
        seen[value] = index
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


_EXAMPLE = 'write {"permutation": [2, 1, 3]} or [2, 1, 3]'


def is_json_lines(path: str) -> bool:
    """Return whether a file holds JSON lines by its name.

    >>> is_json_lines("orders.jsonl.gz"), is_json_lines("orders.txt")
    (True, False)
    """
    return format_suffix(path) == ".jsonl"


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
        if not self.read and begins_compressed(data):
            raise InputError(COMPRESSED.reason, where=f"{self._name}:{COMPRESSED.line}")
        rows: list[list[Any]] = []
        numbers_of_lines: list[int] = []
        bad: list[BadLine] = []
        for line in data.removesuffix(b"\n").split(b"\n"):
            self.read += 1
            try:
                rows.append(self._row(line))
            except _FaultError as fault:
                bad.append(BadLine(self.read, spelled(" ".join(str(fault).split()))))
            else:
                numbers_of_lines.append(self.read)
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([*map(len, rows)], out=offsets[1:])
        block = checked_rows(
            from_zero(_numbers(rows), self._base),
            offsets,
            lines=np.array(numbers_of_lines, dtype=np.int64),
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
            raise _FaultError(f"{spelled_value(entry)} is neither an object nor a list; {_EXAMPLE}")
        if self._wanted is not None:
            raise _FaultError(f"is a list, without a field {self._wanted!r}; leave --column out")
        return entry

    def _listed(self, entry: dict[str, Any]) -> list[Any]:
        if self._field is None:
            self._field = self._chosen(entry)
        try:
            values = entry[self._field]
        except KeyError:
            has = f"its fields are: {', '.join(entry)}" if entry else "it has none"
            raise _FaultError(f"has no field {self._field!r}; {has}") from None
        if type(values) is not list:
            raise _FaultError(
                f"{spelled_value(values)} in the field {self._field!r} is not a list; {LISTS}"
            )
        return values

    def _chosen(self, entry: dict[str, Any]) -> str:
        # A null is what stands for a permutation where bad lines are marked.
        lists = [key for key in entry if key == USUAL_NAME or type(entry[key]) is list]
        where = f"{self._name}:{self.read}"
        return chosen_name([*entry], lists, self._wanted, noun="field", where=where)


def _numbers(rows: list[list[Any]]) -> NDArray[np.int64]:
    """Return all values of rows, -1 for what is not a number of any permutation."""
    if {*map(type, chain.from_iterable(rows))} <= {int}:
        with suppress(OverflowError):
            return np.fromiter(chain.from_iterable(rows), np.int64)
    values = [value if is_number(value) else -1 for value in chain.from_iterable(rows)]
    return np.array(values, dtype=np.int64)


def _no_json(line: bytes, error: JSONDecodeError) -> str:
    if not line.strip():
        return "the line is empty; write a permutation such as [2, 1, 3], or [] for one of no words"
    return f"is not JSON: {error.msg} in column {error.colno}; {_EXAMPLE}"


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
    if compression(source.path):
        raise InputError(
            "is compressed once more, and files of columns are read from their end; unpack it",
            where=source.name,
        )
    with opened_columns(source) as file:
        name = _chosen(file.schema, column, source.name)
        done = 0
        arrays = file.arrays(name, rows=_MOST_ROWS, values=_MOST_VALUES, jobs=jobs)
        for rows, share in arrays:
            block = _block_permutation_table(rows, done, base=0 if zero_based else 1, jobs=jobs)
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


def _block_permutation_table(rows: Any, before: int, *, base: int, jobs: int) -> PermutationBlock:
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
