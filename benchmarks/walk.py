"""How far a line walks through the code: functions, files and depth of a command at run time.

Counts Python functions of Kilter that run between the start of a command and its end, import of modules
aside. A compass for readers of the code, not a measure of speed.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import kilter
from kilter.cli.main import run as command

if TYPE_CHECKING:
    from types import CodeType, FrameType

_HOME = str(Path(kilter.__file__).parent) + os.sep
_EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass
class Walk:
    """What ran: code of Kilter, and how many of its functions were ever open at once."""

    codes: set[CodeType] = field(default_factory=set)
    depth: int = 0
    _open: int = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Follow one call or return; a module's body and comprehensions are no functions."""
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(_HOME):
            return
        if code.co_name.startswith("<"):
            return
        self._open += 1 if event == "call" else -1
        self.codes.add(code)
        self.depth = max(self.depth, self._open)

    @property
    def files(self) -> set[str]:
        """The files that the functions are in."""
        return {code.co_filename.removeprefix(_HOME) for code in self.codes}


def walk(*arguments: str) -> Walk:
    """Return the walk of a command that succeeds."""
    followed = Walk()
    with contextlib.redirect_stdout(io.StringIO()):
        sys.setprofile(followed)
        try:
            status = command(list(arguments))
        finally:
            sys.setprofile(None)
    assert status == 0, arguments
    return followed


def _print(name: str, found: Walk) -> None:
    print(
        f"  {name:<28}{len(found.codes):>5} functions{len(found.files):>5} files{found.depth:>5} deep"
    )
    if os.environ.get("KILTER_WALK"):
        for code in sorted(found.codes, key=lambda code: (code.co_filename, code.co_firstlineno)):
            place = code.co_filename.removeprefix(_HOME)
            print(f"    {place}:{code.co_firstlineno} {code.co_qualname}")


def run() -> None:
    print("walks of commands through the code (KILTER_WALK=1 lists the functions)")
    reference, system = str(_EXAMPLES / "reference.en"), str(_EXAMPLES / "local.en")
    for metric in ("kendall", "all"):
        arguments = ("score", "-m", metric, "-q", "-r", reference, system)
        walk(*arguments)  # once before, so that what imports do is not counted
        _print(f"score -m {metric}", walk(*arguments))
    with tempfile.TemporaryDirectory() as name:
        study, export = Path(name) / "study", Path(name) / "export"
        walk("survey", "create", "--example", str(study), "-q")
        walk("survey", "simulate", str(study), "-o", str(export), "-q")
        analyse = ("survey", "analyse", str(export), "-q", "-o")
        walk(*analyse, str(Path(name) / "first"))
        _print("survey analyse", walk(*analyse, str(Path(name) / "second")))
