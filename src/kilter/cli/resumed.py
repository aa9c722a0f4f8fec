"""Output that a run writes block by block, and goes on with after it was killed."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kilter import __version__
from kilter.cli.console import print_message
from kilter.core.counted import counted
from kilter.core.settings import Group, OutputFile, flag, setting
from kilter.io.output import is_stream
from kilter.render.table.segment_file import check_rows_path, written_rows
from kilter.run.engine.run import KeptParts, PartFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class ResumedOutput:
    """Where texts go that are made block by block, and whether a killed run goes on."""

    output: OutputFile | None = setting(
        "-o",
        "--output",
        default=None,
        description="Write to FILE, in the format of its suffix.",
    )
    resume: bool = flag(
        group=Group.ADVANCED,
        description="With -o FILE: continue a run that was interrupted.",
    )

    def check(self, inputs: Sequence[str]) -> str | None:
        """Return the file that is written, None for standard output; what cannot be is an error."""
        output = None if self.output == "-" else self.output
        if self.resume and (output is None or is_stream(output)):
            raise click.UsageError("--resume needs a file to go on with; add -o FILE")
        if self.resume and any(
            path == "-" or is_stream(path.rpartition("#")[0] or path) for path in inputs
        ):
            raise click.UsageError("--resume reads the input again, which takes a file; name one")
        if output is not None:
            check_rows_path(output, inputs, called=f"--output {output}")
        return output


def kept_parts(
    output: str | None,
    made_of: Callable[[], Mapping[str, Any]],
    pack: Callable[[Result], bytes],
    unpack: Callable[[bytes], Result],
    *,
    resume: bool,
) -> KeptParts[Result] | None:
    """Return where results are kept, if they are; `made_of` is all that decides about them."""
    if not resume:
        return None
    folder = PartFolder(path=Path(f"{output}.parts"), made_of={"version": __version__, **made_of()})
    return KeptParts(folder=folder, pack=pack, unpack=unpack)


@contextmanager
def written_texts(
    output: str | None, column: str, *, end: str = ""
) -> Iterator[Callable[[Sequence[str]], None]]:
    """Yield what writes texts to a file or to standard output, each with its `end` where they are no table."""
    if output is None:
        yield lambda texts: sys.stdout.writelines(text + end for text in texts)
        return
    with written_rows(output, column, end=end) as write:
        yield write


def end_parts(parts: KeptParts[Any] | None, output: str | None, *, quiet: bool) -> None:
    """Remove parts of an output that is complete, and say how many were there before, or that others are left."""
    if parts is None:
        folder = Path(f"{output}.parts")
        if output is not None and not quiet and PartFolder(path=folder, made_of={}).is_begun:
            print_message(
                f"{folder} was left by a run with --resume and not used; remove it, {output} is complete"
            )
        return
    parts.folder.remove()
    if parts.kept and not quiet:
        print_message(f"went on after {counted(parts.kept, 'part')} of an earlier run")
