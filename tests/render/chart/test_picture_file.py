"""Pictures are written as SVG, PNG or PDF, or refused before anything is computed."""

import os
import struct
import sys
import threading
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.render.chart.chart import interval_chart
from kilter.render.chart.drawing import Drawing, style
from kilter.render.chart.picture_file import (
    check_pdf,
    check_picture_path,
    pdf_bytes,
    png_bytes,
    write_picture,
)
from tests.render.explanation.golden import pictures
from tests.render.picture import parsed, texts
from tests.thorough import examples

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


# Pictures as PDF look like the pictures, and their words can be read.


def shades(image: Image.Image) -> NDArray[np.float64]:
    return np.asarray(image.convert("L"), dtype=np.float64)


def page(picture: str, *, scale: float) -> NDArray[np.float64]:
    """Return the grey shades of the page, `scale` dots for each unit of the picture."""
    document = pypdfium2.PdfDocument(pdf_bytes(picture))
    assert len(document) == 1
    # A unit of the picture is three quarters of a point.
    return shades(document[0].render(scale=scale / 0.75).to_pil())


def text_of(pdf: bytes) -> str:
    found: str = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()
    return found


def hatched() -> str:
    drawing = Drawing()
    for number in range(6):
        each = style(number)
        corner = 10 + 60.0 * number, 10.0
        drawing.hatched_box(corner, (50, 40), colour=each.colour, hatch=each.hatch)
        drawing.marker(each.marker, (corner[0] + 25, 70), colour=each.colour)
        drawing.line((corner[0], 90), (corner[0] + 50, 90), colour=each.colour, dash=each.dash)
    drawing.text((20, 130), "upward", upward=True)
    drawing.text((200, 120), "middle", anchor="middle", bold=True)
    drawing.text((370, 120), "end", anchor="end", colour="#d55e00", size=18)
    return drawing.document(380, 140, title="t", description="d")


ALL = {
    **pictures(),
    "hatched": hatched(),
    "chart": interval_chart([("pef", 0.2, 0.1, 0.3), ("kendall", 0.4, 0.3, 0.45)], title="tau"),
}


@pytest.mark.parametrize("name", ALL)
def test_a_page_looks_like_the_picture(name: str) -> None:
    """Both are drawn by programs of others; only the edges of lines and letters may differ a little."""
    picture = ALL[name]
    one = page(picture, scale=2.0)
    other = shades(Image.open(BytesIO(png_bytes(picture, scale=2.0))))
    height, width = (min(a, b) for a, b in zip(one.shape, other.shape, strict=True))
    assert abs(one.shape[0] - other.shape[0]) <= 2
    assert abs(one.shape[1] - other.shape[1]) <= 2
    # Means over squares of 16 dots: what is moved by a dot, as by kerning, hardly shows, what is missing does.
    rows, columns = height // 16 * 16, width // 16 * 16
    means = [
        each[:rows, :columns].reshape(rows // 16, 16, columns // 16, 16).mean(axis=(1, 3))
        for each in (one, other)
    ]
    assert np.abs(means[0] - means[1]).max() < 50
    assert np.abs(means[0] - means[1]).mean() < 2
    assert other.min() < 128


@pytest.mark.parametrize("name", ALL)
def test_words_can_be_searched_and_copied(name: str) -> None:
    found = "".join(text_of(pdf_bytes(ALL[name])).split())
    for text in texts(ALL[name]):
        assert "".join(text.split()) in found or len(text) > 40


def test_a_page_is_as_large_as_its_picture() -> None:
    root = parsed(ALL["hatched"])
    size = pypdfium2.PdfDocument(pdf_bytes(ALL["hatched"]))[0].get_size()
    assert size == pytest.approx((380 * 0.75, 140 * 0.75))
    assert root.get("width") == "380"


def test_title_and_description_are_those_of_the_picture() -> None:
    drawing = Drawing()
    picture = drawing.document(10, 10, title="Words <&>", description="what it shows")
    told = pypdfium2.PdfDocument(pdf_bytes(picture)).get_metadata_dict()
    assert (told["Title"], told["Subject"]) == ("Words <&>", "what it shows")


def test_the_same_picture_gives_the_same_bytes() -> None:
    assert pdf_bytes(ALL["chart"]) == pdf_bytes(ALL["chart"])


def word(text: str) -> str:
    drawing = Drawing()
    drawing.text((60, 30), text, anchor="middle")
    return drawing.document(120, 50, title="t", description="d")


@pytest.mark.parametrize("text", ["Ελλάδα", "слово"])
def test_letters_of_other_scripts_are_set_as_dots_where_they_belong(text: str) -> None:
    one = page(word(text), scale=4.0)
    other = shades(Image.open(BytesIO(png_bytes(word(text), scale=4.0))))
    inked = [np.argwhere(each < 128) for each in (one, other)]
    assert len(inked[0]) > 100
    assert np.abs(inked[0].mean(axis=0) - inked[1].mean(axis=0)).max() < 3
    assert np.abs(inked[0].min(axis=0) - inked[1].min(axis=0)).max() < 4


def test_a_letter_that_no_font_has_is_refused() -> None:
    with pytest.raises(InputError, match=r"no font of this machine has the letter .*as \.svg"):
        pdf_bytes(word("a\ue123"))


@examples(20)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x17F), min_size=1, max_size=12))
def test_any_western_text_makes_a_page(text: str) -> None:
    assert pdf_bytes(word(text)).startswith(b"%PDF")


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab", None)
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[figures\]'"):
        check_pdf()
