"""PDF files: lines, squares and shaped text, with the parts of fonts that it needs."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.study.paper.type.typeface import Glyph, Typeface
    from kilter.study.paper.type.typesetter import SetLine

_EM = 1000  # PDF counts widths in thousandths of the letter size
_THICK = 0.035  # of the letter size
_NEAR = 0.0005
_RANGES = 100  # entries of a table of letters that a reader must take at once


@dataclass(slots=True)
class PdfPage:
    """One page, drawn on from its lower left corner; lengths are points."""

    fonts: dict[Typeface, dict[int, str]]
    parts: list[str] = field(default_factory=list)

    def rectangle(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the outline of a rectangle."""
        self.parts.append(f"{_numbers(x, y, width, height)} re S")

    def line(self, x: float, y: float, across: float) -> None:
        """Draw a thin line to the right."""
        self.parts.append(f"0.6 w {_numbers(x, y)} m {_numbers(x + across, y)} l S 1 w")

    def fill(self, places: Iterable[tuple[float, float, float, float]], *, grey: float = 0) -> None:
        """Fill rectangles, given by lower left corner, width and height, as one shape."""
        drawn = " ".join(f"{_numbers(*place)} re" for place in places)
        self.parts.append(f"{_numbers(grey)} g {drawn} f 0 g")

    def text(self, line: SetLine, x: float, y: float) -> None:
        """Set a line of text whose base begins at a place."""
        for run in line.runs:
            used = self.fonts.setdefault(run.face, {})
            for glyph in run.glyphs:
                # A shape may stand for several texts; readers can be told one.
                if glyph.text or glyph.number not in used:
                    used.setdefault(glyph.number, glyph.text)
            name = [*self.fonts].index(run.face) + 1
            look = f"2 Tr {_numbers(_THICK * line.size)} w" if run.is_thick else "0 Tr"
            shown = " ".join(_stretches(run.face, run.glyphs, line.size, x, y))
            self.parts.append(f"BT /F{name} {_numbers(line.size)} Tf {look} {shown} ET 1 w")
            x += run.advance * line.size


def _stretches(
    face: Typeface, glyphs: Iterable[Glyph], size: float, x: float, y: float
) -> Iterable[str]:
    """Yield shapes with their places: together as long as each begins where the one before ends by itself."""
    shown: list[str] = []
    begin, pen = (x, y), x
    for glyph in glyphs:
        place = (x + glyph.right * size, y + glyph.up * size)
        if abs(place[0] - pen) > _NEAR * size or abs(place[1] - begin[1]) > _NEAR * size:
            if shown:
                yield _stretch(begin, shown)
            shown, begin = [], place
        shown.append(f"{glyph.number:04x}")
        pen = place[0] + face.advance(glyph.number) * size
        x += glyph.advance * size
    if shown:
        yield _stretch(begin, shown)


def _stretch(place: tuple[float, float], shown: list[str]) -> str:
    return f"1 0 0 1 {_numbers(*place)} Tm <{''.join(shown)}> Tj"


def _numbers(*values: float) -> str:
    """Return numbers as PDF writes them, to a hundredth of a point and no sign of a negative zero."""
    return " ".join(f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".") for value in values)


@dataclass(slots=True)
class PdfFile:
    """A document of pages of one size. The same pages give the same bytes: no date, no random name."""

    title: str
    language: str
    size: tuple[float, float]
    pages: list[PdfPage] = field(default_factory=list)
    is_leftward: bool = False
    _fonts: dict[Typeface, dict[int, str]] = field(default_factory=dict)

    def new_page(self) -> PdfPage:
        """Return a new page at the end."""
        self.pages.append(PdfPage(self._fonts))
        return self.pages[-1]

    def to_bytes(self) -> bytes:
        """Return the file."""
        objects = _Objects()
        pages = objects.reserve()
        fonts = " ".join(
            f"/F{number} {_font(objects, number, face, used)} 0 R"
            for number, (face, used) in enumerate(self._fonts.items(), start=1)
        )
        resources = objects.add(f"<< /Font << {fonts} >> >>".encode())
        kids = []
        for page in self.pages:
            content = objects.stream("", "\n".join(page.parts).encode("ascii"))
            kids.append(
                objects.add(
                    f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {_numbers(*self.size)}] "
                    f"/Resources {resources} 0 R /Contents {content} 0 R >>".encode()
                )
            )
        listed = " ".join(f"{kid} 0 R" for kid in kids)
        objects.put(pages, f"<< /Type /Pages /Count {len(kids)} /Kids [{listed}] >>".encode())
        direction = "/R2L" if self.is_leftward else "/L2R"
        root = objects.add(
            f"<< /Type /Catalog /Pages {pages} 0 R /Lang ({self.language}) "
            f"/ViewerPreferences << /DisplayDocTitle true /Direction {direction} >> >>".encode()
        )
        info = objects.add(f"<< /Title {_said(self.title)} /Producer (Kilter) >>".encode())
        return objects.written(root, info)


class _Objects:
    """The numbered objects of a file."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        self._bodies.append(b"")
        return len(self._bodies)

    def put(self, number: int, body: bytes) -> None:
        self._bodies[number - 1] = body

    def add(self, body: bytes) -> int:
        number = self.reserve()
        self.put(number, body)
        return number

    def stream(self, entries: str, data: bytes) -> int:
        packed = zlib.compress(data, 9)
        head = f"<< /Length {len(packed)} /Filter /FlateDecode{entries} >>"
        return self.add(head.encode() + b"\nstream\n" + packed + b"\nendstream")

    def written(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, body in enumerate(self._bodies, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        name = hashlib.sha256(out).hexdigest()[:32]
        table = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        for place in places:
            out += f"{place:010d} 00000 n \n".encode()
        out += (
            f"trailer\n<< /Size {len(places) + 1} /Root {root} 0 R /Info {info} 0 R "
            f"/ID [<{name}> <{name}>] >>\nstartxref\n{table}\n%%EOF\n"
        ).encode()
        return bytes(out)


def _font(objects: _Objects, number: int, face: Typeface, used: dict[int, str]) -> int:
    """Add the part of a font that is used, under the numbers of its shapes, and return its object."""
    data = face.part(used)
    if face.is_compact:
        file = f"/FontFile3 {objects.stream(' /Subtype /CIDFontType0C', data)} 0 R"
        kind = "/CIDFontType0"
    else:
        file = f"/FontFile2 {objects.stream(f' /Length1 {len(data)}', data)} 0 R"
        kind = "/CIDFontType2 /CIDToGIDMap /Identity"
    # The six letters say that this is a part of the font.
    letters = "".join(chr(ord("A") + int(digit, 16)) for digit in f"{number:06x}")
    plain = "".join(letter for letter in face.family if letter.isascii() and letter.isalnum())
    name = f"/{letters}+{plain or 'Font'}"
    ascent, descent = _EM * face.ascent, -_EM * face.descent
    descriptor = objects.add(
        f"<< /Type /FontDescriptor /FontName {name} /Flags 4 "
        f"/FontBBox [{_numbers(*(_EM * edge for edge in face.bounds()))}] /ItalicAngle 0 "
        f"/Ascent {_numbers(ascent)} /Descent {_numbers(descent)} /CapHeight {_numbers(ascent)} /StemV 80 "
        f"{file} >>".encode()
    )
    widths = " ".join(f"{glyph} [{_numbers(_EM * face.advance(glyph))}]" for glyph in sorted(used))
    inner = objects.add(
        f"<< /Type /Font /Subtype {kind} /BaseFont {name} /FontDescriptor {descriptor} 0 R "
        f"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [{widths}] >>".encode()
    )
    letters_of = objects.stream("", _letters(used).encode("ascii"))
    return objects.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H "
        f"/DescendantFonts [{inner} 0 R] /ToUnicode {letters_of} 0 R >>".encode()
    )


def _letters(used: dict[int, str]) -> str:
    """Return the table by which readers of the file search and copy text."""
    entries = [
        f"<{glyph:04x}> <{text.encode('utf-16-be').hex()}>"
        for glyph, text in sorted(used.items())
        if text
    ]
    blocks = []
    for first in range(0, len(entries), _RANGES):
        block = entries[first : first + _RANGES]
        blocks.append(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar")
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def "
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def "
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        + "\n".join(blocks)
        + "\nendcmap CMapName currentdict /CMap defineresource pop end end"
    )


def _said(text: str) -> str:
    """Return a text for people in a file's description."""
    return f"<feff{text.encode('utf-16-be').hex()}>"
