"""Names of systems as judgment files write them, and the names of the outputs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, Setting
from kilter.core.language import same_pair

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray

    from kilter.io.table import DataTable

_FILE_PREFIX = re.compile(r"[a-z]+[0-9]{4}\.[a-z]{2,3}-[a-z]{2,3}\.")


class SystemNames:
    """Numbers systems as they come; knows the outputs' names to recognise longer ways to write them."""

    def __init__(self, known: Container[str] = ()) -> None:
        self.known = known
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every system met so far."""
        return tuple(self._numbers)

    def members(self, written: str) -> tuple[str, ...]:
        """Return the systems behind a name: several where identical outputs were judged as one.

        `newstest2013.de-en.online-A` is `online-A`, and `a+b` or `a,b` are a and b, if there are
        outputs of these names and none of the longer one.

        >>> SystemNames(["online-A", "b"]).members("newstest2013.de-en.online-A+b")
        ('online-A', 'b')
        """
        if written in self.known:
            return (written,)
        plain = _without_prefix(written)
        if plain in self.known:
            return (plain,)
        for separator in (",", "+"):
            parts = [_without_prefix(part) for part in written.split(separator)]
            if len(parts) > 1 and all(part in self.known for part in parts):
                return tuple(dict.fromkeys(parts))
        return (written,)

    def number(self, name: str) -> int:
        """Return the number of a system."""
        return self._numbers.setdefault(name, len(self._numbers))

    def column(self, written: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the numbers behind each name of a column."""
        known = {
            name: tuple(self.number(member) for member in self.members(name))
            for name in dict.fromkeys(written)
        }
        return [known[name] for name in written]

    def single(self, written: Sequence[str]) -> NDArray[np.int64]:
        """Return the number behind each name of a column that names one system a row."""
        return np.array([numbers[0] for numbers in self.column(written)], dtype=np.int64)


def _without_prefix(written: str) -> str:
    return _FILE_PREFIX.sub("", written, count=1)


def rows_of_pair(table: DataTable, pair: str | None) -> NDArray[np.bool_]:
    """Return which rows belong to a pair such as `Czech-English` or `cs-en`; every row if there is only one.

    The columns `srclang` and `trglang`, or `lp`, say which pair a row belongs to. A table without
    them is of one pair.
    """
    written = _written(table)
    if written is None:
        if pair is not None:
            raise InputError(
                f"does not say what language pair a row belongs to, so that {pair} cannot be chosen; "
                "leave the choice out",
                where=table.name,
            )
        return np.ones(len(table), dtype=np.bool_)
    there = list(dict.fromkeys(written))
    if pair is None:
        if len(there) > 1:
            raise InputError(
                f"holds several language pairs: {', '.join(there)}; choose one, such as",
                where=table.name,
                advice=Setting("pair", there[0]),
            )
        return np.ones(len(table), dtype=np.bool_)
    meant = {name for name in there if name.lower() == pair.lower()}
    meant = meant or {name for name in there if same_pair(name, pair)}
    rows = np.array([name in meant for name in written], dtype=np.bool_)
    if not rows.any():
        raise InputError(f"has no judgment of {pair}; it has {', '.join(there)}", where=table.name)
    return rows


def names_pairs(table: DataTable) -> bool:
    """Return whether a table says which language pair each row belongs to."""
    return _written(table) is not None


def _written(table: DataTable) -> list[str] | None:
    if "srclang" in table.columns and "trglang" in table.columns:
        both = zip(table.columns["srclang"], table.columns["trglang"], strict=True)
        return [f"{source}-{target}" for source, target in both]
    column = table.find("lp", "pair")
    return None if column is None else list(table.columns[column])


SEGMENT_NAMES = ("segment", "seg", "sid", "seg_id", "segmentid")
SYSTEM_NAMES = ("system", "sys")
