"""Parquet whose row groups are encoded by whoever computes them: here, in a thread, on another machine."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.render.table.parquet import arrow_type, check_parquet
from kilter.render.table.parquet_page import (
    PLAIN,
    RLE,
    RLE_DICTIONARY,
    ColumnChunk,
    ColumnKind,
    encoded_column,
)
from kilter.render.table.thrift import Value, integer, listed, long, struct, text
from kilter.render.table.writer import TableWriter, cell_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO, TextIO

    from kilter.render.table.parquet_page import EncodedColumn
    from kilter.render.table.writer import Column

_MAGIC = b"PAR1"
_FORMAT = 2
_OPTIONAL, _REPEATED = 1, 2
_UTF8, _LIST = (0, 1), (3, 3)
"""What a physical type stands for: the number of the older annotation, and of the newer one."""
_UNCOMPRESSED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedRows:
    """Some rows of a table, every column encoded."""

    rows: int
    columns: tuple[ColumnChunk, ...]


@dataclass(frozen=True, kw_only=True)
class ParquetForm:
    """Names and kinds of the columns of a table."""

    names: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    list_base: int

    def encoded(self, columns: Mapping[str, EncodedColumn]) -> EncodedRows:
        """Return columns as a row group."""
        return EncodedRows(
            rows=_row_count(columns[self.names[0]]),
            columns=tuple(
                encoded_column(columns[name], kind, list_base=self.list_base)
                for name, kind in zip(self.names, self.kinds, strict=True)
            ),
        )


class EncodedParquetWriter(TableWriter):
    """A Parquet file with a row group for each block: memory does not grow with the rows.

    Types of columns are those of `like`, columns of no rows; a list there is one of texts.
    """

    def __init__(
        self,
        out: TextIO,
        names: Sequence[str],
        *,
        header: Mapping[str, object],
        like: Mapping[str, EncodedColumn],
    ) -> None:
        super().__init__(out, names, header=header)
        self._like = like
        self._groups: list[Value] = []
        self._rows = 0
        self._place = len(_MAGIC)

    @property
    def form(self) -> ParquetForm:
        """How blocks are encoded, by whomever it is done."""
        kinds = tuple(ColumnKind.of(self._like[name]) for name in self.names)
        return ParquetForm(names=tuple(self.names), kinds=kinds, list_base=self.list_base)

    def start(self) -> None:
        check_parquet("Parquet")
        self.out.flush()
        self._bytes: IO[bytes] = self.out.buffer
        self._bytes.write(_MAGIC)

    def rows(self, columns: Mapping[str, EncodedColumn]) -> None:
        self.write(self.form.encoded(columns))

    def write(self, group: EncodedRows) -> None:
        """Write a row group, if it has any row."""
        if not group.rows:
            return
        described = []
        for name, kind, chunk in zip(self.names, self.form.kinds, group.columns, strict=True):
            described.append(_described_chunk(name, kind, chunk, self._place))
            self._bytes.write(chunk.content)
            self._place += len(chunk.content)
        size = sum(len(chunk.content) for chunk in group.columns)
        self._groups.append(struct((1, listed(described)), (2, long(size)), (3, long(group.rows))))
        self._rows += group.rows

    def end(self) -> None:
        import pyarrow as pa

        # pyarrow returns the very types that are written, lists of many values among them.
        types = pa.schema([(name, arrow_type(self._like[name])) for name in self.names])
        known = b64encode(types.serialize()).decode()
        described = struct(
            (1, integer(_FORMAT)),
            (2, listed(self._schema())),
            (3, long(self._rows)),
            (4, listed(self._groups, of=struct())),
            (5, listed([struct((1, text("ARROW:schema")), (2, text(known)))])),
            (6, text(f"kilter version {__version__}")),
        ).content
        self._bytes.write(described + len(described).to_bytes(4, "little") + _MAGIC)

    def _schema(self) -> list[Value]:
        root = struct((4, text("schema")), (5, integer(len(self.names))))
        described = [root]
        for name, kind in zip(self.names, self.form.kinds, strict=True):
            described += _described_column(name, kind)
        return described

    def cell(self, value: object) -> str:
        return cell_text(value)

    def literals(self, columns: Sequence[Column]) -> list[str]:
        return [""] * (len(columns) + 1)


def _row_count(column: EncodedColumn) -> int:
    return len(column[1]) - 1 if isinstance(column, tuple) else len(column)


def _described_column(name: str, kind: ColumnKind) -> list[Value]:
    """Return what the schema says of a column, every value of which may be missing."""
    optional = (3, integer(_OPTIONAL))
    if kind is ColumnKind.LIST:
        one = (5, integer(1))
        return [
            struct(optional, (4, text(name)), one, *_stands_for(_LIST)),
            struct((3, integer(_REPEATED)), (4, text("list")), one),
            struct((1, integer(kind.physical)), optional, (4, text("element"))),
        ]
    meant = _stands_for(_UTF8) if kind is ColumnKind.TEXT else ()
    return [struct((1, integer(kind.physical)), optional, (4, text(name)), *meant)]


def _stands_for(annotation: tuple[int, int]) -> tuple[tuple[int, Value], ...]:
    older, newer = annotation
    return (6, integer(older)), (10, struct((newer, struct())))


def _described_chunk(name: str, kind: ColumnKind, chunk: ColumnChunk, place: int) -> Value:
    """Return what the end of a file says of a column chunk that begins at a place."""
    encodings = (PLAIN, RLE, RLE_DICTIONARY) if chunk.dictionary else (PLAIN, RLE)
    path = (name, "list", "element") if kind is ColumnKind.LIST else (name,)
    size = long(len(chunk.content))
    found: list[tuple[int, Value]] = [
        (1, integer(kind.physical)),
        (2, listed([integer(each) for each in encodings])),
        (3, listed([text(each) for each in path])),
        (4, integer(_UNCOMPRESSED)),
        (5, long(chunk.entries)),
        (6, size),
        (7, size),
        (9, long(place + chunk.dictionary)),
    ]
    if chunk.dictionary:
        found.append((11, long(place)))
    return struct((2, long(place)), (3, struct(*found)))
