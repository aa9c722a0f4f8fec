"""Pictures in files: SVG, PNG or PDF, and never half of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.io.output import check_output, is_stream, write_file
from kilter.render.chart.portable_document import check_pdf, pdf_bytes
from kilter.render.chart.raster import check_raster, png_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

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
