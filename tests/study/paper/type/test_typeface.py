"""Fonts: letters, shapes, licences and parts."""

import re
import sys
from pathlib import Path

import pytest

from kilter.core.errors import InputError, MissingToolError
from kilter.study.paper.type.typeface import (
    Typeface,
    built_in,
    faces_in,
    harfbuzz,
    needs_no_shape,
    read_typeface,
)
from tests.study.paper.font import font


def table_place(data: bytes, name: bytes) -> int:
    """Return where a table of a font file begins."""
    count = int.from_bytes(data[4:6], "big")
    for entry in range(12, 12 + 16 * count, 16):
        if data[entry : entry + 4] == name:
            return int.from_bytes(data[entry + 8 : entry + 12], "big")
    raise AssertionError(name)


def with_licence(path: Path, bits: int) -> Path:
    """Write the built-in font with other bits of what its maker allows."""
    data = bytearray(built_in().path.read_bytes())
    place = table_place(bytes(data), b"OS/2") + 8
    data[place : place + 2] = bits.to_bytes(2, "big")
    path.write_bytes(data)
    return path


def test_the_built_in_font_has_the_letters_of_western_europe() -> None:
    for face in (built_in(), built_in(bold=True)):
        assert face.has("Größe, façade, señor, Åse, naïve “quoted” 12 €")
        assert not face.has("Dvořák")
        assert face.may_be_embedded
        assert face.is_outlined
        assert not face.is_compact
    assert built_in().family == "Bitstream Vera Sans"
    assert 0.7 < built_in().ascent < 1.2
    assert 0.1 < built_in().descent < 0.4


def test_blanks_and_signs_of_direction_need_no_shape() -> None:
    assert all(needs_no_shape(letter) for letter in " \t\u00a0\u200b\u200f\u2067\u2069\ufeff\ufe0f")
    assert not any(needs_no_shape(letter) for letter in "a.\u2013\u2070")


@pytest.mark.parametrize(("bits", "is_allowed"), [(0, True), (4, True), (8, True), (2, False), (0x100, False)])  # fmt: skip
def test_a_font_is_embedded_only_if_its_maker_allows_it(
    bits: int, is_allowed: object, tmp_path: Path
) -> None:
    path = with_licence(tmp_path / "font.ttf", bits)
    assert Typeface(path).may_be_embedded is is_allowed
    if is_allowed:
        assert read_typeface(path).letters == built_in().letters
    else:
        with pytest.raises(InputError, match="does not allow parts of this font in a document"):
            read_typeface(path)


def test_what_is_no_font_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text.ttf"
    path.write_text("no font", encoding="utf-8")
    with pytest.raises(InputError, match="is no font that can be printed"):
        read_typeface(path)
    with pytest.raises(InputError, match="there is no such file"):
        read_typeface(tmp_path / "missing.ttf")
    assert [*faces_in(path)] == []


def test_a_font_whose_tables_have_no_names_is_no_font_and_does_not_stop_a_search(
    tmp_path: Path,
) -> None:
    path = tmp_path / "font.ttf"
    data = bytearray(built_in().path.read_bytes())
    data[12:16] = b"\xfc\xff\xff\xff"
    path.write_bytes(data)
    assert [face.is_outlined for face in faces_in(path)] == [False]
    with pytest.raises(InputError, match="is no font that can be printed"):
        read_typeface(path)


def test_a_font_whose_shapes_cannot_be_taken_out_is_named(tmp_path: Path) -> None:
    path = tmp_path / "font.ttf"
    data = built_in().path.read_bytes()
    # A table of another name, of a letter beyond those of western Europe, and no table of places of outlines.
    path.write_bytes(data.replace(b"loca", "\u0438oc".encode(), 1))
    face = read_typeface(path)
    with pytest.raises(InputError, match=r"font\.ttf.* is damaged"):
        face.part([face.shaped("a")[0].number])


def test_shapes_tell_their_letters_and_widths() -> None:
    face = built_in()
    glyphs = face.shaped("Hello")
    assert "".join(glyph.text for glyph in glyphs) == "Hello"
    assert glyphs[2].number == glyphs[3].number
    assert glyphs[2].advance == face.advance(glyphs[2].number) > 0
    assert all(glyph.number for glyph in glyphs)


def test_arabic_letters_join_and_run_to_the_left() -> None:
    face = font("DejaVu Sans")
    together, apart = face.shaped("بب", is_leftward=True), face.shaped("ب", is_leftward=True)
    assert {glyph.number for glyph in together} & {glyph.number for glyph in apart} == set()
    glyphs = face.shaped("سلام", is_leftward=True)
    assert [glyph.text for glyph in glyphs] == ["م", "لا", "س"]


@pytest.mark.parametrize("family", ["DejaVu Sans", "Noto Sans CJK JP"])
def test_a_part_of_a_font_is_small_and_has_the_same_shapes_under_the_same_numbers(
    family: str, tmp_path: Path
) -> None:
    face = font(family)
    glyphs = face.shaped("Áé日" if face.is_compact else "Áéß")
    assert all(glyph.number for glyph in glyphs)
    part = face.part(glyph.number for glyph in glyphs)
    assert len(part) < 0.15 * face.path.stat().st_size
    if face.is_compact:
        assert part[:1] == b"\x01"  # the version of the compact format, no font file around it
        return
    path = tmp_path / "part.ttf"
    path.write_bytes(part)
    kept = Typeface(path)
    for glyph in glyphs:
        assert kept.advance(glyph.number) == face.advance(glyph.number) > 0


def test_without_harfbuzz_the_command_that_installs_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    with pytest.raises(MissingToolError, match=re.escape("pip install 'kilter[paper]'")):
        harfbuzz.__wrapped__()
