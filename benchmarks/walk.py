"""How far a line walks through the code: functions, files and depth of a command at run time.

Counts Python functions of Kilter that run between the start of a command and its end, import of modules
aside. Three depths: functions open at once anywhere (with those around the command: click's callbacks,
context managers); calls from the command's own function to a kernel, all of them ours; and the same to a
kernel that a metric calls. A compass for readers of the code, not a measure of speed.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import kilter
from kilter import _core
from kilter.cli.main import run as command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType

_HOME = str(Path(kilter.__file__).parent) + os.sep
_EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass
class Walk:
    """What ran: code of Kilter, and how many of its functions were ever open at once."""

    codes: set[CodeType] = field(default_factory=set)
    depth: int = 0
    to_kernel: tuple[str, ...] = ()
    """The longest way from the command to a kernel, which is its last name."""
    to_metric: tuple[str, ...] = ()
    """The longest way from the command to a kernel that a metric calls."""
    _open: int = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Follow one call or return; a module's body and comprehensions are no functions."""
        code = frame.f_code
        if event not in {"call", "return"} or not _is_function(code):
            return
        self._open += 1 if event == "call" else -1
        self.codes.add(code)
        self.depth = max(self.depth, self._open)

    def enter_kernel(
        self, name: str, kernel: Callable[..., object], *given: object, **named: object
    ) -> object:
        """Take down the way to a kernel, and call it."""
        opened = list(_opened(inspect.currentframe()))
        way = (*(code.co_qualname for code in reversed(opened)), name)
        self.to_kernel = max(self.to_kernel, way, key=len)
        if any(_room(code) == "metrics" for code in opened):
            self.to_metric = max(self.to_metric, way, key=len)
        return kernel(*given, **named)

    @property
    def files(self) -> set[str]:
        """The files that the functions are in."""
        return {code.co_filename.removeprefix(_HOME) for code in self.codes}


def _is_function(code: CodeType) -> bool:
    return code.co_filename.startswith(_HOME) and not code.co_name.startswith("<")


def _room(code: CodeType) -> str:
    return Path(code.co_filename.removeprefix(_HOME)).parts[0]


def _opened(frame: FrameType | None) -> Iterator[CodeType]:
    """Yield the functions that are open, up to the one of the command."""
    while frame is not None:
        if _is_function(frame.f_code):
            yield frame.f_code
            if frame.f_code.co_qualname == "command":
                return
        frame = frame.f_back


def walk(*arguments: str) -> Walk:
    """Return the walk of a command that succeeds."""
    followed = Walk()
    kernels = {
        name: kernel for name, kernel in vars(_core).items() if type(kernel).__name__ == "nb_func"
    }
    # Calls of compiled functions are no events of a profile, so that kernels are watched by name.
    watched = {
        name: partial(followed.enter_kernel, name, kernel) for name, kernel in kernels.items()
    }
    with contextlib.redirect_stdout(io.StringIO()), patch.dict(vars(_core), watched):
        sys.setprofile(followed)
        try:
            status = command(list(arguments))
        finally:
            sys.setprofile(None)
    assert status == 0, arguments
    return followed


def _print(name: str, found: Walk) -> None:
    ways = f"{len(found.to_kernel) - 1:>5} to a kernel"
    if found.to_metric:
        ways += f"{len(found.to_metric) - 1:>5} to one of a metric"
    print(
        f"  {name:<20}{len(found.codes):>5} functions{len(found.files):>5} files{found.depth:>5} deep{ways}"
    )
    if os.environ.get("KILTER_WALK"):
        for way in filter(None, (found.to_kernel, found.to_metric)):
            print(f"    {' -> '.join(way)}")
        for room, count in Counter(map(_room, found.codes)).most_common():
            print(f"    {count:>5} functions in {room}")
        for code in sorted(found.codes, key=lambda code: (code.co_filename, code.co_firstlineno)):
            place = code.co_filename.removeprefix(_HOME)
            print(f"    {place}:{code.co_firstlineno} {code.co_qualname}")


def run() -> None:
    print("walks of commands through the code (KILTER_WALK=1 lists functions and ways)")
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
