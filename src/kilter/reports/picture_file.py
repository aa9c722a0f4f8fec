"""Pictures in files: SVG only, and never half of one."""

from __future__ import annotations

from pathlib import Path

from kilter.errors import InputError, OptionError


def check_picture_path(path: str) -> None:
    """Raise before anything is computed if a picture cannot be written there."""
    if Path(path).suffix != ".svg":
        raise OptionError(f"{path}: pictures are written as .svg")
    if not Path(path).parent.is_dir():
        raise InputError("its folder does not exist", where=path)


def write_picture(path: str, picture: str) -> None:
    """Write an SVG file."""
    try:
        Path(path).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=path) from error
