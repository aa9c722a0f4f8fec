"""Draws the rooms of the package for ARCHITECTURE.md from the contracts: `python -m tests.docs.rooms`.

Lines are the layers of the contracts in pyproject.toml, words the docstrings of the packages.
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
    """A package or module: its path in the package, its name, what it holds, rooms inside by line."""

    path: str
    name: str
    held: str
    inner: tuple[tuple["Room", ...], ...] = ()


def contracts() -> dict[str, list[list[str]]]:
    """Return the lines of every contract of layers, by the package that it orders."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return {
        contract["containers"][0]: [line.split(" | ") for line in contract["layers"]]
        for contract in found
        if contract["type"] == "layers"
    }


def rooms() -> list[tuple[Room, ...]]:
    """Return the rooms of the whole package, line by line."""
    ordered = contracts()
    lines = [
        tuple(_room(name, ordered) for name in line if not name.startswith("("))
        for line in ordered["kilter"]
    ]
    return [*filter(None, lines), (Room("", *_KERNELS),)]


def _room(path: str, ordered: dict[str, list[list[str]]]) -> Room:
    inner = ordered.get(".".join(["kilter", *path.split("/")]), [])
    lines = tuple(tuple(_room(f"{path}/{name}", ordered) for name in line) for line in inner)
    place = SOURCE / path
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    name = place.name + ("/" if place.is_dir() else ".py")
    return Room(path, name, _held(file), lines)


def _held(file: Path) -> str:
    """Return the first line of a docstring without the keys of papers behind it."""
    line = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split("\n")[0]
    return re.sub(r"(?<=\.) (Section|\[).*", "", line).replace("`", "")


def picture() -> str:
    """Return the rooms as SVG: what stands higher may import what stands lower."""
    drawing = Drawing()
    drawing.text((_PAD, 20), "The rooms of kilter", size=TITLE, bold=True)
    drawing.text(
        (_PAD, 38), "A room imports only from lines further down, never beside itself.", size=_NOTE
    )
    top = 50.0
    for line in rooms():
        top = _line(drawing, line, (_PAD, top), _WIDTH - 2 * _PAD, shade=False) + _GAP
    told = "; ".join(", ".join(room.name for room in line) for line in rooms())
    return drawing.document(
        _WIDTH, top, title="The rooms of kilter", description=f"From the top down: {told}."
    )


def _line(
    drawing: Drawing,
    line: tuple[Room, ...],
    corner: tuple[float, float],
    room: float,
    *,
    shade: bool,
) -> float:
    """Draw rooms side by side and return where they end."""
    x, top = corner
    widths = _widths(line, room)
    high = max(map(_height, line, widths))
    for entry, width in zip(line, widths, strict=True):
        drawing.box((x, top), (width, high), fill="#fff" if shade else "#f4f6f8", stroke="#777")
        y = top + SMALL + 4
        drawing.text((x + _PAD, y), entry.name, size=SMALL, bold=True)
        drawing.paragraph((x + _PAD, y + 4), entry.held, room=width - 2 * _PAD, size=_NOTE)
        below = top + _own_height(entry, width)
        for inner in entry.inner:
            inside = (x + _PAD, below)
            below = _line(drawing, inner, inside, width - 2 * _PAD, shade=True) + _GAP
        x += width + _GAP
    return top + high


def _widths(line: tuple[Room, ...], room: float) -> list[float]:
    """Return how wide rooms on one line are: those with many rooms side by side have more."""
    shares = [max([1.0, *(1.5 * len(inner) for inner in entry.inner)]) for entry in line]
    free = room - _GAP * (len(line) - 1)
    return [free * share / sum(shares) for share in shares]


def _own_height(room: Room, width: float) -> float:
    return SMALL + 7 + height_of(room.held, room=width - 2 * _PAD, size=_NOTE) + _PAD


def _height(room: Room, width: float) -> float:
    within = width - 2 * _PAD
    inner = 0.0
    for line in room.inner:
        inner += max(map(_height, line, _widths(line, within))) + _GAP
    return _own_height(room, width) + inner


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
