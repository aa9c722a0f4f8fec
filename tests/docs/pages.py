"""Pages and their examples: finds them, runs them, and writes a page with the real output.

A block that starts with ```console holds `$ command` lines, each followed by its output; a line that
ends with a backslash continues on the next. A block that starts with ```python is a session
(`>>> ...`). A block under the name of a file, ``**`path`**:``, is that file, or goes into it, and is only
read. The examples of a page run in order, in one folder that holds `examples/` and whatever
earlier commands of the page wrote; its Python sessions share their names. Blank lines at the end of an
output do not count.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import traceback
from code import InteractiveInterpreter
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass
from doctest import DocTestParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(
    r"^\*\*`([^`]+)`\*\*(?:, (after|before) the line that begins with (`+) ?(.+?) ?\3)?:\n\n\Z",
    re.MULTILINE,
)
_TIMEOUT = 300  # far beyond what any example needs, also on a busy machine


def pages() -> list[Path]:
    """Return every page: those in the root, and those below docs/."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True)
class Example:
    """What is run, exactly as the page shows it, and the output beneath it."""

    shown: str
    source: str
    output: str


@dataclass(frozen=True)
class Place:
    """A file that a block is, or the line of one that it goes after or before."""

    path: str
    side: str | None
    line: str | None


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and where the text begins and ends in the page."""

    language: str
    text: str
    start: int
    end: int
    place: Place | None = None

    def examples(self) -> list[Example]:
        """Return what the block runs; nothing if it is only to be read."""
        if self.place is not None:
            return []
        if self.language == "console":
            return list(_console_examples(self.text))
        if self.language == "python":
            return list(_python_examples(self.text))
        return []


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(m[1], m[2], m.start(2), m.end(2), _place(text[: m.start()]))
        for m in _FENCE.finditer(text)
    ]


def _place(before: str) -> Place | None:
    found = _FILE.search(before)
    return Place(found[1], found[2], found[4]) if found else None


def _console_examples(text: str) -> Iterator[Example]:
    lines = text.splitlines()
    if lines and not lines[0].startswith("$ "):
        raise ValueError(f"a console block begins with a command, not with {lines[0]!r}")
    at = 0
    while at < len(lines):
        command = at
        while lines[at].endswith("\\"):
            at += 1
        at += 1
        shown = "\n".join(lines[command:at])
        output = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield Example(shown, shown.removeprefix("$ "), "\n".join(lines[output:at]).rstrip("\n"))


def _python_examples(text: str) -> Iterator[Example]:
    for example in DocTestParser().get_examples(text):
        first, *rest = example.source.splitlines()
        shown = "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in rest)])
        said = example.want if example.exc_msg is None else _raised(example.exc_msg)
        yield Example(shown, example.source, said.rstrip("\n"))


def _raised(message: str) -> str:
    return f"Traceback (most recent call last):\n    ...\n{message}"


class _Session(InteractiveInterpreter):
    """Runs statements as a prompt does; an error becomes part of what was said."""

    def run(self, source: str) -> str:
        said = io.StringIO()
        with redirect_stdout(said):
            # The blank line at the end closes a compound statement, as at a prompt.
            self.runsource(f"{source}\n", "<example>", "single")
        return said.getvalue()

    def showtraceback(self) -> None:
        error = sys.exception()
        assert error is not None
        sys.stdout.write(_raised("".join(traceback.format_exception_only(error))))

    def write(self, data: str) -> None:
        sys.stdout.write(data)


class Reader:
    """Tries out one page from top to bottom, as a reader would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session = _Session({"__name__": "__main__"})

    def outputs(self, block: Block) -> list[tuple[Example, str]]:
        """Return the examples of a block, each with what it really says."""
        return [(example, self._run(example, block.language)) for example in block.examples()]

    def _run(self, example: Example, language: str) -> str:
        if language == "python":
            with chdir(self.folder):
                return self.session.run(example.source).rstrip("\n")
        done = subprocess.run(
            ["bash", "-c", example.source],  # noqa: S607 - any bash will do
            cwd=self.folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT,
            check=False,
        )
        return done.stdout.decode().rstrip("\n")


def _environment() -> dict[str, str]:
    """Return a plain terminal's environment with the installed `kilter` first in the path."""
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",  # so that output and messages come in the order they are written
    }


@contextmanager
def reader() -> Iterator[Reader]:
    """Give a reader in a new folder that holds a link to `examples/`."""
    with TemporaryDirectory() as name:
        (Path(name) / "examples").symlink_to(ROOT / "examples")
        yield Reader(Path(name))


def refreshed(text: str) -> str:
    """Return a page with the real output beneath every example."""
    pieces: list[str] = []
    at = 0
    with reader() as tried:
        for block in blocks(text):
            pieces.append(text[at : block.start])
            outputs = tried.outputs(block)
            pieces.append(_written(outputs, block.language) if outputs else block.text)
            at = block.end
    return "".join([*pieces, text[at:]])


def _written(outputs: list[tuple[Example, str]], language: str) -> str:
    # A doctest's output ends at a blank line, so that one inside it is written as <BLANKLINE>.
    lines: list[str] = []
    for example, output in outputs:
        lines.append(example.shown)
        if output:
            lines.append(output if language == "console" else _for_doctest(output))
    return "\n".join(lines) + "\n"


def _for_doctest(output: str) -> str:
    return re.sub(r"^$", "<BLANKLINE>", output, flags=re.MULTILINE)
