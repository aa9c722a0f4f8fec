"""A run over batches: results in order, those that an earlier run left among them."""

from __future__ import annotations

import json
from collections import deque
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from zlib import crc32

from kilter.core import interrupt
from kilter.core.errors import InputError
from kilter.io.json_text import parse_json
from kilter.io.output import make_folder, write_file
from kilter.io.stream import exists, is_file, is_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    from kilter.run.engine.engine import Batch, Engine

Given = TypeVar("Given")
Result = TypeVar("Result")


@dataclass(kw_only=True)
class KeptParts(Generic[Result]):
    """Where results are kept until the output is complete, and how they become bytes and back."""

    folder: PartFolder
    pack: Callable[[Result], bytes]
    unpack: Callable[[bytes], Result]
    kept: int = 0
    """How many results were there from an earlier run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Awaited:
    """A batch whose result comes next."""

    place: int
    rows: int
    share: float | None
    kept: bool


def run_batches(
    engine: Engine,
    task: Callable[[Batch[Given]], Result],
    batches: Iterable[Batch[Given]],
    *,
    parts: KeptParts[Result] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Iterator[Result]:
    """Yield the result of every batch, in their order.

    With `parts` each is kept as soon as it is there, and read where an earlier run kept it. `progress` is
    called with (rows done, rows): as many as there will be if they go on as they began, None where nobody
    knows.
    """
    run = _Ledger(parts, progress)
    with closing(engine.map(task, run.missing(batches))) as results:
        for result in results:
            interrupt.raise_if_pending()
            yield from run.earlier()
            run.keep(result)
            yield result
    yield from run.earlier()


class _Ledger(Generic[Result]):
    """What is awaited, in its order, and how much is done."""

    def __init__(
        self, parts: KeptParts[Result] | None, progress: Callable[[int, int | None], None] | None
    ) -> None:
        self._parts = parts
        self._progress = progress
        self._awaited: deque[_Awaited] = deque()
        self._done = 0

    def missing(self, batches: Iterable[Batch[Given]]) -> Iterator[Batch[Given]]:
        """Yield batches that no earlier run worked on."""
        parts = self._parts
        for place, batch in enumerate(batches):
            if parts is not None and not place:
                parts.folder.begin()  # no earlier: an input that is refused leaves no folder
            kept = parts is not None and parts.folder.holds(place, batch.rows)
            self._awaited.append(
                _Awaited(place=place, rows=batch.rows, share=batch.share, kept=kept)
            )
            if not kept:
                yield batch

    def earlier(self) -> Iterator[Result]:
        """Yield results of an earlier run that come before the next one of this run."""
        parts = self._parts
        while parts is not None and self._awaited and self._awaited[0].kept:
            result = parts.unpack(parts.folder.read(self._awaited[0].place))
            parts.kept += 1
            self._count()
            yield result

    def keep(self, result: Result) -> None:
        """Keep a result of this run."""
        if self._parts is not None:
            ready = self._awaited[0]
            packed = self._parts.pack(result)
            self._parts.folder.write(ready.place, packed, rows=ready.rows)
        self._count()

    def _count(self) -> None:
        ready = self._awaited.popleft()
        self._done += ready.rows
        if self._progress is not None:
            total = round(self._done / ready.share) if ready.share else None
            self._progress(self._done, total)


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
                "is not a folder of parts; rename it, or name another output", where=str(self.path)
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
                raise self._refused(f"holds {part.name}, which is not a file")
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


Item = TypeVar("Item")


@contextmanager
def made_ahead(items: Iterator[Item]) -> Generator[Iterator[Item]]:
    """Yield items, each of which is made while whoever takes them is at the one before it.

    No more than one is waiting. An error reaches whoever asks for the item in its place, and at the end, early
    or not, the thread is done with the one that it is at.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="kilter-reader") as thread:
        yield _taken(items, thread)


def _taken(items: Iterator[Any], thread: ThreadPoolExecutor) -> Iterator[Any]:
    end = object()
    waiting = thread.submit(next, items, end)
    while True:
        found = waiting.result()
        if found is end:
            return
        waiting = thread.submit(next, items, end)
        yield found
