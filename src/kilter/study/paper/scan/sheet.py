"""Pictures of pages from image files, PDF files and folders of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pypdfium2

from kilter.core.errors import InputError
from kilter.io.stream import check_name, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

cv2.utils.logging.setLogLevel(
    cv2.utils.logging.LOG_LEVEL_SILENT
)  # what cannot be read is said once, by us
_PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")
_DOTS = 250  # per inch, for pages of PDF files
_LONGEST_SIDE = 6000
_PNG = b"\x89PNG\r\n\x1a\n"
_AROUND = 12  # bytes of a part's length, name and checksum


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One picture of a page in shades of grey; the name says which file, and which page of several."""

    name: str
    image: Image


def sheets(paths: Iterable[Path]) -> Iterator[Sheet | InputError]:
    """Yield the pictures in files and folders in the order of their names, and what cannot be read."""
    for path in paths:
        try:
            folder = is_folder(path)
        except InputError as error:
            yield error
            continue
        if folder:
            inside = [file for file in sorted(path.rglob("*")) if file.is_file()]
            yield from sheets(file for file in inside if not file.name.startswith("."))
        else:
            yield from _sheets(path)


def _sheets(path: Path) -> Iterator[Sheet | InputError]:
    try:
        check_name(str(path))
    except InputError as error:
        yield error
        return
    suffix = path.suffix.lower()
    if suffix not in (*_PICTURES, ".pdf"):
        yield InputError("is no PNG, JPEG, TIFF or PDF file; leave it out", where=str(path))
        return
    try:
        data = path.read_bytes()
        images = _pdf_pages(data) if suffix == ".pdf" else _pictures(data)
        several = suffix in (".pdf", ".tif", ".tiff")
        for number, image in enumerate(images, start=1):
            yield Sheet(f"{path}:{number}" if several else str(path), image)
    except OSError as error:
        yield InputError(f"cannot be read: {error.strerror}", where=str(path))
    except (cv2.error, pypdfium2.PdfiumError, ValueError):
        yield InputError("cannot be read; scan the page again", where=str(path))


def _pictures(data: bytes) -> Iterator[Image]:
    if data.startswith(_PNG) and not _is_whole(data):
        raise ValueError
    is_read, images = cv2.imdecodemulti(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    if not is_read or not images:
        raise ValueError
    for image in images:
        yield np.asarray(image, np.uint8)


def _is_whole(data: bytes) -> bool:
    """Return whether all parts of a PNG file are as long as they say; room for them is made before they are read."""
    at = len(_PNG)
    while at < len(data):
        name = data[at + 4 : at + 8]
        at += _AROUND + int.from_bytes(data[at : at + 4], "big")
        if name == b"IEND":  # what stands behind it is no part
            break
    return at <= len(data)


def _pdf_pages(data: bytes) -> Iterator[Image]:
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            scale = min(_DOTS / 72, _LONGEST_SIDE / max(page.get_size()))
            seen = np.array(page.render(scale=scale, grayscale=True).to_numpy(), np.uint8)
            # A side of one dot stays a side.
            yield seen.reshape(seen.shape[:2])
            page.close()
