"""Parts of an output in a folder beside it, so that a run that was killed goes on."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from zlib import crc32

from kilter.core.errors import InputError
from kilter.io.file_status import exists, is_file, is_folder
from kilter.io.json_text import parse_json
from kilter.io.output import make_folder, write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_RECORD = "run.json"
# The record last: a run that is interrupted while it removes them leaves what another can go on with.
_OURS = ("part-*", ".kilter-*.part", _RECORD)


@dataclass(frozen=True, kw_only=True)
class PartFolder:
    """Parts of an output, each of which appears when it is whole, and a record of what they are made of."""

    path: Path
    made_of: Mapping[str, Any]
    """All that decides about the output: version, input, options; parts of anything else are refused."""

    @property
    def is_begun(self) -> bool:
        """Whether a run has begun to keep parts there."""
        return is_file(self.path / _RECORD)

    def begin(self) -> None:
        """Make the folder, or find it as this run would have left it; any other is an `InputError`."""
        record = self.path / _RECORD
        if self.is_begun:
            self._compare(record)
            return
        if exists(self.path) and not (is_folder(self.path) and self._is_empty()):
            raise InputError(
                "is no folder of parts; rename it, or name another output", where=str(self.path)
            )
        make_folder(self.path)
        write_file(record, json.dumps(self.made_of, ensure_ascii=False, indent=1) + "\n")

    def _is_empty(self) -> bool:
        """Return whether nothing is there but what a run left that was killed while it wrote."""
        return all(path.match(".kilter-*.part") for path in self.path.iterdir())

    def _compare(self, record: Path) -> None:
        try:
            found = parse_json(record.read_bytes())
        except (OSError, ValueError) as error:
            raise InputError(
                f"holds no record of a run, or a damaged one ({error}); remove the folder to begin anew",
                where=str(self.path),
            ) from error
        own = json.loads(json.dumps(self.made_of))
        other = [
            name for name in own if not isinstance(found, dict) or found.get(name) != own[name]
        ]
        if other:
            raise self._refused(f"holds parts of a run with another {' and '.join(other)}")

    def _refused(self, fault: str) -> InputError:
        return InputError(
            f"{fault}; go on with the command that made it, or remove the folder to begin anew",
            where=str(self.path),
        )

    @property
    def _digest(self) -> str:
        return sha256(json.dumps(self.made_of, sort_keys=True).encode()).hexdigest()

    def _part(self, place: int) -> Path:
        return self.path / f"part-{place:06}"

    def holds(self, place: int, rows: int) -> bool:
        """Return whether a part is there as it was written; a damaged one is made again.

        One of other rows, or of another run, is an `InputError`.
        """
        part = self._part(place)
        if not is_file(part):
            if exists(part):
                raise self._refused(f"holds {part.name}, which is no file")
            return False
        try:
            head, content = self._split(part)
            made_of, held, check = head["made-of"], head["rows"], head["check"]
            moved = head["place"] != place
        except (ValueError, TypeError, KeyError):
            return False
        if moved or check != crc32(content):
            return False
        if made_of != self._digest:
            raise self._refused(f"holds {part.name} of another run")
        if held != rows:
            raise self._refused(f"holds other rows in {part.name}")
        return True

    def _split(self, part: Path) -> tuple[Any, bytes]:
        """Return what a part says of itself, and its content."""
        try:
            head, _, content = part.read_bytes().partition(b"\n")
        except OSError as error:
            raise self._refused(f"{part.name} cannot be read: {error.strerror}") from error
        return parse_json(head), content

    def write(self, place: int, content: bytes, *, rows: int) -> None:
        """Write a part."""
        check = crc32(content)
        head = {"made-of": self._digest, "place": place, "rows": rows, "check": check}
        write_file(self._part(place), json.dumps(head).encode() + b"\n" + content)

    def read(self, place: int) -> bytes:
        """Return the content of a part that the folder holds."""
        part = self._part(place)
        try:
            head, content = self._split(part)
            same = head["check"] == crc32(content)
        except (ValueError, TypeError, KeyError):
            same = False
        if not same:
            raise self._refused(f"holds {part.name}, which was damaged while we looked")
        return content

    def remove(self) -> None:
        """Remove what was written there, and the folder if nothing else is in it."""
        with suppress(OSError):  # the file is complete: what stays does no harm
            for pattern in _OURS:
                for path in self.path.glob(pattern):
                    path.unlink(missing_ok=True)
            self.path.rmdir()
