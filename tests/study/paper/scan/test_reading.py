"""What boxes and pictures say together, what is doubtful, and what somebody has confirmed."""

import pytest

from kilter.study.paper.scan.mark import BoxMeasure
from kilter.study.paper.scan.reading import decide, joined
from tests.study.paper.scan.measured import CIRCLED, CROSS, EMPTY, FILLED, SHADOW, seen


@pytest.mark.parametrize(
    ("boxes", "value", "doubt"),
    [
        ([EMPTY, CROSS, EMPTY], 2, ""),
        ([EMPTY, EMPTY, EMPTY], None, ""),
        ([FILLED, EMPTY, CROSS], 3, ""),
        ([FILLED, FILLED, CROSS], 3, ""),
        ([CROSS, EMPTY, CROSS], None, "several are marked: box 1, 3"),
        ([FILLED, EMPTY, EMPTY], None, "filled, and none is marked: box 1"),
        ([CROSS, SHADOW, EMPTY], None, "unclear: box 2"),
        ([CROSS, EMPTY, CIRCLED], None, "something is written beside: box 3"),
        ([EMPTY, EMPTY, CIRCLED], None, "something is written beside: box 3"),
    ],
)
def test_boxes_give_one_answer_or_a_doubt(
    boxes: list[BoxMeasure], value: int | None, doubt: str
) -> None:
    assert decide(dict(enumerate(boxes, start=1))) == (value, doubt)


def test_pictures_of_one_page_agree_or_are_doubtful() -> None:
    doubt = seen(None, "unclear: box 1", "b.png")
    assert joined([doubt, seen(3)]).value == 3
    assert joined([seen(3), seen(3, scan="b.png")]).is_clear
    assert joined([doubt]) is doubt
    differ = joined([seen(3), seen(None, scan="b.png")])
    assert (differ.value, differ.doubt) == (None, "pictures differ: 3 in a.png, nothing in b.png")
