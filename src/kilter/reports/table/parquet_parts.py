"""A Parquet file by way of parts in a folder beside it, so that a run that was killed goes on."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError
from kilter.formats.file_status import exists, is_file, is_folder
from kilter.formats.output import make_folder, write_file
from kilter.reports.table.parquet import StreamedParquetWriter, check_parquet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    from kilter.reports.table.writer import Column

_RECORD = "run.json"
_OURS = (_RECORD, "part-*.arrow", ".kilter-*.part")


@dataclass(frozen=True, kw_only=True)
class PartFolder:
    """Parts of a table, each of which appears when it is whole, and a record of what they are made of."""

    path: Path
    made_of: Mapping[str, Any]

    def begin(self) -> None:
        """Make the folder, or find it as this run would have left it; any other is an `InputError`."""
        record = self.path / _RECORD
        if is_file(record):
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
            found = json.loads(record.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise self._refused(f"holds a record that cannot be read: {error}") from error
        own = json.loads(json.dumps(self.made_of))
        other = [
            name for name in own if not isinstance(found, dict) or found.get(name) != own[name]
        ]
        if other:
            raise self._refused(f"holds parts of a run with another {' and '.join(other)}")

    def _refused(self, fault: str) -> InputError:
        return InputError(
            f"{fault}; run the same command again, or remove the folder to begin anew",
            where=str(self.path),
        )

    @property
    def _digest(self) -> bytes:
        return sha256(json.dumps(self.made_of, sort_keys=True).encode()).hexdigest().encode()

    def _part(self, place: int) -> Path:
        return self.path / f"part-{place:06}.arrow"

    def holds(self, place: int, rows: int) -> bool:
        """Return whether a part is there; one of other rows is an `InputError`."""
        if not is_file(self._part(place)):
            return False
        if self.read(place).num_rows != rows:
            raise self._refused(f"holds other rows in {self._part(place).name}")
        return True

    def write(self, place: int, table: Any) -> None:
        """Write a part."""
        import pyarrow as pa

        whole = pa.BufferOutputStream()
        marked = table.replace_schema_metadata({b"made-of": self._digest})
        with pa.ipc.new_file(whole, marked.schema) as file:
            file.write_table(marked)
        write_file(self._part(place), whole.getvalue().to_pybytes())

    def read(self, place: int) -> Any:
        """Return the table of a part."""
        import pyarrow as pa

        try:
            with pa.memory_map(str(self._part(place))) as data:
                table = pa.ipc.open_file(data).read_all()
        except (pa.ArrowException, OSError) as error:
            raise self._refused(f"holds a damaged {self._part(place).name}: {error}") from error
        if (table.schema.metadata or {}).get(b"made-of") != self._digest:
            raise self._refused(f"holds {self._part(place).name} of another run")
        return table.replace_schema_metadata(None)

    def remove(self) -> None:
        """Remove what was written there, and the folder if nothing else is in it."""
        with suppress(OSError):  # the file is complete: what stays does no harm
            for pattern in _OURS:
                for path in self.path.glob(pattern):
                    path.unlink(missing_ok=True)
            self.path.rmdir()


class PartedParquetWriter(StreamedParquetWriter):
    """The same file, joined at the end from parts that stay where a run is killed."""

    def __init__(
        self,
        out: TextIO,
        names: Sequence[str],
        *,
        header: Mapping[str, object],
        like: Mapping[str, Column],
        parts: PartFolder,
    ) -> None:
        super().__init__(out, names, header=header, like=like)
        self.parts = parts
        self.kept = 0
        self._count = 0

    def start(self) -> None:
        """Make or find the folder of parts."""
        check_parquet("Parquet")
        self.parts.begin()

    def has(self, rows: int) -> bool:
        """Return whether the next block is there from an earlier run, and count it as written."""
        found = self.parts.holds(self._count, rows)
        self._count += found
        self.kept += found
        return found

    def rows(self, columns: Mapping[str, Column]) -> None:
        """Write a part."""
        self.parts.write(self._count, self.table(columns))
        self._count += 1

    def end(self) -> None:
        """Join the parts; the folder stays until the file is there under its name."""
        super().start()
        for place in range(self._count):
            self.write(self.parts.read(place))
        super().end()
