"""A file of segments of any size: checked as a whole, then read some segments at a time."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kilter.errors import InputError
from kilter.formats.stream import ByteSource
from kilter.formats.text import TextCheck, line_blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


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
        check = TextCheck()
        for block in line_blocks(self.source.chunks(again=True)):
            check.add(block)
        problem = check.problem()
        if problem is not None:
            raise InputError(problem.reason, where=f"{self.source.name}:{problem.line}")
        return check.lines

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
        return map(split_lines, line_blocks(self.source.chunks(again=True)))
