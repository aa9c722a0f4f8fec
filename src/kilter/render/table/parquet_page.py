"""Columns of a row group of Parquet as bytes: pages of bits and dictionaries, without compression."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.render.table.thrift import Field, integer, struct, varint
from kilter.render.table.writer import lacks_numbers

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from kilter.render.table.writer import Column

    EncodedColumn: TypeAlias = "Column | RepeatedText"

PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
"""Encodings, as the format numbers them."""
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_NULL_LIST, _EMPTY_LIST, _ELEMENT = 0, 1, 3
"""How much of a column of lists is there: its definition levels."""


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedText:
    """A column of texts of which few are different: these, and which of them stands in each row."""

    words: list[str]
    places: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.places)

    def listed(self) -> list[str]:
        """Return the text of each row."""
        texts: list[str] = np.array(self.words, dtype=object)[self.places].tolist()
        return texts


class ColumnKind(Enum):
    """What a column holds: the number of its physical type, and how its values are stored."""

    FLAG = (0, "?")
    INTEGER32 = (1, "<i4")
    INTEGER64 = (2, "<i8")
    FLOAT = (5, "<f8")
    TEXT = (6, "O")
    LIST = (1, "<i4 of lists")

    @property
    def physical(self) -> int:
        """The number of the physical type."""
        return self.value[0]

    @classmethod
    def of(cls, like: EncodedColumn) -> ColumnKind:
        """Return the kind of a column; one of texts is a list, or holds repeated ones."""
        if isinstance(like, tuple):
            return cls.LIST
        if isinstance(like, (list, RepeatedText)):
            return cls.TEXT
        return {
            np.dtype(np.bool_): cls.FLAG,
            np.dtype(np.int32): cls.INTEGER32,
            np.dtype(np.int64): cls.INTEGER64,
            np.dtype(np.float64): cls.FLOAT,
        }[like.dtype]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChunk:
    """A column of a row group: pages one after another."""

    content: bytes
    entries: int
    """How many values there are, missing ones among them; an empty list counts as one."""
    dictionary: int
    """How many bytes of the content are the page of different values; 0 if there is none."""


def encoded_column(column: EncodedColumn, kind: ColumnKind, *, list_base: int = 1) -> ColumnChunk:
    """Return the pages of a column; what is None in a list, or no number in an array, is null.

    Values that repeat are stored once, and with each row the few bits that say which it is. Bits of orders
    and of places in a dictionary hardly shrink by compression, which takes longer than all the rest.
    """
    if kind is ColumnKind.LIST:
        return _list_chunk(column, list_base)
    levels, values, rows = _present(column)
    if isinstance(values, RepeatedText):
        return _chunk(levels, _named(_plain(values.words), len(values.words), values.places), rows)
    if kind is ColumnKind.TEXT:
        return _chunk(levels, _texts(values), rows)
    numbers = np.asarray(values, dtype=kind.value[1])
    if kind is ColumnKind.FLAG:
        return _chunk(levels, _Values((np.packbits(numbers, bitorder="little"),)), rows)
    return _chunk(levels, _numbers(numbers), rows)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a data page in pieces, and the dictionary that they refer to, of so many values."""

    body: tuple[Any, ...]
    dictionary: bytes | None = None
    distinct: int = 0


def _present(column: Any) -> tuple[bytes, Any, int]:
    """Return the levels of a column, its values that are not missing, and the number of its rows."""
    rows = len(column)
    if isinstance(column, list):
        present = np.fromiter((value is not None for value in column), np.bool_, rows)
        if not present.all():
            return _bit_levels(present), [value for value in column if value is not None], rows
    elif lacks_numbers(column):
        present = ~np.isnan(column)
        return _bit_levels(present), column[present], rows
    return _same_level(1, rows), column, rows


def _numbers(values: NDArray[Any]) -> _Values:
    """Return numbers once each, unless too few of them repeat."""
    wide = values.astype(np.int64) if values.itemsize < 8 else values
    found = _core.distinct_values(np.ascontiguousarray(wide).view(np.uint64), len(values) // 2)
    if found is None:
        return _Values((values.tobytes(),))
    distinct, places = found
    dictionary = distinct.view(wide.dtype).astype(values.dtype).tobytes()
    return _named(dictionary, len(distinct), places)


def _texts(values: list[str]) -> _Values:
    """Return texts once each, unless too few of them repeat."""
    places: dict[str, int] = {}
    named = np.fromiter((places.setdefault(text, len(places)) for text in values), np.int32)
    if len(places) > len(values) // 2:
        return _Values((_plain(values),))
    return _named(_plain([*places]), len(places), named)


def _plain(texts: list[str]) -> bytes:
    encoded = [text.encode() for text in texts]
    return b"".join(
        chain.from_iterable((len(text).to_bytes(4, "little"), text) for text in encoded)
    )


def _named(dictionary: bytes, distinct: int, places: NDArray[np.int32]) -> _Values:
    """Return places in a dictionary; of one value alone they are one run."""
    if distinct <= 1:
        return _Values((b"\x01", _run(0, len(places))), dictionary, distinct)
    width = (distinct - 1).bit_length()
    return _Values((bytes([width]), *_bits(places, width)), dictionary, distinct)


def _list_chunk(column: Any, base: int) -> ColumnChunk:
    """Return a column of lists of numbers from `base` on, each of which is its own place in a dictionary."""
    values, offsets, missing = _flat(column, base)
    lengths = np.diff(offsets)
    most = int(values.max(initial=0)) + 1
    if values.min(initial=0) < 0 or 2 * most > values.size:  # no orders, or a single long one
        found = _Values(((values + np.int32(base)).astype("<i4").tobytes(),))
    else:
        named = np.arange(base, base + most, dtype="<i4")
        found = _named(named.tobytes(), most, values)
    if missing is None and lengths.all():
        first = np.ones(len(values), dtype=np.bool_)
        first[offsets[:-1]] = False
        return _chunk(_bit_levels(first) + _same_level(_ELEMENT, len(values)), found, len(values))
    entries = np.maximum(lengths, 1)
    starts = np.cumsum(entries) - entries
    repeated = np.ones(int(entries.sum()), dtype=np.bool_)
    repeated[starts] = False
    there = np.full(len(repeated), _ELEMENT, dtype=np.int32)
    there[starts[lengths == 0]] = _EMPTY_LIST
    if missing is not None:
        there[starts[missing]] = _NULL_LIST
    levels = _bit_levels(repeated) + _sized(b"".join(_bits(there, 2)))
    return _chunk(levels, found, len(repeated))


def _flat(column: Any, base: int) -> tuple[NDArray[np.int32], NDArray[np.int64], Any]:
    """Return values from zero, offsets, and which rows are missing, None if no row is."""
    if isinstance(column, tuple):
        return column[0], column[1], None
    missing = np.fromiter((row is None for row in column), np.bool_, len(column))
    offsets = np.zeros(len(column) + 1, dtype=np.int64)
    np.cumsum([len(row or ()) for row in column], out=offsets[1:])
    values = np.fromiter(chain.from_iterable(row or () for row in column), np.int32, offsets[-1])
    return values - np.int32(base), offsets, missing


def _chunk(levels: bytes, values: _Values, entries: int) -> ColumnChunk:
    """Return both pages, or one; what is large is copied once, here."""
    dictionary = b""
    encoding = PLAIN
    if values.dictionary is not None:
        header = struct((1, integer(values.distinct)), (2, integer(PLAIN)))
        size = len(values.dictionary)
        dictionary = _page_header(_DICTIONARY_PAGE, size, (7, header)) + values.dictionary
        encoding = RLE_DICTIONARY
    header = struct(
        (1, integer(entries)), (2, integer(encoding)), (3, integer(RLE)), (4, integer(RLE))
    )
    body = (levels, *values.body)
    page = _page_header(_DATA_PAGE, sum(map(len, body)), (5, header))
    content = b"".join((dictionary, page, *body))
    return ColumnChunk(content=content, entries=entries, dictionary=len(dictionary))


def _page_header(kind: int, size: int, header: Field) -> bytes:
    sized = integer(size)
    return struct((1, integer(kind)), (2, sized), (3, sized), header).content


def _same_level(level: int, rows: int) -> bytes:
    return _sized(_run(level, rows))


def _bit_levels(levels: NDArray[np.bool_]) -> bytes:
    return _sized(_groups(len(levels)) + np.packbits(levels, bitorder="little").tobytes())


def _sized(body: bytes) -> bytes:
    return len(body).to_bytes(4, "little") + body


def _run(value: int, times: int) -> bytes:
    """Return a value of at most eight bits so many times."""
    return varint(times << 1) + bytes([value])


def _bits(numbers: NDArray[np.int32], width: int) -> tuple[Any, ...]:
    """Return numbers of `width` bits each, packed, in two pieces."""
    return _groups(len(numbers)), _core.pack_bits(numbers, width)


def _groups(numbers: int) -> bytes:
    """Return what stands before packed numbers: how many groups of eight there are."""
    return varint((numbers + 7) // 8 << 1 | 1)
