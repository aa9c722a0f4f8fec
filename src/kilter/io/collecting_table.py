"""Tables of TOML files of which all faults are wanted, not only the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from kilter.core.errors import InputError
from kilter.io.toml_table import REQUIRED, TomlTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
