"""Pictures in files: SVG, PNG or PDF, and never half of one."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category
from unicodedata import name as unicode_name

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.io.output import check_output, is_stream, write_file
from kilter.render.chart.drawing import INK, SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from xml.etree.ElementTree import Element

FIGURES_INSTALL = "pip install 'kilter[figures]'"
# Vera comes with reportlab and has the letters of Western Europe; its widths are those that texts are laid out by.
_FONT = "Bitstream Vera Sans"
_FILES = ("Vera.ttf", "VeraBd.ttf")
_LAST_LETTER = "\u00ff"


def check_raster() -> None:
    """Raise if pictures cannot be made of dots here."""
    try:
        import reportlab  # noqa: F401, PLC0415 - an extra
        import resvg_py  # noqa: F401 - an extra
    except ImportError as error:
        raise MissingToolError("a PNG picture", install=FIGURES_INSTALL) from error


def png_bytes(picture: str, *, scale: float = 2.0) -> bytes:
    """Return an SVG picture as PNG, `scale` dots for each of its units.

    The same picture gives the same bytes, unless it holds letters that only fonts of this machine have.
    """
    check_raster()
    import reportlab  # noqa: PLC0415 - an extra
    import resvg_py

    fonts = Path(reportlab.__file__).parent / "fonts"
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=picture,
        zoom=scale,
        font_files=[str(fonts / name) for name in _FILES],
        sans_serif_family=_FONT,
        font_family=_FONT,
        skip_system_fonts=max(picture) <= _LAST_LETTER,
    )
    return drawn


_SVG = "{http://www.w3.org/2000/svg}"
# A unit of SVG is a 96th of an inch, a point of PDF a 72nd.
_POINT = 0.75
_REGULAR, _BOLD = "KilterPicture", "KilterPictureBold"
_FILES_portable_document = {_REGULAR: "Vera.ttf", _BOLD: "VeraBd.ttf"}
_STEP = re.compile(r"([Mlh])\s*(-?[\d.]+)(?:,(-?[\d.]+))?")
_NOT_A_LETTER = "\U0010fffd"
_WITHOUT_SHAPE = frozenset({"Mn", "Me", "Cf", "Zs"})
_DOTS = 6.0
"""Dots a unit for words that are set as dots: 576 an inch."""


def check_pdf() -> None:
    """Raise if pictures cannot be written as PDF here."""
    try:
        import reportlab  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise MissingToolError("a PDF picture", install=FIGURES_INSTALL) from error


def pdf_bytes(picture: str) -> bytes:
    """Return a picture that `Drawing` made as a PDF of one page, as large as the picture.

    Letters are those of a font that comes with it, and can be searched and copied. Words with letters that this
    font does not have are set as dots, in a font of this machine, as in a PNG; a letter that no font here has is
    an `InputError`.
    """
    check_pdf()
    from xml.etree.ElementTree import fromstring

    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - an extra

    root = fromstring(picture)  # noqa: S314 - our own picture
    width, height = _number(root, "width"), _number(root, "height")
    _register()
    out = BytesIO()
    # The same picture gives the same bytes: no date, no random name.
    canvas = Canvas(out, pagesize=(width * _POINT, height * _POINT), invariant=1)
    canvas.setTitle(_text_of(root, "title"))
    canvas.setSubject(_text_of(root, "desc"))
    canvas.setCreator("Kilter")
    canvas.translate(0, height * _POINT)
    canvas.scale(_POINT, -_POINT)
    painter = _Painter(canvas, root)
    for element in root:
        painter.draw(element)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _register() -> None:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - an extra
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - an extra

    known = pdfmetrics.getRegisteredFontNames()
    for name, file in _FILES_portable_document.items():
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, file))


class _Painter:
    """Draws the shapes of one picture, one after another."""

    def __init__(self, canvas: Any, root: Element) -> None:
        self.canvas = canvas
        self.patterns = {
            f"url(#{pattern.get('id')})": pattern for pattern in root.iter(f"{_SVG}pattern")
        }
        self.shapes: dict[str, Callable[[Element], None]] = {
            "rect": self._rectangle,
            "line": self._line,
            "polyline": self._polyline,
            "polygon": self._polyline,
            "circle": self._circle,
            "path": self._path,
            "text": self._text,
        }

    def draw(self, element: Element) -> None:
        """Draw one element; what tells of the picture is no shape."""
        name = element.tag.removeprefix(_SVG)
        if name not in ("title", "desc", "defs"):
            self.shapes[name](element)

    def _look(self, element: Element) -> dict[str, int]:
        """Set colours, width and dashes; return what of a shape is drawn."""
        fill, stroke = element.get("fill", INK), element.get("stroke", "none")
        if fill != "none" and fill not in self.patterns:
            self.canvas.setFillColor(_colour(fill))
        if stroke != "none":
            self.canvas.setStrokeColor(_colour(stroke))
            self.canvas.setLineWidth(float(element.get("stroke-width", "1")))
            dash = element.get("stroke-dasharray", "")
            self.canvas.setDash([float(part) for part in dash.split()])
        filled = fill != "none" and fill not in self.patterns
        return {"fill": int(filled), "stroke": int(stroke != "none")}

    def _rectangle(self, element: Element) -> None:
        place = [_number(element, name) for name in ("x", "y", "width", "height")]
        pattern = self.patterns.get(element.get("fill", ""))
        if pattern is not None:
            self._hatch(pattern, *place)
        self.canvas.rect(*place, **self._look(element))

    def _hatch(self, pattern: Element, x: float, y: float, width: float, height: float) -> None:
        """Lay a pattern over a box, tile by tile from the corner of the picture, as SVG does."""
        across, down = _number(pattern, "width"), _number(pattern, "height")
        self.canvas.saveState()
        clip = self.canvas.beginPath()
        clip.rect(x, y, width, height)
        self.canvas.clipPath(clip, stroke=0, fill=0)
        for column in range(int(x // across), int((x + width) // across) + 1):
            for row in range(int(y // down), int((y + height) // down) + 1):
                self.canvas.saveState()
                self.canvas.translate(column * across, row * down)
                for shape in pattern:
                    # What a shape does not say of its look is said by the pattern.
                    shape.attrib = {**_inherited(pattern), **shape.attrib}
                    self.draw(shape)
                self.canvas.restoreState()
        self.canvas.restoreState()

    def _line(self, element: Element) -> None:
        self._look(element)
        self.canvas.line(*(_number(element, name) for name in ("x1", "y1", "x2", "y2")))

    def _polyline(self, element: Element) -> None:
        drawn = self._look(element)
        path = self.canvas.beginPath()
        for place, point in enumerate(element.get("points", "").split()):
            x, y = map(float, point.split(","))
            (path.lineTo if place else path.moveTo)(x, y)
        if element.tag == f"{_SVG}polygon":
            path.close()
        self.canvas.drawPath(path, **drawn)

    def _circle(self, element: Element) -> None:
        centre = [_number(element, name) for name in ("cx", "cy", "r")]
        self.canvas.circle(*centre, **self._look(element))

    def _path(self, element: Element) -> None:
        """Draw the lines of a hatching: places to begin at, and ways from there."""
        drawn = self._look(element)
        path = self.canvas.beginPath()
        x = y = 0.0
        for step, first, second in _STEP.findall(element.get("d", "")):
            if step == "M":
                x, y = float(first), float(second)
                path.moveTo(x, y)
            else:
                x, y = x + float(first), y + float(second or 0)
                path.lineTo(x, y)
        self.canvas.drawPath(path, **{**drawn, "fill": 0})

    def _text(self, element: Element) -> None:
        text = element.text or ""
        font = _BOLD if element.get("font-weight") == "bold" else _REGULAR
        size = float(element.get("font-size", SIZE))
        self.canvas.saveState()
        self.canvas.translate(_number(element, "x"), _number(element, "y"))
        if element.get("transform"):
            self.canvas.rotate(-90)
        self.canvas.scale(1, -1)
        anchor = element.get("text-anchor", "start")
        if _has_letters(font, text):
            self.canvas.setFillColor(_colour(element.get("fill", INK)))
            self.canvas.setFont(font, size)
            {
                "start": self.canvas.drawString,
                "middle": self.canvas.drawCentredString,
                "end": self.canvas.drawRightString,
            }[anchor](0, 0, text)
        else:
            self._dots(element, text, size, anchor)
        self.canvas.restoreState()

    def _dots(self, element: Element, text: str, size: float, anchor: str) -> None:
        """Set a word as dots, in a font of this machine."""
        from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - an extra

        for letter in sorted(set(text)):
            if not _is_known(letter):
                raise InputError(
                    f"no font of this machine has the letter {letter!r} ({unicode_name(letter, 'no name')}); install one, or "
                    "write the picture as .svg",
                    where=repr(text),
                )
        room, high = size * (len(text) + 2) * 1.4, size * 2
        base = size * 1.4
        look = f'font-family="sans-serif" font-size="{size}" fill="{element.get("fill", INK)}"'
        weight = ' font-weight="bold"' if element.get("font-weight") == "bold" else ""
        # Half of the room lies on either side, so that any anchor finds its place in the middle.
        from xml.etree.ElementTree import Element, tostring

        alone = Element("text", {"x": str(room), "y": str(base), "text-anchor": anchor})
        alone.text = text
        body = tostring(alone, encoding="unicode")
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * room}" height="{high}" '
            f"{look}{weight}>{body}</svg>"
        )
        image = ImageReader(BytesIO(png_bytes(picture, scale=_DOTS)))
        self.canvas.drawImage(image, -room, base - high, 2 * room, high, mask="auto")


@cache
def _is_known(letter: str) -> bool:
    """Return whether a font here has a letter; what no font has is drawn as a letter that none can have."""
    if category(letter) in _WITHOUT_SHAPE:
        return True
    return _drawn(letter) != _drawn(_NOT_A_LETTER)


def _drawn(letter: str) -> bytes:
    return png_bytes(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="sans-serif" '
        f'font-size="20"><text x="5" y="25">{escape(letter)}</text></svg>'
    )


def _inherited(pattern: Element) -> dict[str, str]:
    return {
        name: pattern.get(name, "")
        for name in ("fill", "stroke", "stroke-width")
        if pattern.get(name)
    }


def _has_letters(font: str, text: str) -> bool:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - an extra

    widths = pdfmetrics.getFont(font).face.charWidths
    return all(ord(letter) in widths for letter in text)


def _colour(text: str) -> Any:
    from reportlab.lib.colors import HexColor  # noqa: PLC0415 - an extra

    digits = text.removeprefix("#")
    return HexColor(f"#{digits if len(digits) == 6 else ''.join(2 * digit for digit in digits)}")


def _number(element: Element, name: str) -> float:
    return float(element.get(name, "0"))


def _text_of(root: Element, name: str) -> str:
    found = root.find(f"{_SVG}{name}")
    return "" if found is None else found.text or ""


_ENDINGS = (".svg", ".png", ".pdf")


def check_picture_path(path: str, inputs: Iterable[str] = (), *, called: str | None = None) -> None:
    """Raise before anything is computed if a picture cannot be written there, or would replace an input."""
    if Path(path).suffix not in _ENDINGS and not is_stream(path):
        raise OptionError(f"{path}: pictures are written as .svg, .png or .pdf")
    check_output(path, inputs, called=called)
    if Path(path).suffix == ".png":
        check_raster()
    elif Path(path).suffix == ".pdf":
        check_pdf()


def write_picture(path: str, picture: str) -> None:
    """Write an SVG picture to a file, as PNG or PDF if its name says so.

    The name of a device or a pipe need not say how a picture is written.
    """
    written = {".png": png_bytes, ".pdf": pdf_bytes}.get(Path(path).suffix, str.encode)(picture)
    write_file(path, written)
