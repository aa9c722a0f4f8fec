"""A run over batches: results in order, those that an earlier run left among them."""

from __future__ import annotations

from collections import deque
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from kilter.core import interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kilter.run.engine.batch import Batch
    from kilter.run.engine.engine import Engine
    from kilter.run.engine.part_folder import PartFolder

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
            interrupt.heed()
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
