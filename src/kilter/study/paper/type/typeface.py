"""One font: which letters it has, how they are shaped, and the part of it that a document embeds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import reportlab

from kilter.core.errors import InputError, MissingToolError
from kilter.io.stream import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Bits of fsType in the table OS/2: what the maker of a font does not allow to be embedded, or not in parts.
_RESTRICTED, _WHOLE_ONLY, _BITMAP_ONLY = 0x0002, 0x0100, 0x0200
_TYPE_AT = slice(8, 10)
# Tables that a reader of PDF does not look at: all that is about shaping, names and variation.
_NEEDED = frozenset(
    {"glyf", "loca", "head", "hhea", "hmtx", "maxp", "cvt ", "fpgm", "prep", "CFF "}
)
_BUILT_IN = Path(reportlab.__file__).parent / "fonts"


@cache
def harfbuzz() -> Any:
    """Return the module of HarfBuzz, which is asked for when something is printed and no earlier."""
    try:
        import uharfbuzz  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingToolError("text on paper", install="pip install 'kilter[paper]'") from error
    return uharfbuzz


@dataclass(frozen=True, slots=True)
class Glyph:
    """A shape of a font at its place: its number, what it stands for, and lengths in parts of the letter size."""

    number: int
    text: str
    advance: float
    right: float = 0.0
    up: float = 0.0


@dataclass(frozen=True)
class Typeface:
    """A font file, or one of the fonts in a collection."""

    path: Path
    index: int = 0

    @cached_property
    def _face(self) -> Any:
        hb = harfbuzz()
        return hb.Face(hb.Blob.from_file_path(str(self.path)), self.index)

    @cached_property
    def _font(self) -> Any:
        return harfbuzz().Font(self._face)

    @cached_property
    def _tables(self) -> tuple[str, ...]:
        """The tables of the font, none for a damaged one, some of whose names are no text."""
        try:
            return tuple(self._face.table_tags)
        except UnicodeDecodeError:
            return ()

    @cached_property
    def letters(self) -> frozenset[int]:
        """The code points that the font has a shape for."""
        return frozenset(self._face.unicodes)

    @cached_property
    def family(self) -> str:
        """What the font is called, without its style."""
        names = harfbuzz().OTNameIdPredefined
        return str(
            self._face.get_name(names.TYPOGRAPHIC_FAMILY)
            or self._face.get_name(names.FONT_FAMILY)
            or self.path.stem
        )

    @cached_property
    def style(self) -> str:
        """The style, as in Regular or Bold Italic."""
        names = harfbuzz().OTNameIdPredefined
        return str(
            self._face.get_name(names.TYPOGRAPHIC_SUBFAMILY)
            or self._face.get_name(names.FONT_SUBFAMILY)
            or ""
        )

    @cached_property
    def is_outlined(self) -> bool:
        """Whether its letters are outlines that a PDF file can hold."""
        tags = {*self._tables}
        return bool(tags & {"glyf", "CFF "}) and {"cmap", "hmtx", "head"} <= tags

    @cached_property
    def may_be_embedded(self) -> bool:
        """Whether its maker lets a part of it be put into a document."""
        table = bytes(self._face.reference_table("OS/2").data or b"")
        allowed = int.from_bytes(table[_TYPE_AT], "big")
        return not allowed & (_RESTRICTED | _WHOLE_ONLY | _BITMAP_ONLY)

    @cached_property
    def is_compact(self) -> bool:
        """Whether its outlines are in the compact font format, not TrueType's."""
        return "CFF " in self._tables

    @cached_property
    def ascent(self) -> float:
        """How far letters rise above their line, in parts of the letter size."""
        return float(self._font.get_font_extents("ltr").ascender / self._face.upem)

    @cached_property
    def descent(self) -> float:
        """How far letters fall below their line, in parts of the letter size; more than 0."""
        return float(-self._font.get_font_extents("ltr").descender / self._face.upem)

    def has(self, text: str) -> bool:
        """Return whether every letter of a text has a shape; blanks and signs of direction need none."""
        return all(ord(letter) in self.letters or needs_no_shape(letter) for letter in text)

    def shaped(self, text: str, *, is_leftward: bool = False, language: str = "") -> list[Glyph]:
        """Return the shapes of a text of one script and direction, from left to right as they stand."""
        hb = harfbuzz()
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.direction = "rtl" if is_leftward else "ltr"
        if language:
            buffer.language = language
        hb.shape(self._font, buffer)
        infos, places = buffer.glyph_infos, buffer.glyph_positions
        clusters = [*sorted({info.cluster for info in infos}), len(text)]
        ends = dict(pairwise(clusters))
        told = set()
        glyphs = []
        size = self._face.upem
        for info, place in zip(infos, places, strict=True):
            said = "" if info.cluster in told else text[info.cluster : ends[info.cluster]]
            told.add(info.cluster)
            glyphs.append(
                Glyph(
                    info.codepoint,
                    said,
                    place.x_advance / size,
                    place.x_offset / size,
                    place.y_offset / size,
                )
            )
        return glyphs

    def advance(self, glyph: int) -> float:
        """Return how wide a shape is by itself, in parts of the letter size."""
        return float(self._font.get_glyph_h_advance(glyph) / self._face.upem)

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the box that holds every letter, in parts of the letter size: left, low, right, high."""
        table = bytes(self._face.reference_table("head").data)
        edges = [int.from_bytes(table[at : at + 2], "big", signed=True) for at in range(36, 44, 2)]
        left, low, right, high = (edge / self._face.upem for edge in edges)
        return left, low, right, high

    def part(self, glyphs: Iterable[int]) -> bytes:
        """Return a font file with these shapes under their numbers, or its outlines where they are compact."""
        hb = harfbuzz()
        wish = hb.SubsetInput()
        flags = hb.SubsetFlags
        wish.flags = flags.RETAIN_GIDS | flags.NO_LAYOUT_CLOSURE | flags.NOTDEF_OUTLINE
        wish.sets(hb.SubsetInputSets.GLYPH_INDEX).set({0, *glyphs})
        dropped = {*self._tables} - _NEEDED
        wish.sets(hb.SubsetInputSets.DROP_TABLE_TAG).set({_tag(name) for name in dropped})
        try:
            face = hb.subset(self._face, wish)
        except RuntimeError:
            raise InputError(
                "is damaged: its shapes cannot be taken out; name another font, or install it again",
                where=str(self.path),
            ) from None
        return bytes(face.reference_table("CFF ").data if self.is_compact else face.blob.data)


def _tag(name: str) -> int:
    return int.from_bytes(name.encode(), "big")


def needs_no_shape(letter: str) -> bool:
    """Return whether a font may lack a letter: blanks, and signs that only say how others are set."""
    code = ord(letter)
    return letter.isspace() or 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E or (
        0x2060 <= code <= 0x2069 or code == 0xFEFF or 0xFE00 <= code <= 0xFE0F
    )  # fmt: skip


def built_in(*, bold: bool = False) -> Typeface:
    """Return the font that is always there; it has the letters of western Europe."""
    return Typeface(_BUILT_IN / ("VeraBd.ttf" if bold else "Vera.ttf"))


def read_typeface(path: Path) -> Typeface:
    """Return the font in a file that somebody names; one that cannot be embedded is an `InputError`."""
    if not is_file(path):
        raise InputError("there is no such file; name a font file", where=str(path))
    face = next(faces_in(path), None)
    if face is None or not face.letters or not face.is_outlined:
        raise InputError(
            "is no font that can be printed; name a TrueType or OpenType file with outlines",
            where=str(path),
        )
    if not face.may_be_embedded:
        raise InputError(
            "its maker does not allow parts of this font in a document; name another",
            where=str(path),
        )
    return face


def faces_in(path: Path) -> Iterator[Typeface]:
    """Yield the fonts of a file, or nothing if it holds none."""
    hb = harfbuzz()
    try:
        blob = hb.Blob.from_file_path(str(path))
        count = hb.Face(blob).count
    except (hb.HarfBuzzError, OSError, ValueError):
        return
    for index in range(count):
        yield Typeface(path, index)
