"""Results made from their types, no value of which occurs twice: a value tells where it belongs.

A cell of a table, or a leaf of a document, must stand under the name of the attribute that holds its value.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import numpy as np

from kilter.stats.undefined import Undefined

Path = tuple[str, ...]


def normal(name: str) -> str:
    """Return a title as an attribute would be called.

    >>> normal("Pearson r"), normal("never used")
    ('pearson_r', 'never_used')
    """
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


class Book:
    """Makes values and remembers where each stands.

    Numbers are multiples of 0.001 below 1 and whole numbers from 1001, so that no format for people makes two
    of them the same; texts are words without a meaning.
    """

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._floats = iter(range(1, 1000))
        self._wholes = iter(range(1001, 9999))
        self._words = iter(f"w{a}{b}{c}" for a in LETTERS for b in LETTERS for c in LETTERS)
        self.places: dict[Any, Path] = {}
        self.objects: dict[Path, Any] = {}

    def make(self, kind: Any, *path: str, **given: Any) -> Any:
        """Return a value of a type; `given` are attributes of a record that are not made."""
        if isinstance(kind, str):
            kind = eval(kind, dict(self._namespace))  # noqa: S307 - annotations of our own
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            return self._record(kind, path, given)
        if isinstance(kind, type) and issubclass(kind, Enum):
            members = list(kind)
            return members[len(self.objects) % len(members)]
        if kind is bool:
            return True
        if kind in (int, float, str):
            return self._noted(self._next(kind), path)
        return self._compound(kind, path)

    def _next(self, kind: type) -> Any:
        if kind is float:
            return next(self._floats) / 1000
        return next(self._wholes) if kind is int else next(self._words)

    def _noted(self, value: Any, path: Path) -> Any:
        self.places[value] = path
        return value

    def _record(self, kind: Any, path: Path, given: Mapping[str, Any]) -> Any:
        hints = typing.get_type_hints(kind, localns=dict(self._namespace))
        names = (
            [entry.name for entry in fields(kind) if entry.init]
            if is_dataclass(kind)
            else kind._fields
        )
        optional = {
            entry.name
            for entry in (fields(kind) if is_dataclass(kind) else ())
            if entry.default is not MISSING or entry.default_factory is not MISSING
        }
        unknown = given.keys() - set(names)
        assert not unknown, f"{kind.__name__} has no {unknown}"
        values = {}
        for name in names:
            if name in given:
                values[name] = given[name]
            elif not (name in optional and _is_opaque(hints[name])):
                values[name] = self.make(hints[name], *path, name)
        made = kind(**values)
        self.objects[path] = made
        return made

    def _compound(self, kind: Any, path: Path) -> Any:
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            (*_, chosen) = (p for p in parts[::-1] if p is not NoneType and p is not Undefined)
            return self.make(chosen, *path)
        if origin is np.ndarray:
            return np.zeros(3)
        if origin in (dict, Mapping):
            return {key: self.make(parts[1], *path, str(key)) for key in self._keys(parts[0])}
        if origin is tuple and parts[-1] is not Ellipsis:
            return tuple(self.make(part, *path, str(k)) for k, part in enumerate(parts))
        if origin in (tuple, list, Sequence):
            made = [self.make(parts[0], *path, str(k)) for k in range(2)]
            return tuple(made) if origin is tuple else made
        raise TypeError(f"no value can be made of {kind}")

    def _keys(self, kind: Any) -> Iterable[Any]:
        if isinstance(kind, type) and issubclass(kind, Enum):
            return list(kind)
        return [self._next(kind) for _ in range(2)]

    @property
    def names(self) -> set[str]:
        """Every name of an attribute that something stands under."""
        return {normal(part) for path in self.places.values() for part in path}

    def named(self, title: str, path: Path) -> bool:
        """Return whether a title is the end of a path, one part or several."""
        parts = [normal(part) for part in path if not part.isdigit() or normal(title) == part]
        wanted = normal(title)
        return any(wanted == "_".join(parts[-count:]) for count in range(1, len(parts) + 1))

    def record(self, path: Path) -> Path:
        """Return the path of the record that holds a value, however deep."""
        return max((known for known in self.objects if path[: len(known)] == known), key=len)


LETTERS = "bcdfghjklmnpqrstvwxz"


def _is_opaque(hint: Any) -> bool:
    """Return whether a default is as good as anything: settings, and what is no value."""
    return is_dataclass(hint) or hint is Any


def check_row(
    book: Book,
    columns: Sequence[str],
    cells: Sequence[Any],
    *,
    titles: Mapping[str, str],
    computed: Iterable[str] = (),
) -> None:
    """Fail if a cell holds another attribute than its column names, or that of another record.

    `titles` are attributes by columns that are called otherwise; `computed` columns hold no attribute.
    """  # fmt: skip
    assert len(columns) == len(cells)
    records: set[Path] = set()
    plain: list[tuple[str, Any]] = []
    for column, cell in zip(columns, cells, strict=True):
        if column in computed:
            continue
        found = list(values_in(book, cell))
        if not found:
            plain.append((column, cell))
        for value in found:
            path = book.places[value]
            title = titles.get(column, column)
            assert book.named(title, path), f"{column!r} holds {value}, which is {path}"
            records.add(book.record(path))
    deepest = max(records, key=len, default=())
    for record in records:
        assert deepest[: len(record)] == record, f"{columns} mix {record} and {deepest}"
    for column, cell in plain:
        _check_plain(book, deepest, normal(titles.get(column, column)), cell)


def _check_plain(book: Book, deepest: Path, name: str, cell: Any) -> None:
    """Check a cell that may occur twice, a flag or a choice, against the records that the row is about."""
    owners = [book.objects.get(deepest[:count]) for count in range(len(deepest) + 1)]
    expected = [getattr(owner, name) for owner in owners if hasattr(owner, name)]
    assert expected, f"nothing in {deepest} is called {name}; the cell is {cell!r}"
    shown = [value if isinstance(value, bool) else str(value) for value in expected]
    assert cell in shown or str(cell) in shown, f"{name} is {shown}, the cell {cell!r}"


def values_in(book: Book, cell: Any) -> Iterator[Any]:
    """Yield the values of the book that a cell holds: itself, or numbers and words in its text."""
    if isinstance(cell, bool | Enum) or cell is None:
        return
    if cell in book.places:
        yield cell
    if not isinstance(cell, str) or cell in book.places:
        return
    for text in re.findall(r"[+-]?\d+(?:\.\d+)?|\bw[a-z]{3}\b", cell):
        value = text if text.startswith("w") else float(text) if "." in text else int(text)
        if value in book.places:
            yield value


def check_document(
    book: Book, document: Any, *, aliases: Mapping[str, str], keys: tuple[str, ...] = ()
) -> int:
    """Fail if a leaf stands under another name than that of its attribute; return how many do."""
    if isinstance(document, Mapping):
        entries: Iterable[tuple[str, Any]] = ((str(key), entry) for key, entry in document.items())
        return sum(
            check_document(book, entry, aliases=aliases, keys=(*keys, key))
            for key, entry in entries
        )
    if isinstance(document, list | tuple):
        return sum(check_document(book, entry, aliases=aliases, keys=keys) for entry in document)
    if isinstance(document, bool) or document is None or document not in book.places:
        return 0
    path = book.places[document]
    key, above = ([aliases.get(k, k) for k in keys[::-1]] + ["", ""])[:2]
    assert book.named(key, path), f"{keys} holds {document}, which is {path}"
    if normal(above) in book.names:
        assert normal(above) in map(normal, path), f"{keys} holds {document}, which is {path}"
    return 1
