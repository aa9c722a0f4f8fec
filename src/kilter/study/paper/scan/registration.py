"""Pages found by the marks in their corners, turned upright and flattened, and their codes."""

from __future__ import annotations

import itertools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from kilter.core.errors import InputError
from kilter.study.paper.form import PageCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.study.paper.form import Form
    from kilter.study.paper.scan.sheet import Image, Sheet

SCALE = 3.0  # pixels per point of flattened pages
POINTS_PER_MM = 72 / 25.4
FEWEST_DOTS = 100
_ENOUGH_DOTS = 240
_FEWEST_MARKS = 3
_LARGEST_ERROR = SCALE * POINTS_PER_MM  # a millimetre
_ENLARGED = (4, 6, 3, 2)
_MODULES = range(21, 45, 4)  # squares along a side of codes
_SHIFTS = np.linspace(-0.5, 0.5, 9)  # of squares
_UNKNOWN = 128
_DRAWN = 6  # those that fit best
_MODULE_PIXELS = 8


@dataclass(frozen=True, slots=True, eq=False)
class FlatPage:
    """A page as it was printed, with `SCALE` pixels per point, rows from the top.

    `black` is how bright printed black is where paper is 1.
    """

    name: str
    image: Image
    black: float

    def rectangle(self, x: float, y: float, width: float, height: float, *, around: float) -> Image:
        """Return a part of the page by its lower left corner in points, with a border."""
        tall = self.image.shape[0]
        left, right = (round(SCALE * edge) for edge in (x - around, x + width + around))
        top, bottom = (tall - round(SCALE * edge) for edge in (y + height + around, y - around))
        return self.image[max(top, 0) : bottom, max(left, 0) : right]


def flat_page(sheet: Sheet, form: Form) -> FlatPage:
    """Return the page in a picture; without its marks, or with too few dots, it is an `InputError`.

    Any form will do: marks and codes are at the same places on the pages of all of them.
    """
    image = sheet.image
    marks = _marks(sheet)
    dots = float(np.mean([_side(corners) for corners in marks.values()])) * 72
    dots /= form.mark_size
    if dots < FEWEST_DOTS:
        raise InputError(
            f"has about {dots:.0f} dots per inch; scan it with 200, at least {FEWEST_DOTS}",
            where=sheet.name,
        )
    shrink = min(1.0, _ENOUGH_DOTS / dots)
    if shrink < 1.0:
        image = np.asarray(
            cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    wide, tall = (SCALE * length for length in form.page_size)
    places = {number: _square(*form.marks[number], form.mark_size, tall) for number in marks}
    seen = np.concatenate([shrink * marks[number] for number in marks]).astype(np.float32)
    wanted = np.concatenate([places[number] for number in marks]).astype(np.float32)
    transform, _ = cv2.findHomography(seen, wanted)
    if transform is None or _error(np.asarray(transform), seen, wanted) > _LARGEST_ERROR:
        raise InputError("is not flat; lay it on a table and scan it again", where=sheet.name)
    flat = np.asarray(
        cv2.warpPerspective(
            image, transform, (round(wide), round(tall)),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip
    return FlatPage(sheet.name, flat, _black(flat, list(places.values())))


def _marks(sheet: Sheet) -> dict[int, NDArray[np.float64]]:
    """Return the corners of the marks by number, clockwise from the top left as printed."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters
    )
    corners, numbers, _ = detector.detectMarkers(sheet.image)
    marks: dict[int, NDArray[np.float64]] = {}
    for number, place in zip([] if numbers is None else numbers.ravel(), corners, strict=True):
        if int(number) in marks:
            raise InputError("shows more than one page; take a picture of each", where=sheet.name)
        if number < 4:
            marks[int(number)] = np.asarray(place, np.float64).reshape(4, 2)
    if len(marks) < _FEWEST_MARKS:
        raise InputError(
            f"shows {len(marks)} of the four marks in the corners of a page; scan the whole page",
            where=sheet.name,
        )
    return marks


def _side(corners: NDArray[np.float64]) -> float:
    return float(np.mean(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))


def _square(x: float, y: float, size: float, tall: float) -> NDArray[np.float64]:
    """Return the corners of a printed square in pixels, clockwise from the top left."""
    points = [(x, y + size), (x + size, y + size), (x + size, y), (x, y)]
    return np.array([(SCALE * across, tall - SCALE * up) for across, up in points])


def _error(
    transform: NDArray[np.float64], seen: NDArray[np.float32], wanted: NDArray[np.float32]
) -> float:
    """Return how far, in pixels, the worst corner is from its place."""
    there = cv2.perspectiveTransform(seen.reshape(-1, 1, 2), transform).reshape(-1, 2)
    return float(np.max(np.linalg.norm(there - wanted, axis=1)))


def _black(flat: Image, places: list[NDArray[np.float64]]) -> float:
    """Return how bright black is, as a share of white, from the marks: they hold much of both."""
    shares = []
    for corners in places:
        (left, top), (right, bottom) = corners[0].astype(int), corners[2].astype(int)
        dark, bright = np.percentile(flat[top:bottom, left:right], (20, 90))
        shares.append(float(dark) / max(float(bright), 1.0))
    return min(float(np.median(shares)), 0.8)


def page_code(page: FlatPage, form: Form) -> PageCode | None:
    """Return what the code of a page says, or None if it cannot be read."""
    for picture in _code_pictures(page, form):
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            try:
                text, _, _ = detector.detectAndDecode(picture)
            except cv2.error:  # raised for some pictures that hold no code
                continue
            code = PageCode.parse(text)
            if code is not None:
                return code
    return None


def _code_pictures(page: FlatPage, form: Form) -> Iterator[Image]:
    """Yield the code drawn anew, then in several sizes, as it looks and sharpened: one may show it."""
    x, y, size = form.code
    near = page.rectangle(x, y, size, size, around=size / 4)
    yield from _drawn_again(near, SCALE * size)
    for factor in _ENLARGED:
        large = cv2.resize(near, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        yield np.asarray(large, np.uint8)
        soft = cv2.GaussianBlur(large, (0, 0), 2.0 * factor)
        yield np.asarray(cv2.addWeighted(large, 3.0, soft, -2.0, 0), np.uint8)


def _drawn_again(near: Image, size: float) -> Iterator[Image]:
    """Yield the code drawn anew from the middles of its squares, where its known parts fit best.

    With few dots per inch the edges between squares are at wrong places, and all of it is a bit beside its
    place. How many squares there are, and how far beside, is found by trying.
    """
    _, sharp = cv2.threshold(near, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    pictures = []
    for count in _MODULES:
        known = _known_squares(count)
        fixed = known != _UNKNOWN
        middles = (np.arange(count) + 0.5) * size / count
        for down, right in itertools.product(_SHIFTS, repeat=2):
            rows, columns = (
                (length - size) / 2 + middles + shift * size / count
                for length, shift in zip(near.shape, (down, right), strict=True)
            )
            squares = sharp[rows.astype(int)][:, columns.astype(int)]
            pictures.append((np.count_nonzero((squares == known) & fixed) / fixed.sum(), squares))
    pictures.sort(key=operator.itemgetter(0), reverse=True)
    for _, squares in pictures[:_DRAWN]:
        large = np.kron(squares, np.ones((_MODULE_PIXELS, _MODULE_PIXELS), np.uint8))
        yield np.pad(large, 4 * _MODULE_PIXELS, constant_values=255)


def _known_squares(count: int) -> Image:
    """Return what every code with so many squares has: three corners, and dots between them."""
    known = np.full((count, count), _UNKNOWN, np.uint8)
    known[6, ::2] = known[::2, 6] = 0
    known[6, 1::2] = known[1::2, 6] = 255
    distance = np.abs(np.arange(8) - 3)
    corner = np.where(np.isin(np.maximum.outer(distance, distance), (2, 4)), 255, 0)
    known[:8, :8] = corner
    known[:8, -8:] = corner[:, ::-1]
    known[-8:, :8] = corner[::-1]
    return known
