"""Pictures in files: SVG or PNG, and never half of one."""

from __future__ import annotations

from pathlib import Path

from kilter.errors import OptionError
from kilter.formats.output import check_output, is_stream, write_file
from kilter.reports.chart.raster import check_raster, png_bytes

_ENDINGS = (".svg", ".png")


def check_picture_path(path: str) -> None:
    """Raise before anything is computed if a picture cannot be written there."""
    if Path(path).suffix not in _ENDINGS and not is_stream(path):
        raise OptionError(f"{path}: pictures are written as .svg or .png")
    check_output(path)
    if Path(path).suffix == ".png":
        check_raster()


def write_picture(path: str, picture: str) -> None:
    """Write an SVG picture to a file, as PNG if its name says so.

    The name of a device or a pipe need not say how a picture is written.
    """
    written = png_bytes(picture) if Path(path).suffix == ".png" else picture.encode()
    write_file(path, written)
