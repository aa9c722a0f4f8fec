"""Booklets of a pile: pages that are missing, answers that somebody has confirmed."""

from kilter.study.paper.form import Box, Field, Form
from kilter.study.paper.scan.pile import ScannedBooklet
from tests.study.paper.scan.measured import seen


def booklet() -> ScannedBooklet:
    """Return a booklet of four pages: a and b on 2, c on 3, a number by hand on 4."""
    boxes = [
        Box(page, position, name, value, 10.0 * value, 10.0, 5.0)
        for page, position, name in ((2, 1, "a"), (2, 1, "b"), (3, 2, "a"))
        for value in (1, 2)
    ]
    form = Form(
        study="x", questionnaire=1, items=("i", "j"), page_size=(600.0, 800.0), mark_size=30.0,
        marks=((0.0, 0.0),) * 4, code=(1.0, 1.0, 1.0), pages=4, boxes=boxes,
        fields=[Field(4, 2, "b", 1.0, 1.0, 1.0, 1.0)],
    )  # fmt: skip
    return ScannedBooklet("p", form)


def test_a_page_is_missing_while_nobody_knows_its_answers() -> None:
    made = booklet()
    assert made.missing_pages({}) == [2, 3, 4]
    made.readings = {(1, "a"): [seen(1)], (1, "b"): [seen(None, "unclear: box 1")]}
    assert made.missing_pages({}) == [3, 4]
    assert made.missing_pages({(2, "a"): None}) == [4]
    assert made.missing_pages({(2, "a"): None, (2, "b"): 7}) == []


def test_whoever_has_looked_knows_better_than_the_picture() -> None:
    made = booklet()
    made.readings = {
        (1, "a"): [seen(1)],
        (1, "b"): [seen(None, "unclear: box 1")],
        (2, "a"): [seen(None)],
    }
    assert made.answers({}) == {(1, "a"): 1, (2, "a"): None}
    assert [*made.doubts({})] == [(1, "b")]
    confirmed: dict[tuple[int, str], int | None] = {(1, "a"): 2, (1, "b"): None}
    assert made.answers(confirmed) == {(1, "a"): 2, (1, "b"): None, (2, "a"): None}
    assert made.doubts(confirmed) == {}
