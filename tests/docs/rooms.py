"""Draws the rooms of the package for ARCHITECTURE.md from the contracts: `python -m tests.docs.rooms`.

Lines are the layers of the contract in pyproject.toml, words the docstrings of the packages.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from kilter.render.chart.drawing import SMALL, TITLE, Drawing, height_of
from tests.docs.pages import ROOT

PICTURE = ROOT / "docs" / "rooms.svg"
SOURCE = ROOT / "src" / "kilter"
_WIDTH, _GAP, _PAD = 1180.0, 8.0, 8.0
_NOTE = 11.0
_KERNELS = ("kernels/", "C++20 without Python headers, except in its bindings.")


class Room(NamedTuple):
    """A package or module: its name, and what it holds."""

    name: str
    held: str


def rooms() -> list[list[Room]]:
    """Return the rooms of the package, line by line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    layers = next(found["layers"] for found in contracts if found["id"] == "layers")
    lines = [
        [_room(name) for name in line.split(" | ") if not name.startswith("(")] for line in layers
    ]
    return [*filter(None, lines), [Room(*_KERNELS)]]


def _room(name: str) -> Room:
    folder = SOURCE / name
    if folder.is_dir():
        return Room(f"{name}/", _held(folder / "__init__.py"))
    return Room(f"{name}.py", _held(folder.with_suffix(".py")))


def _held(file: Path) -> str:
    """Return the first line of a docstring without the keys of papers behind it."""
    line = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split("\n")[0]
    return re.sub(r"(?<=\.) (Section|\[).*", "", line).replace("`", "")


def picture() -> str:
    """Return the rooms as SVG: what stands higher may import what stands lower."""
    drawing = Drawing()
    drawing.text((_PAD, 20), "The rooms of kilter", size=TITLE, bold=True)
    drawing.text((_PAD, 38), "A room imports only from lines further down.", size=_NOTE)
    top = 50.0
    for line in rooms():
        width = (_WIDTH - 2 * _PAD - _GAP * (len(line) - 1)) / len(line)
        high = max(_height(room, width) for room in line)
        for k, room in enumerate(line):
            x = _PAD + k * (width + _GAP)
            drawing.box((x, top), (width, high), fill="#f4f6f8", stroke="#777")
            drawing.text((x + _PAD, top + SMALL + 4), room.name, size=SMALL, bold=True)
            corner = (x + _PAD, top + SMALL + 8)
            drawing.paragraph(corner, room.held, room=width - 2 * _PAD, size=_NOTE)
        top += high + _GAP
    told = "; ".join(", ".join(room.name for room in line) for line in rooms())
    return drawing.document(
        _WIDTH, top, title="The rooms of kilter", description=f"From the top down: {told}."
    )


def _height(room: Room, width: float) -> float:
    return SMALL + 7 + height_of(room.held, room=width - 2 * _PAD, size=_NOTE) + _PAD


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
