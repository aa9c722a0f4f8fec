"""Boxes as they are measured, and booklets of them."""

import numpy as np

from kilter.study.paper.scan.mark import BoxMeasure
from kilter.study.paper.scan.reading import Reading

PICTURE = np.full((4, 6), 200, np.uint8)


EMPTY = BoxMeasure(0.0, 0.0, 0.0, 0.0, found=True)


CROSS = BoxMeasure(0.2, 0.2, 0.0, 0.0, found=True)


FILLED = BoxMeasure(0.9, 0.02, 0.0, 0.0, found=True)


SHADOW = BoxMeasure(0.3, 0.0, 0.3, 0.0, found=True)


CIRCLED = BoxMeasure(0.0, 0.0, 0.1, 0.1, found=True)


def seen(value: int | None, doubt: str = "", scan: str = "a.png") -> Reading:
    return Reading(scan, value, doubt, PICTURE)
