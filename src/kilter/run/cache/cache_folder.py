"""A folder that keeps what aligners and parsers made, for other runs and other processes."""

from __future__ import annotations

import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, KilterWarning
from kilter.io.cache_rows import SUFFIX, CacheRows, read_cache_rows, read_maker, write_cache_rows
from kilter.io.output import make_folder
from kilter.io.stream import exists, is_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Make = Callable[[NDArray[np.int64]], CacheRows]

MOST_FILES = 32
"""Files of a maker before they are joined into one."""
_ATTEMPTS = 10
"""How often files may vanish while they are read, because another process joins them."""
SECONDS_OF_A_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedMaker:
    """What a folder keeps of a maker: keys, files, bytes, and the seconds since the last was written."""

    kind: str
    maker: str
    entries: int
    files: int
    size: int
    age: float

    @property
    def name(self) -> str:
        """The maker's name without its options."""
        return self.maker.partition("(")[0].partition(" ")[0]


class CacheFolder:
    """Files of rows by key. Every process adds files of its own, and nobody changes one.

    A file appears when it is whole. Processes that make the same at once write the same file, or
    the same rows twice, which does no harm. Nothing of the texts is in it but digests, labels and tags.
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        if not path:
            raise InputError("the name of the cache is empty; name a folder")
        if exists(path) and not is_folder(path):
            raise InputError("is a file; name a folder for the cache", where=path)

    def rows(self, kind: str, maker: str, *, columns: int, named: int) -> CacheRows | None:
        """Return all that is kept of a maker, if there is anything."""
        folder = self._folder(kind, maker)
        for _ in range(_ATTEMPTS):
            with suppress(FileNotFoundError):
                found = [
                    read_cache_rows(path, maker, columns=columns, named=named)
                    for path in _files(folder)
                ]
                return CacheRows.joined(found) if found else None
        raise InputError("files vanish while they are read; try again", where=str(folder))

    def add(self, kind: str, maker: str, rows: CacheRows) -> None:
        """Keep rows; where that cannot be, say so: what was made is right all the same."""
        folder = self._folder(kind, maker)
        try:
            make_folder(folder)
            write_cache_rows(folder, maker, rows)
            self._join(folder, maker, columns=rows.values.shape[1], named=rows.named)
        except InputError as error:
            told = f"{error}; results are right, but nothing new is kept for the next run"
            warnings.warn(KilterWarning(told), stacklevel=2)

    def makers(self) -> list[CachedMaker]:
        """Return what is kept, by kind and maker; a damaged file is a maker of its own."""
        found: dict[tuple[str, str], list[tuple[int, Path]]] = {}
        for path in self.files():
            kind = path.parent.name.partition("-")[0]
            try:
                maker, entries = read_maker(path)
            except FileNotFoundError:
                continue
            except InputError:
                kind, maker, entries = "damaged", str(path), 0
            found.setdefault((kind, maker), []).append((entries, path))
        return [_described(*named, files) for named, files in sorted(found.items())]

    def clear(self, *, maker: str | None = None, days: float | None = None) -> list[Path]:
        """Remove files and return them: all, or those of a maker's name, or those older than so many days."""
        removed = []
        for path in self.files():
            try:
                old = time.time() - path.stat().st_mtime
                if days is not None and old < days * SECONDS_OF_A_DAY:
                    continue
                if maker is not None and not self._is_of(path, maker):
                    continue
                path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise InputError(f"cannot be removed: {error.strerror}", where=str(path)) from None
            removed.append(path)
        for folder in {path.parent for path in removed}:
            with suppress(OSError):  # another process may have added something
                folder.rmdir()
        return removed

    def files(self) -> list[Path]:
        """Return the files of the cache; whatever else is in the folder is left alone."""
        if not is_folder(self.path):
            raise InputError("there is no such folder", where=str(self.path))
        return [path for folder in sorted(self.path.iterdir()) for path in _files(folder)]

    def _is_of(self, path: Path, name: str) -> bool:
        try:
            maker = read_maker(path)[0]
        except InputError:
            return False
        return maker.partition("(")[0].partition(" ")[0] == name

    def _folder(self, kind: str, maker: str) -> Path:
        return self.path / f"{kind}-{sha256(maker.encode()).hexdigest()[:16]}"

    def _join(self, folder: Path, maker: str, *, columns: int, named: int) -> None:
        """Join the files of a maker when they are many, each key once."""
        paths = list(_files(folder))
        if len(paths) <= MOST_FILES:
            return
        try:
            parts = [read_cache_rows(path, maker, columns=columns, named=named) for path in paths]
        except FileNotFoundError:
            return  # another process is at it
        written = write_cache_rows(folder, maker, distinct(CacheRows.joined(parts)))
        for path in paths:
            if path != written:
                path.unlink(missing_ok=True)


def cache_folder(path: str | None) -> CacheFolder | None:
    """Return the folder of a cache, where one is named."""
    return None if path is None else CacheFolder(path)


def distinct(rows: CacheRows) -> CacheRows:
    """Return every key once, where it stands first."""
    places = dict(zip(reversed(rows.keys), reversed(range(len(rows))), strict=True))
    return rows.chosen(np.array(sorted(places.values()), dtype=np.int64))


def _files(folder: Path) -> Iterator[Path]:
    if is_folder(folder):
        yield from sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)


def _described(kind: str, maker: str, files: list[tuple[int, Path]]) -> CachedMaker:
    stats = [path.stat() for _, path in files if path.exists()]
    return CachedMaker(
        kind=kind,
        maker=maker,
        entries=sum(entries for entries, _ in files),
        files=len(files),
        size=sum(each.st_size for each in stats),
        age=max(0.0, time.time() - max((each.st_mtime for each in stats), default=time.time())),
    )


class Keep:
    """Rows by key, of one maker: in memory, and in a folder if there is one."""

    def __init__(
        self, kind: str, maker: str, folder: CacheFolder | None, *, columns: int, named: int = 0
    ) -> None:
        self._kind, self._maker, self._folder = kind, maker, folder
        self._columns, self._named = columns, named
        self._rows: CacheRows | None = None
        self._places: dict[bytes, int] = {}

    def rows(self, keys: Sequence[bytes], make: Make) -> CacheRows:
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

    def _known(self) -> CacheRows:
        if self._rows is None:
            kept = None
            if self._folder is not None:
                kept = self._folder.rows(
                    self._kind, self._maker, columns=self._columns, named=self._named
                )
            self._rows = kept or CacheRows.empty(self._columns, self._named)
            self._places = {key: place for place, key in enumerate(self._rows.keys)}
        return self._rows

    def _added(self, known: CacheRows, made: CacheRows) -> CacheRows:
        if self._folder is not None:
            self._folder.add(self._kind, self._maker, made)
        self._places |= {key: len(known) + place for place, key in enumerate(made.keys)}
        self._rows = CacheRows.joined([known, made])
        return self._rows
