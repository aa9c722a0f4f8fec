"""Rows of numbers by key, and the file that keeps them between runs."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.corpus import KEY_SIZE, ragged_rows
from kilter.core.errors import InputError
from kilter.core.once import ARRAY_FILES
from kilter.core.settings import shown
from kilter.io.output import write_file
from kilter.io.stream import whole_content

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT = "kilter-cache/1"
SUFFIX = ".kept"
_ARRAYS = {"format", "maker", "keys", "values", "offsets", "names"}


@dataclass(frozen=True, slots=True, eq=False)
class CacheRows:
    """The rows of key k are `offsets[k]` to `offsets[k + 1]` of `values`.

    The last `named` numbers of a row are places in `names`.
    """

    keys: tuple[bytes, ...]
    values: NDArray[np.int32]
    offsets: NDArray[np.int64]
    names: tuple[str, ...] = ()
    named: int = 0

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def empty(cls, columns: int, named: int) -> CacheRows:
        """Return rows of so many numbers, without any yet."""
        values = np.zeros((0, columns), dtype=np.int32)
        return cls((), values, np.zeros(1, dtype=np.int64), named=named)

    def chosen(self, indices: NDArray[np.int64]) -> CacheRows:
        """Return some keys with their rows, in the order of their indices."""
        rows, offsets = ragged_rows(self.offsets, indices)
        keys = tuple(self.keys[index] for index in indices.tolist())
        return replace(self, keys=keys, values=self.values[rows], offsets=offsets)

    @classmethod
    def joined(cls, parts: Sequence[CacheRows]) -> CacheRows:
        """Return all rows of several, whose numbers of columns are alike; names are numbered anew."""
        numbers: dict[str, int] = {}
        values = []
        for part in parts:
            own = [numbers.setdefault(name, len(numbers)) for name in part.names]
            values_of_part = part.values
            if part.named and len(values_of_part):
                values_of_part = values_of_part.copy()
                values_of_part[:, -part.named :] = np.array(own, dtype=np.int32)[
                    values_of_part[:, -part.named :]
                ]
            values.append(values_of_part)
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(
            keys=tuple(key for part in parts for key in part.keys),
            values=np.concatenate(values),
            offsets=np.concatenate([[0], np.cumsum(lengths)]),
            names=tuple(numbers),
            named=parts[0].named,
        )


def write_cache_rows(folder: Path, maker: str, rows: CacheRows) -> Path:
    """Write rows into a new file of a folder and return it; the same rows always have the same name."""
    buffer = io.BytesIO()
    small = len(rows.values) == 0 or -1 <= rows.values.min() <= rows.values.max() < 1 << 15
    np.savez(
        buffer,
        format=np.array(FORMAT),
        maker=np.array(maker),
        keys=np.frombuffer(b"".join(rows.keys), dtype=np.uint8),
        values=rows.values.astype(np.int16) if small else rows.values,
        offsets=rows.offsets,
        names=np.array(rows.names, dtype=np.str_),
    )
    content = buffer.getvalue()
    path = folder / _name(content)
    write_file(path, content)
    return path


def read_maker(path: Path) -> tuple[str, int]:
    """Return who made the rows of a file, and how many keys it has."""
    arrays = _arrays(path, ("format", "maker", "offsets"))
    return str(arrays["maker"]), len(arrays["offsets"]) - 1


def read_cache_rows(path: Path, maker: str, *, columns: int, named: int) -> CacheRows:
    """Return the rows of a file; one that is damaged, or another maker's, is an `InputError`."""
    arrays = _arrays(path, sorted(_ARRAYS))
    if str(arrays["maker"]) != maker:
        raise _damaged(path, f"it holds what {shown(str(arrays['maker']))} made, not {maker}")
    keys, values, offsets, names = (arrays[name] for name in ("keys", "values", "offsets", "names"))
    sound = (
        values.ndim == 2
        and values.shape[1] == columns
        and values.dtype in (np.int16, np.int32)
        and offsets.dtype == np.int64
        and offsets.ndim == keys.ndim == names.ndim == 1
        and len(offsets) > 0
        and keys.dtype == np.uint8
        and names.dtype.kind == "U"
        and len(keys) == KEY_SIZE * (len(offsets) - 1)
        and offsets[0] == 0
        and offsets[-1] == len(values)
        and bool((np.diff(offsets) >= 0).all())
        and bool((values[:, columns - named :] >= 0).all())
        and bool((values[:, columns - named :] < len(names)).all())
    )
    if not sound:
        raise _damaged(path, "its numbers do not fit together")
    raw = keys.tobytes()
    return CacheRows(
        keys=tuple(raw[at : at + KEY_SIZE] for at in range(0, len(raw), KEY_SIZE)),
        values=values.astype(np.int32),
        offsets=offsets,
        names=tuple(names.tolist()),
        named=named,
    )


def _arrays(path: Path, names: Sequence[str]) -> dict[str, Any]:
    """Return arrays of a file; its name is the checksum of all that is in it."""
    try:
        content = whole_content(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if _name(content) != path.name:
        raise _damaged(path, "its content is cut off or was changed")
    with ARRAY_FILES, np.load(io.BytesIO(content), allow_pickle=False) as stored:
        if set(stored.files) != _ARRAYS or str(stored["format"]) != FORMAT:
            raise _damaged(path, f"it is not of the format {FORMAT}")
        return {name: stored[name] for name in names}


def _name(content: bytes) -> str:
    return sha256(content).hexdigest()[:32] + SUFFIX


def _damaged(path: Path, reason: str) -> InputError:
    return InputError(
        f"this file of the cache is damaged, {reason}; remove it, and what it held is made anew",
        where=str(path),
    )
