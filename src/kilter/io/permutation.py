"""Permutations as lines of text: one-based integers, blanks or commas, brackets or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
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
    while text is not None:
        reader.feed(text)
        share = source.share
        text = next(pieces, None)
        if (
            text is None
        ):  # a last line without an end belongs to the last block, as one with it does
            reader.finish()
        yield replace(_block(reader, zero_based=zero_based, jobs=jobs), share=share)


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
        "separated by blanks or commas"
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


_COMPRESSED = (0x1F, 0xFD)
"""The first bytes of what gzip and xz write, of which no text is."""


def _reason(problem: Problem, position: int, value: int, other: int, base: int) -> str:
    """Return what is wrong and what would be right, in one line."""
    if problem is Problem.UNEXPECTED_CHARACTER and value == ord("{"):
        return _JSON.format(position=position)
    if problem is Problem.UNEXPECTED_CHARACTER and position == 1 and value in _COMPRESSED:
        return "begins as a compressed file does; unpack it, or give a file whose name ends in .gz or .xz"
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
