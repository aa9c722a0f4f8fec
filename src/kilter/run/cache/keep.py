"""What a maker said about segments: made once for equal segments, and kept if there is a cache."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.io.kept_rows import KeptRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.run.cache.cache_folder import CacheFolder

    Make = Callable[[NDArray[np.int64]], KeptRows]


class Keep:
    """Rows by key, of one maker: in memory, and in a folder if there is one."""

    def __init__(
        self, kind: str, maker: str, folder: CacheFolder | None, *, columns: int, named: int = 0
    ) -> None:
        self._kind, self._maker, self._folder = kind, maker, folder
        self._columns, self._named = columns, named
        self._rows: KeptRows | None = None
        self._places: dict[bytes, int] = {}

    def rows(self, keys: Sequence[bytes], make: Make) -> KeptRows:
        """Return the rows of these keys; `make` is asked once for all that nobody made before.

        It takes places in `keys`, one for each missing key, and returns the rows of each, in this order.
        """
        known = self._known()
        missing: dict[bytes, int] = {}
        for place, key in enumerate(keys):
            if key not in self._places:
                missing.setdefault(key, place)
        if missing:
            made = make(np.array([*missing.values()], dtype=np.int64))
            known = self._added(known, replace(made, keys=tuple(missing)))
        found = np.fromiter(map(self._places.__getitem__, keys), dtype=np.int64, count=len(keys))
        return known.chosen(found)

    def forget(self) -> None:
        """Forget what is in memory only, so that it does not grow with the segments of a long text."""
        if self._folder is None:
            self._rows = None
            self._places = {}

    def _known(self) -> KeptRows:
        if self._rows is None:
            kept = None
            if self._folder is not None:
                kept = self._folder.rows(
                    self._kind, self._maker, columns=self._columns, named=self._named
                )
            self._rows = kept or KeptRows.empty(self._columns, self._named)
            self._places = {key: place for place, key in enumerate(self._rows.keys)}
        return self._rows

    def _added(self, known: KeptRows, made: KeptRows) -> KeptRows:
        if self._folder is not None:
            self._folder.add(self._kind, self._maker, made)
        self._places |= {key: len(known) + place for place, key in enumerate(made.keys)}
        self._rows = KeptRows.joined([known, made])
        return self._rows
