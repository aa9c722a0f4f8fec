"""What a box holds."""

import pytest

from kilter.study.paper.scan.mark import BoxMark, BoxMeasure
from tests.study.paper.scan.measured import CIRCLED, CROSS, EMPTY, FILLED, SHADOW

LOST = BoxMeasure(0.0, 0.0, 0.0, 0.0, found=False)


@pytest.mark.parametrize(
    ("box", "mark"),
    [
        (EMPTY, BoxMark.EMPTY),
        (CROSS, BoxMark.MARKED),
        (FILLED, BoxMark.FILLED),
        (SHADOW, BoxMark.DOUBTFUL),
        (LOST, BoxMark.DOUBTFUL),
        (CIRCLED, BoxMark.EMPTY),
        (BoxMeasure(0.2, 0.2, 0.15, 0.15, found=True), BoxMark.DOUBTFUL),  # a circle around a cross
        (BoxMeasure(0.04, 0.04, 0.0, 0.0, found=True), BoxMark.DOUBTFUL),  # a dot
        (BoxMeasure(0.9, 0.9, 0.0, 0.0, found=True), BoxMark.DOUBTFUL),  # a scribble
        (BoxMeasure(0.4, 0.4, 0.0, 0.0, found=True, length=2.9), BoxMark.MARKED),
        (BoxMeasure(0.4, 0.4, 0.0, 0.0, found=True, length=4.2), BoxMark.DOUBTFUL),  # by a thin pen
        (BoxMeasure(0.7, 0.02, 0.5, 0.0, found=True), BoxMark.DOUBTFUL),  # dark, and dark beside it
    ],
)
def test_a_box_is_what_its_ink_and_strokes_make_it(box: BoxMeasure, mark: BoxMark) -> None:
    assert box.mark is mark
