"""Pictures are written as SVG, PNG or PDF, or refused before anything is computed."""

import os
import struct
import sys
import threading
import zlib
from pathlib import Path

import pytest

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.render.chart.chart import interval_chart
from kilter.render.chart.picture_file import check_picture_path, png_bytes, write_picture
from tests.render.picture import parsed

PICTURE = interval_chart([("pef", 0.2, 0.1, 0.3), ("kendall", 0.4, 0.3, 0.45)], title="tau")


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Return width, height and the unpacked rows of a PNG; each begins with the number of its filter."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed = 8, b""
    width = height = 0
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, data = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", data[:8])
        elif kind == b"IDAT":
            packed += data
        place += 12 + length
    return width, height, zlib.decompress(packed)


def test_a_png_has_two_dots_a_unit_and_is_not_blank() -> None:
    root = parsed(PICTURE)
    width, height, rows = pixels(png_bytes(PICTURE))
    assert width == 2 * float(root.get("width", ""))
    assert abs(height - 2 * float(root.get("height", ""))) < 1
    assert len(set(rows)) > 50


def test_letters_are_drawn_with_a_font_of_our_own() -> None:
    without = PICTURE.replace(">pef</text>", "></text>")
    assert without != PICTURE
    assert pixels(png_bytes(PICTURE))[2] != pixels(png_bytes(without))[2]


def test_the_same_picture_gives_the_same_png() -> None:
    assert png_bytes(PICTURE) == png_bytes(PICTURE)


def test_letters_of_other_scripts_do_no_harm() -> None:
    picture = interval_chart([("日本語 Ελλάδα", 0.2, 0.1, 0.3)], title="tau")
    assert png_bytes(picture).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "begin"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")]
)
def test_the_name_says_how_a_picture_is_written(name: str, begin: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    check_picture_path(str(path))
    write_picture(str(path), PICTURE)
    assert path.read_bytes().startswith(begin)


def test_other_names_and_missing_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"a\.gif: pictures are written as \.svg, \.png or \.pdf"):
        check_picture_path("a.gif")
    with pytest.raises(InputError, match="its folder does not exist"):
        check_picture_path(str(tmp_path / "none" / "a.svg"))
    with pytest.raises(InputError, match="cannot be written"):
        write_picture(str(tmp_path / "none" / "a.svg"), PICTURE)


@pytest.mark.parametrize("package", ["resvg_py", "reportlab"])
def test_png_without_its_packages_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    check_picture_path(str(tmp_path / "a.svg"))
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[figures\]'"):
        check_picture_path(str(tmp_path / "a.png"))
    with pytest.raises(MissingToolError):
        png_bytes(PICTURE)


def test_a_pipe_is_written_to_as_svg_unless_its_name_says_otherwise(tmp_path: Path) -> None:
    for name, begin in (("pipe", b"<svg"), ("pipe.png", b"\x89PNG")):
        pipe = tmp_path / name
        os.mkfifo(pipe)
        check_picture_path(str(pipe))
        found: list[bytes] = []
        reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))  # noqa: B023 - joined below
        reader.start()
        write_picture(str(pipe), PICTURE)
        reader.join()
        assert found[0].startswith(begin)


@pytest.mark.parametrize("name", ["/dev/null", "/dev/stdout", "/dev/fd/2"])
def test_devices_and_descriptors_need_no_suffix(name: str) -> None:
    check_picture_path(name)
