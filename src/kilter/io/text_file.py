"""A text of segments in a file of any kind: lines, a set of WMT's `.sgm`, or a column of a table."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

from kilter.core.errors import InputError
from kilter.core.settings import shown
from kilter.io.compression import format_suffix
from kilter.io.sgm import is_sgm, read_sgm
from kilter.io.stream import ByteSource, display_name, exists, is_folder, is_standard_input
from kilter.io.table import column_index, is_only_table, is_table, opened_rows
from kilter.io.text import (
    LineStream,
    check_cell,
    check_lines,
    count_together,
    line_blocks,
    problems,
    split_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SUFFIXES = (".sgm", ".sgml")
_SEPARATORS = {".tsv": "\t", ".csv": ","}
"""Of tables that are texts, whatever their first lines hold."""
_ROWS = 1024
_CHARACTERS = 1 << 22
"""So many rows are checked together."""


class TextPart(NamedTuple):
    """A file, and the column, system or reference of it that is the text; None where there is one."""

    path: str
    part: str | None

    def with_column(self, name: str | None) -> str:
        """Return how the part is written, with this column where a table, or a folder of them, names none."""
        table = self.part is None and (is_table(self.path) or is_folder(self.path))
        part = name if table else self.part
        return self.path if part is None else f"{self.path}#{part}"


def text_part(path: str) -> TextPart:
    """Return what `FILE#PART` names; a file whose own name is written so is that file.

    >>> text_part("news.tsv#mt"), text_part("news.txt")
    (TextPart(path='news.tsv', part='mt'), TextPart(path='news.txt', part=None))
    """
    file, mark, part = path.rpartition("#")
    if not mark or not file or not part or is_standard_input(path):
        return TextPart(path, None)
    if exists(path):
        return TextPart(path, None)
    return TextPart(file, part)


def part_names(paths: Sequence[str]) -> list[str | None]:
    """Return how texts are told apart that are parts of one file; None for a text that is alone in its file.

    >>> part_names(["t.tsv#mt", "t.tsv#nmt", "u.tsv#mt"])
    ['mt', 'nmt', None]
    """
    parts = [text_part(path) for path in paths]
    files = [each.path for each in parts]
    return [each.part if files.count(each.path) > 1 else None for each in parts]


def read_text_file(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the segments of a text; the first problem is an `InputError` with file and line.

    What a file is, its name says (`.tsv`, `.csv`, `.jsonl`, `.parquet`, `.sgm`), or its first line for
    sets of segments. `FILE#PART` names the column, or the system of a set that holds several.
    """
    lines, faults = checked_text_file(path)
    if lines is None:
        raise faults[0]
    return lines


def read_text_files(paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the segments of texts that are to have equally many, by path; see `count_together`."""
    streams = {path: TextStream(path) for path in paths}
    count_together([*streams.values()])
    return {path: stream.lines() for path, stream in streams.items()}


def checked_text_file(
    path: str | PathLike[str],
) -> tuple[tuple[str, ...] | None, list[InputError]]:
    """Return the segments of a text, or None and everything that is wrong with its lines.

    Of a table or a set of segments that is the first thing; see `read_text_file`.
    """
    named = text_part(fspath(path))
    return _checked(ByteSource(named.path), named)


def _checked(
    source: ByteSource, named: TextPart
) -> tuple[tuple[str, ...] | None, list[InputError]]:
    try:
        if is_table(named.path):
            return read_column(source, named.part), []
        data = b"".join(line_blocks(source.chunks(), name=source.name))
        faults = [
            InputError(problem.reason, where=f"{source.name}:{problem.line}")
            for problem in problems(data)
        ]
        return (None, faults) if faults else (_segments(data, source.name, named), [])
    except InputError as error:
        return None, [error]


class TextStream(LineStream):
    """A text in a file of any size: checked as a whole, then read some lines at a time.

    `FILE#PART` is as in `read_text_file`, whose errors these are.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._named = text_part(fspath(path))
        super().__init__(self._named.path)
        self.name = display_name(fspath(path))

    @cached_property
    def is_set(self) -> bool:
        """Whether the file is a set of segments, which is read as a whole."""
        if is_table(self._named.path):
            return False
        start = next(self.source.chunks(again=True), b"").decode(errors="replace")
        return is_sgm(start) or _is_called_set(self._named.path)

    def counting(self) -> Iterator[int]:
        """Yield how many segments there are so far; what is wrong with any is an `InputError` at the end."""
        if self.is_set:
            yield len(self.lines())
        elif is_table(self._named.path):
            count = self.size = 0
            for segments in self._pieces():
                count += len(segments)
                self.size += sum(map(len, segments))
                yield count
        else:
            yield from super().counting()
            _refuse_part(self.source.name, self._named)

    def lines(self) -> tuple[str, ...]:
        """Return the whole text."""
        next(self.source.chunks(again=True), None)  # keeps aside what can be read only once
        lines, faults = _checked(self.source, self._named)
        if lines is None:
            raise faults[0]
        return lines

    def _pieces(self) -> Iterator[tuple[str, ...]]:
        if self.is_set:
            return iter((self.lines(),))
        if is_table(self._named.path):
            return column_blocks(self.source, self._named.part, again=True)
        return super()._pieces()


def _is_called_set(path: str) -> bool:
    return format_suffix(path) in _SUFFIXES


def _segments(data: bytes, name: str, named: TextPart) -> tuple[str, ...]:
    """Return what a text holds that is not a table."""
    text = data.decode()
    if is_sgm(text):
        return read_sgm(text, name=name, part=named.part)
    if _is_called_set(named.path):
        raise InputError(
            "is no set of segments, as its name says; it must begin with <srcset>, <refset> or <tstset>",
            where=f"{name}:1",
        )
    _refuse_part(name, named)
    return split_lines(data)


def _refuse_part(name: str, named: TextPart) -> None:
    if named.part is not None:
        raise InputError(
            f"is a text with one segment a line, which has no part {named.part!r}; leave it out",
            where=name,
        )


def read_column(source: ByteSource, name: str | None) -> tuple[str, ...]:
    """Return a column of a table as a text, one segment a row; a missing cell is an `InputError`.

    Tables have a header, or keys. Names of columns are as the header writes them; where none is so
    written, upper and lower case do not matter. A table of one column need not be told which.
    """
    return tuple(line for lines in column_blocks(source, name) for line in lines)


def column_blocks(
    source: ByteSource, name: str | None, *, again: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the same lines some at a time; say `again=True` beforehand if they will be read once more."""
    separator = _SEPARATORS.get(format_suffix(source.path))
    empty = True
    with opened_rows(source, separators=(separator,), again=again) as rows:
        index = _column_index(rows.columns, name, source.name)
        cells = rows.column(index)
        while batch := _next_cells(cells):
            empty = False
            yield _checked_cells(batch, rows.columns[index], source.name)
    if empty:
        raise InputError("has no row below its header", where=source.name)


def _next_cells(cells: Iterator[tuple[int, object]]) -> list[tuple[int, object]]:
    """Return the next cells: as many as are looked at together, or fewer long ones."""
    some = []
    characters = 0
    for row, cell in islice(cells, _ROWS):
        some.append((row, cell))
        characters += len(cell) if isinstance(cell, str) else 0
        if characters >= _CHARACTERS:
            break
    return some


def _checked_cells(cells: Sequence[tuple[int, object]], column: str, where: str) -> tuple[str, ...]:
    """Return cells, which must be lines of a text, without their rows."""
    lines: tuple[Any, ...] = tuple(cell for _, cell in cells)
    try:
        check_lines(lines, where=where)
    except InputError:
        for row, cell in cells:
            _check_cell(cell, column, f"{where}:{row}")
        raise
    return lines


def _check_cell(cell: object, column: str, where: str) -> None:
    if cell is None:
        raise InputError(
            f"has no text in the column {column}; fill it, with '' for no words", where=where
        )
    if not isinstance(cell, str):
        raise InputError(
            f"has {shown(cell)}, which is not a text, in the column {column}; write it as text",
            where=where,
        )
    check_cell(cell, where=where)


def _column_index(columns: Sequence[str], wanted: str | None, where: str) -> int:
    """Return the index of a column, which a table of one column need not name."""
    if not columns:
        raise InputError(
            "is a table without a column; name its columns in the first line", where=where
        )
    if wanted is not None:
        return column_index(columns, wanted, where=where)
    if len(columns) > 1:
        raise InputError(
            f"is a table with the columns {', '.join(columns)}; choose one, such as {where}#{columns[0]}",
            where=where,
        )
    return 0


class ColumnSource(ByteSource):
    """A column of a table, each cell a line; `FILE#NAME` says which where there are several."""

    def __init__(self, path: str) -> None:
        named = text_part(path)
        super().__init__(named.path)
        self._part = named.part

    def chunks(self, *, again: bool = False) -> Iterator[bytes]:
        """Yield the lines in pieces; what is not a text is an `InputError` with its row."""
        for lines in column_blocks(ByteSource(self.path), self._part, again=again):
            yield "".join(f"{line}\n" for line in lines).encode()


def source_of_lines(source: ByteSource) -> ByteSource:
    """Return what yields the lines of a file: itself, or of a table its column."""
    return ColumnSource(source.path) if is_only_table(text_part(source.path).path) else source
