"""What is in a box: nothing, a cross or tick, a filled box that takes an answer back, or a doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from kilter.core.settings import Choice
from kilter.study.paper.scan.registration import POINTS_PER_MM, SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.study.paper.form import Box, Field
    from kilter.study.paper.scan.registration import FlatPage
    from kilter.study.paper.scan.sheet import Image

    Darkness = NDArray[np.float32]

_MM = SCALE * POINTS_PER_MM  # pixels
_SEARCH = 1.5  # millimetres that a box may be off its place on curved paper
_AROUND = 3.5  # millimetres of paper around a box that say what white is
_FAINT = 0.12  # darkness of paper, noise and grain, from 0 (paper) to 1 (print)
_STROKE = 2.0  # millimetres, wider than strokes of a pen
_LINE = 0.2  # the least contrast of the box's own outline
_MARGIN = 0.25  # millimetres of the frame of a field, and what blurs around it
_INSET = 0.75  # millimetres of the inside next to the outline that are not looked at

# Shares of the inside of a box that are dark.
_EMPTY = 0.025
_MARKED = 0.06
_MOST_MARKED = 0.62
_FILLED = 0.4  # by a pencil, too: what is filled has no strokes
_LINES = 0.75  # of what is dark must be strokes in a marked box: scribbles run together
_NO_LINES = 0.13  # and at most so much in a filled one
_LONGEST = 3.7  # strokes, in lengths of the inside: a cross has less than three, a scribble with a thin pen more than four
_SHADE = 0.15  # dark beside the box, without strokes
_OUTSIDE = 0.5  # strokes beside a marked box, to those inside: more is a circle around it
_EVEN = 1e-3  # pixels
_WRITING = 0.002  # of a field: less than a single digit


class BoxMark(Choice):
    """What is in a box."""

    EMPTY = "empty"
    MARKED = "marked"
    FILLED = "filled"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class BoxMeasure:
    """Shares from 0 to 1 that are dark, or dark strokes, inside a box and beside it.

    `found` says whether the outline of the box was seen at all, `length` how long its strokes are together, as a
    multiple of the inside of the box.
    """

    ink: float
    strokes: float
    ink_beside: float
    strokes_beside: float
    found: bool
    length: float = 0.0

    @property
    def mark(self) -> BoxMark:
        """What is in the box: a shadow is dark without strokes, and does not end at the outline."""
        if not self.found:
            return BoxMark.DOUBTFUL
        if self.ink < _EMPTY and self.strokes < _EMPTY:
            return BoxMark.EMPTY
        if self.ink_beside - self.strokes_beside > _SHADE:
            return BoxMark.DOUBTFUL
        if self.ink > _FILLED and self.strokes < _NO_LINES:
            return BoxMark.FILLED
        is_drawn = (
            self.strokes > _LINES * self.ink and self.strokes_beside < _OUTSIDE * self.strokes
        )
        is_short = self.ink < _MOST_MARKED and self.length < _LONGEST
        if is_drawn and self.strokes > _MARKED and is_short:
            return BoxMark.MARKED
        return BoxMark.DOUBTFUL

    @property
    def has_strokes_beside(self) -> bool:
        """Whether something is written next to the box, such as a circle around it."""
        return self.strokes_beside > _EMPTY


def measure(page: FlatPage, box: Box) -> BoxMeasure:
    """Return what is dark in a box and beside it."""
    around = _AROUND * POINTS_PER_MM
    darkness = _darkness(page, page.rectangle(box.x, box.y, box.size, box.size, around=around))
    dark, strokes = (_without_faint(values) for values in darkness)
    size = round(SCALE * box.size)
    row, column, contrast = _outline(np.clip(darkness[0], 0, 1), size)
    inset = round(_INSET * _MM)
    inside = np.s_[row + inset : row + size - inset, column + inset : column + size - inset]
    return BoxMeasure(
        ink=float(dark[inside].mean()),
        strokes=float(strokes[inside].mean()),
        ink_beside=_beside(dark, row, column, size),
        strokes_beside=_beside(strokes, row, column, size),
        found=contrast > _LINE,
        length=_length(darkness[1][inside]) if strokes[inside].mean() > _MARKED else 0.0,
    )


def _length(strokes: Darkness) -> float:
    """Return how long strokes are: their area by their width, which is twice the way from their middle to their edge."""
    large = cv2.resize(strokes, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    darkest = max(float(np.percentile(large, 95)), _LINE)
    drawn = (large > darkest / 2).astype(np.uint8)
    depth = cv2.distanceTransform(drawn, cv2.DIST_L2, 5)
    middle = (depth >= cv2.dilate(depth, np.ones((3, 3), np.uint8)) - _EVEN) & (drawn > 0)
    if not middle.any():
        return 0.0
    width = max(2 * float(depth[middle].mean()) - 1, 1.0)
    return float(drawn.sum()) / width / float(large.shape[0])


def has_writing(page: FlatPage, place: Field) -> bool:
    """Return whether anything is written in a field; on curved paper its own frame may be in its place."""
    inset = -(_SEARCH + _MARGIN) * POINTS_PER_MM
    window = page.rectangle(place.x, place.y, place.width, place.height, around=inset)
    _, strokes = _darkness(page, window)
    return float(_without_faint(strokes).mean()) > _WRITING


def _darkness(page: FlatPage, window: Image) -> tuple[Darkness, Darkness]:
    """Return how dark a part of a page is, from 0 for paper to 1 for print, and its strokes alone."""
    gray = cv2.GaussianBlur(window, (0, 0), 1.2).astype(np.float32)
    paper = float(np.percentile(gray, 80))
    depth = max(paper * (1 - page.black), 1.0)
    width = 2 * round(_STROKE * _MM / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    strokes = cv2.morphologyEx(gray, cv2.MORPH_BLACKHAT, kernel)
    return (paper - gray) / depth, np.asarray(strokes, np.float32) / depth


def _without_faint(values: Darkness) -> Darkness:
    return np.where(values < _FAINT, 0, np.minimum(values, 1)).astype(np.float32)


def _outline(dark: Darkness, size: int) -> tuple[int, int, float]:
    """Return row and column of the box near the middle of a window, and the contrast of its outline."""
    line, gap = round(0.35 * _MM), round(0.6 * _MM)
    border = line + gap
    kernel = np.zeros((size + 2 * border,) * 2, np.float32)
    kernel[:] = -1.0
    kernel[line:-line, line:-line] = 0.0  # a gap between the ring of paper outside and the outline
    edge = border - line // 2
    kernel[edge:-edge, edge:-edge] = 1.0
    inner = edge + line
    kernel[inner:-inner, inner:-inner] = 0.0
    kernel[kernel > 0] /= np.count_nonzero(kernel > 0)
    kernel[kernel < 0] /= np.count_nonzero(kernel < 0)
    places = dark.shape[0] - kernel.shape[0] + 1
    middle = round(_AROUND * _MM) - border
    reach = min(round(_SEARCH * _MM), middle, places - 1 - middle)
    seen = cv2.matchTemplate(dark.astype(np.float32), kernel, cv2.TM_CCORR)
    near = seen[middle - reach : middle + reach + 1, middle - reach : middle + reach + 1]
    _, contrast, _, (across, down) = cv2.minMaxLoc(near)
    first = middle - reach + border
    return first + down, first + across, float(contrast)


def _beside(values: Darkness, row: int, column: int, size: int) -> float:
    """Return the mean left and right of a box and above it; below are printed numbers."""
    near, far = round(1.0 * _MM), round(2.4 * _MM)
    low = max(row - far, 0)
    parts = [
        values[low : row + size, max(column - far, 0) : max(column - near, 0)],
        values[low : row + size, column + size + near : column + size + far],
        values[low : max(row - near, 0), column : column + size],
    ]
    return float(np.mean(np.concatenate([part.ravel() for part in parts])))
