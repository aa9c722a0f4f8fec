"""Booklets filled in by hand, and what scanners and cameras make of them."""

import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from kilter.study.paper.form import Box, Form
from tests.thorough import tried

Image = NDArray[np.uint8]
DOTS = tried(200, quick=150)  # per inch; the survey asks for 200, and for 100 at least
PIXELS = DOTS / 72  # per point
_MM = DOTS / 25.4


def inches(count: float) -> int:
    """Return the number of dots that lie in so many inches."""
    return round(count * DOTS)


def printed_pages(pdf: Path) -> list[Image]:
    """Return the pages of a PDF file as they come out of a printer, to be written on."""
    return [page.copy() for page in _rendered(pdf.read_bytes())]


@lru_cache(maxsize=8)
def _rendered(pdf: bytes) -> list[Image]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [
            np.array(page.render(scale=PIXELS, grayscale=True).to_numpy(), np.uint8).squeeze()
            for page in document
        ]


class Pen:
    """Somebody's hand: never twice the same, always within what the booklet asks for."""

    def __init__(self, page: Image, seed: int, *, width: float = 0.5, shade: int = 40) -> None:
        self.page = page
        self.chance = random.Random(seed)
        self.width = max(1, round(width * _MM))
        self.shade = shade

    def _line(self, *points: tuple[float, float]) -> None:
        pixels = np.array(points, np.float64).round().astype(np.int32)
        cv2.polylines(
            self.page,
            [pixels],
            isClosed=False,
            color=self.shade,
            thickness=self.width,
            lineType=cv2.LINE_AA,
        )

    def _at(self, box: Box, across: float, up: float) -> tuple[float, float]:
        """Return a place in a box, from (0, 0) in its lower left corner to (1, 1), nearly."""
        tremble = 0.08 * box.size
        x = box.x + across * box.size + self.chance.uniform(-tremble, tremble)
        y = box.y + up * box.size + self.chance.uniform(-tremble, tremble)
        return PIXELS * x, self.page.shape[0] - PIXELS * y

    def cross(self, box: Box) -> None:
        self._line(self._at(box, 0, 0), self._at(box, 1, 1))
        self._line(self._at(box, 0, 1), self._at(box, 1, 0))

    def tick(self, box: Box) -> None:
        self._line(self._at(box, 0.1, 0.5), self._at(box, 0.4, 0.1), self._at(box, 1.1, 1.2))

    def fill(self, box: Box) -> None:
        """Cover a box in lines close to one another, a little over its edges."""
        for step in range(25):
            height = step / 24
            self._line(self._at(box, -0.05, height), self._at(box, 1.05, height))

    def scribble(self, box: Box) -> None:
        """Strike a box out, but not fill it."""
        for step in range(5):
            self._line(self._at(box, 0, step / 5), self._at(box, 1, step / 5 + 0.2))
            self._line(self._at(box, 0, step / 5 + 0.2), self._at(box, 1, step / 5))

    def circle(self, box: Box) -> None:
        middle = self._at(box, 0.5, 0.5)
        radius = round(PIXELS * box.size * 0.95)
        center = (round(middle[0]), round(middle[1]))
        cv2.circle(self.page, center, radius, self.shade, self.width, cv2.LINE_AA)

    def dot(self, box: Box, millimetres: float) -> None:
        x, y = self._at(box, 0.5, 0.5)
        cv2.circle(self.page, (round(x), round(y)), round(millimetres * _MM / 2), self.shade, -1)


def boxes_of(form: Form, page: int) -> dict[tuple[int, str], dict[int, Box]]:
    """Return the boxes of a page by position and question, then by value."""
    found: dict[tuple[int, str], dict[int, Box]] = {}
    for box in form.boxes:
        if box.page == page:
            found.setdefault((box.position, box.question), {})[box.value] = box
    return found


# What happens to pages on their way. Paper lies on a darker table, with some of it around the page.


def on_table(page: Image, *, border: int = 120, shade: int = 90) -> Image:
    return cv2.copyMakeBorder(
        page, border, border, border, border, cv2.BORDER_CONSTANT, value=shade
    ).astype(np.uint8)


def rotated(page: Image, degrees: float) -> Image:
    laid = on_table(page, border=700)
    tall, wide = laid.shape
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), degrees, 1.0)
    return cv2.warpAffine(laid, turn, (wide, tall), borderValue=90).astype(np.uint8)


def upside_down(page: Image) -> Image:
    return np.ascontiguousarray(np.rot90(page, 2))


def on_its_side(page: Image) -> Image:
    return np.ascontiguousarray(np.rot90(page))


def skewed(page: Image, amount: float = 0.09) -> Image:
    """Return a photograph from the side: the far edge is shorter, and the page leans."""
    laid = on_table(page)
    tall, wide = laid.shape
    seen = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    shift = np.array(
        [[amount * wide, amount * tall / 2], [wide * (1 - amount / 2), 0], [wide, tall], [0, tall * (1 - amount / 3)]],
        np.float32,
    )  # fmt: skip
    change = cv2.getPerspectiveTransform(seen, shift)
    return cv2.warpPerspective(laid, change, (wide, tall), borderValue=90).astype(np.uint8)


def curved(page: Image, millimetres: float = 1.0) -> Image:
    """Return a page that does not lie quite flat."""
    tall, wide = page.shape
    rows, columns = np.indices((tall, wide), np.float32)
    bend = millimetres * _MM * np.sin(np.pi * columns / wide).astype(np.float32)
    return cv2.remap(page, columns, rows + bend, cv2.INTER_LINEAR, borderValue=255).astype(np.uint8)


def noisy(page: Image, spread: float = 18.0) -> Image:
    noise = np.random.default_rng(1).normal(0, spread, page.shape)
    return np.clip(page + noise, 0, 255).astype(np.uint8)


def blurred(page: Image, millimetres: float = 0.2) -> Image:
    return cv2.GaussianBlur(page, (0, 0), millimetres * _MM).astype(np.uint8)


def shadowed(page: Image, *, depth: float = 0.5, softness: float = 60.0) -> Image:
    """Return a page with the shadow of a hand over a corner and light from one side."""
    tall, wide = page.shape
    rows, columns = np.indices((tall, wide), np.float32)
    light: NDArray[np.float32] = 0.75 + 0.25 * columns / wide
    edge = (rows + 0.6 * columns) - 0.8 * tall
    light *= 1 - depth / (1 + np.exp(-np.clip(edge / softness, -50, 50)))
    return np.asarray(np.clip(page * light, 0, 255), np.uint8)


def compressed(page: Image, quality: int = 25) -> Image:
    _, data = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)


def pale(page: Image) -> Image:
    """Return a page printed with little toner on greyish paper."""
    return (70 + page.astype(np.float64) * 140 / 255).astype(np.uint8)


def fine(page: Image) -> Image:
    """Return a page with 600 dots per inch."""
    more = 600 / DOTS
    return cv2.resize(page, None, fx=more, fy=more, interpolation=cv2.INTER_CUBIC).astype(np.uint8)


def coarse(page: Image, dots: int = 120) -> Image:
    """Return a page with so few dots per inch."""
    less = dots / DOTS
    return cv2.resize(page, None, fx=less, fy=less, interpolation=cv2.INTER_AREA).astype(np.uint8)


WAYS: Mapping[str, Callable[[Image], Image]] = {
    "as it is": lambda page: page,
    "on a table": on_table,
    "turned by 7 degrees": lambda page: rotated(page, 7),
    "turned by -38 degrees": lambda page: rotated(page, -38),
    "upside down": upside_down,
    "on its side": on_its_side,
    "from the side": skewed,
    "curved": curved,
    "noisy": noisy,
    "blurred": blurred,
    "in shadow": shadowed,
    "in a hard shadow": lambda page: shadowed(page, softness=2.0),
    "compressed": compressed,
    "pale": pale,
    "600 dots per inch": fine,
    "120 dots per inch": coarse,
    "everything at once": lambda page: compressed(
        noisy(blurred(shadowed(skewed(rotated(page, 4), 0.06)), 0.12), 8), 50
    ),
}
