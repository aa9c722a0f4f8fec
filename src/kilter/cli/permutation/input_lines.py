"""The lines of text or JSON, or rows of a file of columns, that `kilter permutation` reads."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.console import print_message
from kilter.core.counted import counted
from kilter.io.column_file import column_format
from kilter.io.permutation import is_json_lines
from kilter.io.stream import is_standard_input
from kilter.run.engine.choice import EngineChoice
from kilter.run.engine.engine import Batch, InProcess
from kilter.run.engine.run import run_batches
from kilter.run.permutation import LineCount, OnError, read_lines, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kilter.io.permutation import PermutationBlock
    from kilter.io.stream import ByteSource


def has_columns(path: str, column: str | None) -> bool:
    """Return whether an input holds permutations in a column, or field: by its name, or standard input of which one is named."""
    named = column_format(path) is not None or is_json_lines(path)
    return named or (column is not None and is_standard_input(path))


def is_typed(path: str) -> bool:
    """Return whether somebody types the lines at a terminal."""
    return is_standard_input(path) and sys.stdin is not None and sys.stdin.isatty()


@dataclass(frozen=True, kw_only=True)
class InputLines:
    """Lines of permutations, and what becomes of bad ones."""

    source: ByteSource
    pairs: bool
    zero_based: bool
    on_error: OnError
    jobs: int
    quiet: bool
    column: str | None = None
    once: bool = False
    progress: Callable[[int, int | None], None] | None = None
    engine: EngineChoice = field(default_factory=EngineChoice)
    count: LineCount = field(default_factory=LineCount)

    def blocks(self) -> Iterator[PermutationBlock]:
        """Yield the input block by block."""
        if has_columns(self.source.path, self.column):
            return read_rows(
                self.source,
                self.column,
                zero_based=self.zero_based,
                jobs=self.jobs,
                on_error=self.on_error,
                count=self.count,
                once=self.once,
            )
        return read_lines(
            self.source,
            pairs=self.pairs,
            zero_based=self.zero_based,
            jobs=self.jobs,
            on_error=self.on_error,
            count=self.count,
            once=self.once,
        )

    def batches(self) -> Iterator[Batch[PermutationBlock]]:
        """Yield the input as an engine takes it."""
        read = 0
        for block in self.blocks():
            yield Batch(data=block, first=read + 1, rows=block.rows, share=block.share)
            read += block.rows

    def watched(self) -> Iterator[PermutationBlock]:
        """Yield the input block by block, and tell after each how much of it is done."""
        return run_batches(InProcess(), _block, self.batches(), progress=self.progress)

    def report(self) -> None:
        """Say on standard error what was left out."""
        count = self.count
        if not count.bad or count.first is None or self.quiet:
            return
        unit = "line" if column_format(self.source.path) is None else "row"
        did = "skipped" if self.on_error is OnError.SKIP else "marked"
        print_message(
            f"{did} {count.bad} of {counted(count.bad + count.good, unit)}; the first is "
            f"{self.source.name}:{count.first.line}: {count.first.reason}"
        )


def _block(batch: Batch[PermutationBlock]) -> PermutationBlock:
    return batch.data
