"""Progress bars: on standard error, and only where somebody looks."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(
    what: str, *, quiet: bool, unit: str | None = None
) -> Iterator[Callable[[int, int | None], None] | None]:
    """Yield a function of (done, total) that moves a bar, or None if nobody would see it.

    With a `unit`, such as rows, the bar says beside the time left how many are done in a second, and
    without a total how many are done.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = [*Progress.get_default_columns()]
    if unit is not None:
        columns.append(TextColumn("{task.fields[rate]}"))
    begin = perf_counter()
    # Rich would write to standard error what is meant for standard output, wherever that goes.
    shared = sys.stdout is not None and sys.stdout.isatty()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=shared) as bar:
        task = bar.add_task(what, total=None, rate="")

        def move(done: int, total: int | None) -> None:
            rate = f"{done / max(perf_counter() - begin, 1e-9):,.0f} {unit} per second"
            if total is None:
                rate = f"{done:,} done, {rate}"
            bar.update(task, completed=done, total=total, rate=rate)

        yield move
