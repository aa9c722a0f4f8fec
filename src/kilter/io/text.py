"""Plain text, one segment a line: UTF-8, split on line feeds only. Files and lists are checked alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.settings import in_order, shown, unsequenced
from kilter.io.compression import SUFFIX_LIST, begins_compressed
from kilter.io.stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Fault(Enum):
    """What no text may hold: in a file, in a list of lines, and in a cell of a table."""

    BYTE_ORDER_MARK = (
        "starts with a byte-order mark, which only a file may do; take it out (files were joined here)",
        "starts with a byte-order mark; read the file with encoding='utf-8-sig'",
        "starts with a byte-order mark; take it out",
    )
    CARRIAGE_RETURN = (
        "ends in a carriage return (Windows line ends); remove them, e.g. with dos2unix",
        "ends in a carriage return (Windows line ends); remove them, e.g. with removesuffix('\\r')",
        "ends in a carriage return; take it out",
    )
    NUL = (
        "holds a NUL byte; this is not a text file, or not UTF-8",
        "holds a NUL character; this is not text",
        "holds a NUL character; take it out",
    )

    def __init__(self, in_file: str, in_list: str, in_cell: str) -> None:
        self.in_file = in_file
        self.in_list = in_list
        self.in_cell = in_cell


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Something that makes a text unusable: where, and what would be right."""

    line: int
    reason: str


COMPRESSED = TextProblem(
    1, f"begins as a compressed file does; unpack it, or let its name end in {SUFFIX_LIST}"
)


_SEGMENTS = "one segment a line"
_MISSING = ("NAType", "NaTType")
"""What pandas has for missing values, which do not let themselves be compared."""


def read_text(
    source: ByteSource | str | PathLike[str], *, held: str = _SEGMENTS
) -> tuple[str, ...]:
    """Return the lines of a text; the first problem is an `InputError` with file and line.

    `held` is what an empty file lacks.
    """
    file = source if isinstance(source, ByteSource) else ByteSource(source)
    data = b"".join(line_blocks(file.chunks(), name=file.name))
    for problem in problems(data, held=held):
        raise InputError(problem.reason, where=f"{file.name}:{problem.line}")
    return split_lines(data)


def read_table_lines(source: ByteSource, *, held: str = _SEGMENTS) -> tuple[str, ...]:
    """Return the lines of a table, which may end in a carriage return and a line feed; else as `read_text`."""
    data = b"".join(line_blocks(source.chunks(), name=source.name)).replace(b"\r\n", b"\n")
    for problem in problems(data, held=held):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    return split_lines(data)


def split_lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of checked bytes; the last line may lack its line end."""
    lines = data.decode().split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def problems(data: bytes, *, held: str = _SEGMENTS) -> Iterator[TextProblem]:
    """Yield everything that is wrong with the bytes of a text."""
    if not data:
        yield empty_file(held)
    elif begins_compressed(data):
        yield COMPRESSED
    else:
        for _, problem in _ranked_problems(data):
            yield problem


def empty_file(held: str = _SEGMENTS) -> TextProblem:
    """Return what is wrong with a file without a byte."""
    return TextProblem(1, f"the file is empty; it must hold {held}")


def _ranked_problems(data: bytes) -> Iterator[tuple[int, TextProblem]]:
    """Yield problems with their ranks; those of the lowest rank are told first, wherever they are."""
    faults = list(Fault)
    for line, fault in text_faults(data.decode(errors="replace")):
        yield faults.index(fault), TextProblem(line + 1, fault.in_file)
    try:
        data.decode()
    except UnicodeDecodeError:
        for number, line_bytes in enumerate(data.split(b"\n"), start=1):
            try:
                line_bytes.decode()
            except UnicodeDecodeError as error:
                yield len(faults), TextProblem(number, undecoded(line_bytes, error))


def undecoded(line: bytes, error: UnicodeDecodeError) -> str:
    """Return what is wrong with a line that is not UTF-8."""
    return (
        f"byte 0x{line[error.start]:02x} in column {error.start + 1} is not UTF-8; "
        "convert the file, e.g. with iconv -t UTF-8"
    )


class TextCheck:
    r"""What is wrong with a text that comes in blocks of whole lines: the same as `problems` finds first.

    >>> check = TextCheck()
    >>> for block in (b"one\n", b"two\r\n", b"\xef\xbb\xbfthree\n"):
    ...     check.add(block)
    >>> check.problem().line
    3
    """

    def __init__(self, held: str = _SEGMENTS) -> None:
        self.lines = 0
        self._held = held
        self._found: dict[int, TextProblem] = {}

    def add(self, block: bytes) -> None:
        """Look at the next lines; only the last block of a text may end without a line end."""
        if not self.lines and begins_compressed(block):
            self._found[-1] = COMPRESSED
        elif not self.is_clean(block):
            for rank, problem in _ranked_problems(block):
                placed = TextProblem(self.lines + problem.line, problem.reason)
                self._found.setdefault(rank, placed)
        self.lines += block.count(b"\n") + (not block.endswith(b"\n"))

    @staticmethod
    def is_clean(block: bytes) -> bool:
        """Return whether nothing is wrong at first sight, which is many times faster than to say what."""
        if b"\r" in block or b"\0" in block or BYTE_ORDER_MARK in block:
            return False
        try:
            block.decode()
        except UnicodeDecodeError:
            return False
        return True

    @property
    def has_problem(self) -> bool:
        """Whether something is wrong with what came so far; more may be told before it."""
        return bool(self._found)

    def problem(self) -> TextProblem | None:
        """Return what is told of the text, when all of it was there."""
        if not self.lines:
            return empty_file(self._held)
        return self._found[min(self._found)] if self._found else None


_LONGEST_LINE = 64 << 20


def line_blocks(pieces: Iterable[bytes], *, name: str | None = None) -> Iterator[bytes]:
    r"""Yield bytes in blocks of whole lines; the last may lack its line end.

    A line of more than 64 MiB is an `InputError`, which names the file.

    >>> list(line_blocks([b"on", b"e\ntw", b"o\nthree"]))
    [b'one\n', b'two\n', b'three']
    """
    begun: list[bytes] = []
    size = 0
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*begun, piece[:end]])
            begun = []
        if end < len(piece):
            begun.append(piece[end:])
            size = len(begun[-1]) + (0 if end else size)
            if size > _LONGEST_LINE:
                raise InputError(
                    f"has a line of more than {_LONGEST_LINE >> 20} MiB; write one segment a line",
                    where=name,
                )
    if begun:
        yield b"".join(begun)


def check_lines(lines: Sequence[str], *, where: str) -> None:
    """Raise an `InputError` for the first entry (from 0) that could not be a line of a file."""
    try:
        text = " ".join(lines)
    except TypeError:
        index, entry = next((k, e) for k, e in enumerate(lines) if not isinstance(e, str))
        raise InputError(f"entry {index} {_not_text(entry)}", where=where) from None
    if "\n" in text:
        index = next(k for k, line in enumerate(lines) if "\n" in line)
        raise InputError(f"entry {index} holds a line break; one entry is one segment", where=where)
    # Searching for single characters is many times faster than for line ends.
    if "\r" in text or "\0" in text or "\ufeff" in text:
        for index, fault in text_faults("\n".join(lines)):
            raise InputError(f"entry {index} {fault.in_list}", where=where)
    surrogate = _surrogate(text)
    if surrogate:
        index = next(k for k, line in enumerate(lines) if surrogate in line)
        raise InputError(
            f"entry {index} holds the lone surrogate U+{ord(surrogate):04X}, which no text can "
            "hold; decode the bytes as UTF-8, without errors='surrogateescape'",
            where=where,
        )


def check_cell(cell: str, *, where: str) -> None:
    """Raise an `InputError` for a cell of a table that could not be a line of a file."""
    if "\n" in cell:
        raise InputError("has a line break in a cell; one cell is one segment", where=where)
    for _, fault in text_faults(cell):
        raise InputError(fault.in_cell, where=where)
    surrogate = _surrogate(cell)
    if surrogate:
        code = f"{ord(surrogate):04X}"
        raise InputError(
            f"holds the lone surrogate U+{code} (\\u{code.lower()}), which is no character; write "
            "the character itself",
            where=where,
        )


def _surrogate(text: str) -> str:
    """Return the first half of a pair of UTF-16 without the other one, if a text holds any."""
    try:
        text.encode("utf-16-le")  # refuses what UTF-8 refuses, and faster
    except UnicodeEncodeError as error:
        return text[error.start]
    return ""


def _not_text(entry: object) -> str:
    """Return what is wrong with an entry that is no string, and what would be right."""
    if entry is None or type(entry).__name__ in _MISSING or entry != entry:  # noqa: PLR0124 - NaN
        return f"is missing ({entry!r}); fill it, with '' where a segment has no words"
    if isinstance(entry, (bytes, bytearray)):
        return f"is {shown(entry)}, which is not decoded; decode it, e.g. with .decode()"
    return f"is {shown(entry)}, not a string"


def text_faults(text: str) -> Iterator[tuple[int, Fault]]:
    """Yield the first line (from 0) of each fault; a line may not end in a carriage return."""
    if text.startswith("\ufeff"):
        yield 0, Fault.BYTE_ORDER_MARK
    elif "\ufeff" in text and (marked := text.find("\n\ufeff")) >= 0:  # files that were joined
        yield text.count("\n", 0, marked) + 1, Fault.BYTE_ORDER_MARK
    windows = text.find("\r\n") if "\r" in text else -1
    if windows < 0 and text.endswith("\r"):
        windows = len(text)
    for offset, fault in ((windows, Fault.CARRIAGE_RETURN), (text.find("\0"), Fault.NUL)):
        if offset >= 0:
            yield text.count("\n", 0, offset), fault


LINES = "a list of strings, one per segment"


def text_lines(lines: object, *, where: str, wanted: str = LINES) -> tuple[str, ...]:
    """Return the lines of a text; whatever could not be a text of a file is an `InputError`.

    Anything that gives strings one after another will do; `wanted` is what a message asks for instead.

    >>> text_lines(iter(["a b", "c"]), where="source")
    ('a b', 'c')
    >>> text_lines({"a b", "c"}, where="source")
    Traceback (most recent call last):
        ...
    kilter.core.errors.InputError: source: is a set, which has no order; pass a list of strings, one per segment
    """
    listed = tuple(entries(lines, where=where, wanted=wanted))
    check_lines(listed, where=where)
    return listed


def entries(values: object, *, where: str, wanted: str) -> list[Any]:
    """Return values that come one after another as a list; anything else is an `InputError`."""
    fault = unsequenced(values)
    if fault is not None:
        advice = f"one of its columns, {wanted}" if "whole table" in fault else wanted
        raise InputError(f"{fault}; pass {advice}", where=where)
    return in_order(values)


def segment_words(segments: object, *, where: str) -> list[list[str]]:
    """Return segments that are split into words already; anything else is an `InputError`.

    >>> segment_words([["a", "b"], []], where="source")
    [['a', 'b'], []]
    """
    return [
        word_list(words, where=f"{where}: segment {index}")
        for index, words in enumerate(
            entries(segments, where=where, wanted="a list of words for each segment"), start=1
        )
    ]


def word_list(words: object, *, where: str) -> list[str]:
    """Return the words of one segment; anything else than strings is an `InputError`."""
    listed = entries(words, where=where, wanted="a list of words")
    for index, word in enumerate(listed):
        if not isinstance(word, str):
            raise InputError(f"word {index} is {shown(word)}, not a string", where=where)
    return listed


_FAR = 1_000_000
"""Lines beyond twice those of another text, after which nothing more is read."""
_LARGE = 64 << 20
_LONG_LINE = 64 << 10
_TIMES_LARGER = 1000
"""Nothing more is read of a text after so many bytes, so many more for each line of another, and so many times its size."""


class LongTextError(InputError):
    """A text goes far beyond the end of another."""


def bounded(pieces: Iterable[bytes], most: int | None, *, what: str, name: str) -> Iterator[bytes]:
    """Yield pieces of a file that comes with texts; more than so many bytes are a `LongTextError`.

    >>> list(bounded([b"0-0 ", b"1-1"], 9, what="links", name="a.links"))
    [b'0-0 ', b'1-1']
    """
    size = 0
    for piece in pieces:
        size += len(piece)
        if most is not None and size > most:
            raise LongTextError(
                f"has more than {most >> 20} MiB, far more than {what} of these texts; name the file that belongs to them",
                where=name,
            )
        yield piece


class LineStream:
    """A file with a segment a line, whatever it is called.

    Standard input and pipes are kept aside, so that they can be read again.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.source = ByteSource(path)
        self.name = self.source.name
        self.size = 0
        """How many bytes of segments were counted so far; of a table, characters."""
        self.most: int | None = None
        """After so many bytes nothing more is read: far more than the texts can need that it comes with."""

    def digest(self) -> str:
        """Return what tells the bytes of the file from any other."""
        return self.source.digest()

    @cached_property
    def count(self) -> int:
        """How many segments there are; the first thing that is wrong with any is an `InputError`."""
        lines = 0
        for lines in self.counting():  # noqa: B007 - the last is the number of all
            pass
        return lines

    def counting(self) -> Iterator[int]:
        """Yield how many segments there are so far, at the end all; what is wrong is an `InputError` then."""
        check = TextCheck()
        self.size = 0
        name = self.source.name
        pieces = bounded(self.source.chunks(again=True), self.most, what="links", name=name)
        for block in line_blocks(pieces, name=name):
            check.add(block)
            self.size += len(block)
            yield check.lines
        problem = check.problem()
        if problem is not None:
            raise InputError(problem.reason, where=f"{self.source.name}:{problem.line}")

    def blocks(self, size: int) -> Iterator[tuple[str, ...]]:
        """Yield so many segments at a time, at the end fewer."""
        begun: list[str] = []
        for segments in self._pieces():
            begun += segments
            whole = len(begun) - len(begun) % size
            for start in range(0, whole, size):
                yield tuple(begun[start : start + size])
            del begun[:whole]
        if begun:
            yield tuple(begun)

    def __iter__(self) -> Iterator[str]:
        for segments in self._pieces():
            yield from segments

    def _pieces(self) -> Iterator[tuple[str, ...]]:
        """Yield all segments, as many at a time as come together."""
        return map(split_lines, line_blocks(self.source.chunks(again=True), name=self.source.name))


def count_together(streams: Sequence[LineStream]) -> None:
    """Count the segments of texts, which are to have equally many, in step.

    One that goes far beyond the end of another, or is larger by far, is a `LongTextError` before all of it is
    read. Of other faults the first text's is told.
    """
    counts, ends = [0] * len(streams), dict[int, int]()
    readers = [stream.counting() for stream in streams]
    faults: dict[int, InputError] = {}
    while len(ends) + len(faults) < len(streams):
        left = set(range(len(streams))) - ends.keys() - faults.keys()
        index = min(left, key=lambda each: streams[each].size)
        try:
            counts[index] = next(readers[index])
        except StopIteration:
            ends[index] = counts[index]
            streams[index].__dict__["count"] = counts[index]
        except InputError as error:
            faults[index] = error
        short = min(ends, key=ends.__getitem__, default=None)
        if short is not None and counts[index] > 2 * ends[short] + _FAR:
            raise LongTextError(
                f"has at least {counts[index]} lines, but {streams[short].name} has {ends[short]}; every text must "
                f"have the same segments (line {ends[short] + 1} of {streams[short].name} is missing)",
                where=streams[index].name,
            )
        if short is not None and streams[index].size > most_bytes(ends[short], streams[short].size):
            raise LongTextError(
                f"has more than {streams[index].size >> 20} MiB, but {streams[short].name} has "
                f"{counted(ends[short], 'line')} of {streams[short].size} bytes together; every text must have the same segments",
                where=streams[index].name,
            )
    if faults:
        raise faults[min(faults)]


def most_bytes(lines: int, size: int) -> int:
    """Return how large a text may be that has as many segments as one of this size."""
    return _LARGE + _LONG_LINE * lines + _TIMES_LARGER * size
