"""Pictures in dots: SVG as PNG, with a font that does not depend on the machine."""

from __future__ import annotations

from pathlib import Path

from kilter.core.errors import MissingToolError

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
