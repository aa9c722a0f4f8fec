"""The picture of the rooms is that of the contracts."""

import re

from tests.docs.pages import ROOT
from tests.docs.rooms import PICTURE, SOURCE, picture, rooms


def test_the_picture_is_drawn_from_the_contracts_of_today() -> None:
    drawn = PICTURE.read_text(encoding="utf-8")
    assert drawn == picture(), "draw it again with 'make docs'"
    assert "](docs/rooms.svg)" in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_room_says_what_it_holds() -> None:
    folders = {init.parent.name + "/" for init in SOURCE.glob("*/__init__.py")}
    shown = {room.name: room.held for line in rooms() for room in line}
    assert folders <= set(shown)
    assert all(shown.values())


def test_files_and_folders_that_the_page_names_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]*(?:\.[a-z]+)?)`", text))
    assert len(named) > 30
    missing = {
        name
        for name in named
        if not any((top / name).exists() for top in (SOURCE, ROOT, ROOT / "kernels"))
    }
    assert missing == set()
