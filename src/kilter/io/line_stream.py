"""A file of segments of any size: checked as a whole, then read some segments at a time."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.stream import ByteSource
from kilter.io.text import TextCheck, line_blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike


_FAR = 1_000_000
"""Lines beyond twice those of another text, after which nothing more is read."""


class LongTextError(InputError):
    """A text goes far beyond the end of another."""


class LineStream:
    """A file with a segment a line, whatever it is called.

    Standard input and pipes are kept aside, so that they can be read again.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.source = ByteSource(path)
        self.name = self.source.name

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
        for block in line_blocks(self.source.chunks(again=True), name=self.source.name):
            check.add(block)
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

    One that goes far beyond the end of another is a `LongTextError` before all of it is read. Of other faults
    the first text's is told.
    """
    counts, ends = [0] * len(streams), dict[int, int]()
    readers = [stream.counting() for stream in streams]
    faults: dict[int, InputError] = {}
    while len(ends) + len(faults) < len(streams):
        place = min(set(range(len(streams))) - ends.keys() - faults.keys(), key=counts.__getitem__)
        try:
            counts[place] = next(readers[place])
        except StopIteration:
            ends[place] = counts[place]
            streams[place].__dict__["count"] = counts[place]
        except InputError as error:
            faults[place] = error
        short = min(ends, key=ends.__getitem__, default=None)
        if short is not None and counts[place] > 2 * ends[short] + _FAR:
            raise LongTextError(
                f"has at least {counts[place]} lines, but {streams[short].name} has {ends[short]}; every text must "
                f"have the same segments (line {ends[short] + 1} of {streams[short].name} is missing)",
                where=streams[place].name,
            )
    if faults:
        raise faults[min(faults)]
