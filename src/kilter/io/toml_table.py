"""Tables of TOML files, read with their place so that every fault names it."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from kilter.core.errors import InputError
from kilter.io.stream import ByteSource
from kilter.io.text import problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

REQUIRED: Any = object()
"""Stands for a default where there is none, whatever the kind of the entry."""
_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class TomlTable:
    """The entries of one table; each is taken once, and `finish` refuses what nobody took."""

    def __init__(self, entries: Mapping[str, object], *, where: str) -> None:
        self._entries = entries
        self._taken: dict[str, None] = {}
        self.where = where

    def copy(self) -> TomlTable:
        """Return the same table; what is taken from one is not taken from the other."""
        made = TomlTable(self._entries, where=self.where)
        made._taken |= self._taken
        return made

    def error(self, message: str) -> InputError:
        """Return an error at this place."""
        return InputError(message, where=self.where)

    @property
    def entries(self) -> Mapping[str, object]:
        """Everything in the table, as it was read."""
        return self._entries

    def refuse(self, message: str, *_keys: str) -> None:
        """Raise an error at this place about what entries say together."""
        raise self.error(message)

    def _below(self, entries: Mapping[str, object], where: str) -> TomlTable:
        return TomlTable(entries, where=where)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def take(self, key: str, kind: type | tuple[type, ...], default: object = REQUIRED) -> Any:
        """Return an entry of this type, or the default."""
        self._taken[key] = None
        value = self._entries.get(key, default)
        if value is REQUIRED:
            raise self.error(f"{key} is missing; add it")
        kinds = kind if isinstance(kind, tuple) else (kind,)
        # Python counts true and false among whole numbers; TOML does not.
        is_number = isinstance(value, bool) and bool not in kinds
        if key in self._entries and (not isinstance(value, kind) or is_number):
            names = [name for name in kinds if not (name is int and float in kinds)]
            wanted = " or ".join(_NAMES[name] for name in names)
            raise self.error(f"{key} is {value!r}; it must be {wanted}")
        return value

    def text(self, key: str, default: object = REQUIRED) -> str:
        """Return a text that is not empty."""
        value: str = self.take(key, str, default)
        if key in self._entries and not value.strip():
            raise self.error(f"{key} is empty; write something")
        return value

    def whole(
        self, key: str, default: object = REQUIRED, *, low: int = 0, high: int = 10**6
    ) -> int:
        """Return a whole number between two bounds."""
        value: int = self.take(key, int, default)
        if key in self._entries and not low <= value <= high:
            raise self.error(f"{key} is {value}; it must lie between {low} and {high}")
        return value

    def real(
        self, key: str, default: object = REQUIRED, *, low: float = 0.0, high: float = 1.0
    ) -> float:
        """Return a number between two bounds."""
        value: float = self.take(key, (float, int), default)
        if key in self._entries and not low <= value <= high:
            bounds = (
                f"lie between {low:g} and {high:g}" if isfinite(high) else f"be at least {low:g}"
            )
            raise self.error(f"{key} is {value}; it must {bounds}")
        return float(value)

    def flag(self, key: str, *, default: object = REQUIRED) -> bool:
        """Return true or false."""
        return bool(self.take(key, bool, default))

    def one_of(self, key: str, allowed: Iterable[str], default: object = REQUIRED) -> str:
        """Return one of a few words."""
        value = self.text(key, default)
        listed = [str(word) for word in allowed]
        if key in self._entries and value not in listed:
            raise self.error(f"{key} is {value!r}; it can be {', '.join(listed)}")
        return value

    def texts(self, key: str, default: Iterable[str] = REQUIRED) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.take(key, list, default)
        if value is default:
            return tuple(default)
        if not all(isinstance(entry, str) and entry.strip() for entry in value):
            raise self.error(f"{key} must be a list of texts")
        return tuple(value)

    def words(
        self,
        key: str,
        default: Iterable[str] = REQUIRED,
        *,
        wanted: str = "a text or a list of texts",
    ) -> tuple[str, ...]:
        """Return one text or more, written as a text or as a list; `wanted` says what they are."""
        self._taken[key] = None
        if key not in self._entries and default is not REQUIRED:
            return tuple(default)
        value = self._entries.get(key)
        listed = [value] if isinstance(value, str) else value
        if (
            not isinstance(listed, list)
            or not listed
            or not all(isinstance(entry, str) and entry.strip() for entry in listed)
        ):
            is_what = f"is {value!r}" if key in self._entries else "is missing"
            raise self.error(f"{key} {is_what}; it must be {wanted}")
        return tuple(listed)

    def table(self, key: str, *, wanted: str = _NAMES[dict]) -> TomlTable:
        """Return a table inside this one; a missing one is empty. `wanted` says what it should be."""
        entries = self.take(key, object, {})
        if not isinstance(entries, dict):
            raise self.error(f"{key} is {entries!r}; it must be {wanted}")
        return self._below(entries, f"{self.where}: [{key}]")

    def named_tables(self, key: str) -> dict[str, TomlTable]:
        """Return the tables [key.NAME] by name; there may be none."""
        entries = self.take(key, dict, {})
        for name, entry in entries.items():
            if not isinstance(entry, dict):
                raise self.error(f"{key}.{name} is {entry!r}; write a table [{key}.{name}]")
        return {
            name: self._below(entry, f"{self.where}: [{key}.{name}]")
            for name, entry in entries.items()
        }

    def tables(
        self, key: str, name: Callable[[int, Mapping[str, Any]], str] | None = None
    ) -> list[TomlTable]:
        """Return a list of tables; a missing one is empty.

        Messages call each by its number, from 1, or by what `name` makes of number and entries.
        """
        entries = self.take(key, list, [])
        if not all(isinstance(entry, dict) for entry in entries):
            raise self.error(f"{key} must be tables; write [[{key}]] before each")
        called = name or (lambda number, _: f"[[{key}]] {number}")
        return [
            self._below(entry, f"{self.where}: {called(number, entry)}")
            for number, entry in enumerate(entries, start=1)
        ]

    def names(self) -> list[str]:
        """Return the names of all entries."""
        return list(self._entries)

    def finish(self) -> None:
        """Refuse entries that nobody asked for."""
        self.allow(self._taken)

    def allow(self, known: Iterable[str]) -> None:
        """Refuse entries of other names, and say which are near."""
        listed = list(known)
        for key in self._entries:
            if key not in listed:
                near = get_close_matches(key, listed, n=1)
                advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(listed)}"
                self.refuse(f"{key} is unknown; {advice}")


def parse_toml(text: str, *, where: str) -> TomlTable:
    """Return the table of a TOML text; what is no TOML is an `InputError`."""
    try:
        return TomlTable(tomllib.loads(text), where=where)
    except ValueError as error:  # also of numbers with more digits than Python reads
        raise InputError(f"is no TOML: {error}", where=where) from error
    except RecursionError:
        raise InputError(
            "is no TOML: more brackets inside one another than can be read", where=where
        ) from None


def read_toml(path: str | Path, *, needs: str) -> TomlTable:
    """Return the table of a TOML file; what cannot be read is an `InputError`.

    An empty file is told what it `needs`. Lines may end in a carriage return and a line feed.
    """
    return read_toml_text(path, needs=needs)[0]


def read_toml_text(path: str | Path, *, needs: str) -> tuple[TomlTable, str]:
    """Return the table of a TOML file as `read_toml` does, and its text."""
    source = ByteSource(path)
    data = source.whole().replace(b"\r\n", b"\n")
    if not data.strip():
        raise InputError(f"the file is empty; {needs}", where=source.name)
    for problem in problems(data):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    text = data.decode()
    return parse_toml(text, where=source.name), text


def read_toml_of_schema(path: Path, *, schema: str) -> TomlTable:
    """Return the table of a TOML file of one schema; what cannot be read is an `InputError`."""
    table = read_toml(path, needs=f'it begins with schema = "{schema}"')
    if table.text("schema", "") != schema:
        raise table.error(f'does not begin with schema = "{schema}"; add it, or name another file')
    return table


def inside(folder: Path, name: str, *, where: str) -> Path:
    """Return a file of a study's or project's folder; a path that leads out of it is an `InputError`."""
    pure = PurePosixPath(name)
    path = folder / pure
    if pure.is_absolute() or ".." in pure.parts or "\x00" in name or "\\" in name:
        raise InputError(f"{name!r} leads out of the folder; copy the file there", where=where)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{name!r} is a link out of the folder; copy the file", where=where)
    return path


T = TypeVar("T")


class CollectingTable(TomlTable):
    """A table that keeps its faults and those of tables inside it, and goes on with stand-ins.

    What was made of stand-ins is of no use: look at `faults` before.
    """

    def __init__(
        self, entries: Mapping[str, object], *, where: str, faults: list[InputError] | None = None
    ) -> None:
        super().__init__(entries, where=where)
        self.faults = [] if faults is None else faults
        self._faulty: set[str] = set()
        self._is_taking = False

    def _below(self, entries: Mapping[str, object], where: str) -> TomlTable:
        return CollectingTable(entries, where=where, faults=self.faults)

    def attempt(self, read: Callable[[], T], *keys: str) -> T | None:
        """Return what is read from elsewhere, or None for a fault, also of the entries that are needed.

        The first of them names what is read, and a fault is counted as its own: others may be right.
        """
        if self._faulty & {*keys}:
            return None
        try:
            return read()
        except InputError as fault:
            self.faults.append(fault)
            self._faulty |= {*keys[:1]}
            return None

    def refuse(self, message: str, *keys: str) -> None:
        """Keep a fault about what entries say together, unless one of them is at fault by itself."""
        if not self._faulty & {*keys}:
            self.faults.append(self.error(message))

    def _kept(self, key: str, stand_in: T, take: Callable[[], T]) -> T:
        if self._is_taking:  # for another entry, whose fault it is
            return take()
        self._is_taking = True
        try:
            return take()
        except InputError as fault:
            self.faults.append(fault)
            self._faulty.add(key)
            return stand_in
        finally:
            self._is_taking = False

    def text(self, key: str, default: object = REQUIRED) -> str:
        """Return a text that is not empty, which an empty one stands in for."""
        return self._kept(key, "", lambda: super(CollectingTable, self).text(key, default))

    def whole(
        self, key: str, default: object = REQUIRED, *, low: int = 0, high: int = 10**6
    ) -> int:
        """Return a whole number between two bounds; the lower one stands in for another."""
        return self._kept(
            key,
            low,
            lambda: super(CollectingTable, self).whole(key, default, low=low, high=high),
        )

    def flag(self, key: str, *, default: object = REQUIRED) -> bool:
        """Return true or false; false stands in for anything else."""
        return self._kept(
            key, bool(0), lambda: super(CollectingTable, self).flag(key, default=default)
        )

    def one_of(self, key: str, allowed: Iterable[str], default: object = REQUIRED) -> str:
        """Return one of a few words; the first stands in for another."""
        words = [*map(str, allowed)]
        return self._kept(
            key, words[0], lambda: super(CollectingTable, self).one_of(key, words, default)
        )

    def texts(self, key: str, default: Iterable[str] = REQUIRED) -> tuple[str, ...]:
        """Return a list of texts; none stand in for others."""
        return self._kept(key, (), lambda: super(CollectingTable, self).texts(key, default))

    def table(self, key: str, *, wanted: str = "a table") -> TomlTable:
        """Return a table inside this one; an empty one stands in for another."""
        return self._kept(
            key,
            self._below({}, f"{self.where}: [{key}]"),
            lambda: super(CollectingTable, self).table(key, wanted=wanted),
        )

    def tables(
        self, key: str, name: Callable[[int, Mapping[str, Any]], str] | None = None
    ) -> list[TomlTable]:
        """Return a list of tables; none stand in for others."""
        return self._kept(key, [], lambda: super(CollectingTable, self).tables(key, name))
