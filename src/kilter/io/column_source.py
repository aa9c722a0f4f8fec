"""Lines of a column of a table, as the bytes of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.io.stream import ByteSource
from kilter.io.text_file import text_part
from kilter.io.text_table import column_blocks, is_only_table

if TYPE_CHECKING:
    from collections.abc import Iterator


class ColumnSource(ByteSource):
    """A column of a table, each cell a line; `FILE#NAME` says which where there are several."""

    def __init__(self, path: str) -> None:
        named = text_part(path)
        super().__init__(named.path)
        self._part = named.part

    def chunks(self, *, again: bool = False) -> Iterator[bytes]:
        """Yield the lines in pieces; what is no text is an `InputError` with its row."""
        for lines in column_blocks(ByteSource(self.path), self._part, again=again):
            yield "".join(f"{line}\n" for line in lines).encode()


def source_of_lines(source: ByteSource) -> ByteSource:
    """Return what yields the lines of a file: itself, or of a table its column."""
    return ColumnSource(source.path) if is_only_table(text_part(source.path).path) else source
