"""What boxes and pictures say together, what is doubtful, and what somebody has confirmed."""

from pathlib import Path

import numpy as np
import pytest

from kilter.errors import InputError
from kilter.survey.instrument.instrument import read_instrument
from kilter.survey.paper.form import Box, Field, Form
from kilter.survey.paper.scan.mark import BoxMark, BoxMeasure
from kilter.survey.paper.scan.pile import ScannedBooklet
from kilter.survey.paper.scan.reading import Reading, decide, joined
from kilter.survey.paper.scan.review import Review

PICTURE = np.full((4, 6), 200, np.uint8)
EMPTY = BoxMeasure(0.0, 0.0, 0.0, 0.0, found=True)
CROSS = BoxMeasure(0.2, 0.2, 0.0, 0.0, found=True)
FILLED = BoxMeasure(0.9, 0.02, 0.0, 0.0, found=True)
SHADOW = BoxMeasure(0.3, 0.0, 0.3, 0.0, found=True)
CIRCLED = BoxMeasure(0.0, 0.0, 0.1, 0.1, found=True)
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
        (BoxMeasure(0.7, 0.02, 0.5, 0.0, found=True), BoxMark.DOUBTFUL),  # dark, and dark beside it
    ],
)
def test_a_box_is_what_its_ink_and_strokes_make_it(box: BoxMeasure, mark: BoxMark) -> None:
    assert box.mark is mark


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


def seen(value: int | None, doubt: str = "", scan: str = "a.png") -> Reading:
    return Reading(scan, value, doubt, PICTURE)


def test_pictures_of_one_page_agree_or_are_doubtful() -> None:
    doubt = seen(None, "unclear: box 1", "b.png")
    assert joined([doubt, seen(3)]).value == 3
    assert joined([seen(3), seen(3, scan="b.png")]).is_clear
    assert joined([doubt]) is doubt
    differ = joined([seen(3), seen(None, scan="b.png")])
    assert (differ.value, differ.doubt) == (None, "pictures differ: 3 in a.png, nothing in b.png")


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


def test_what_was_confirmed_is_kept_and_belongs_to_one_participant(tmp_path: Path) -> None:
    instrument = read_instrument("word-order", tmp_path, languages=["en"])
    folder = tmp_path / "review"
    doubts = {
        name: {(1, "order"): seen(None, "unclear: box 1"), (2, "order"): seen(None, 'a, "b"')}
        for name in ("p", "q")
    }
    assert Review(folder, instrument).write(doubts) == 4
    table = folder / "review.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    assert [line[-1] for line in lines[1:]] == [","] * 4
    table.write_text(
        "\n".join([lines[0], lines[1] + "4", lines[2], lines[3] + " none ", lines[4]]) + "\n",
        encoding="utf-8",
    )
    again = Review(folder, instrument)
    assert again.confirmed("p") == {(1, "order"): 4}
    assert again.confirmed("q") == {(1, "order"): None}
    assert again.confirmed("r") == {}
    assert again.write({"p": {(2, "order"): seen(None, "still unclear")}}) == 1
    third = Review(folder, instrument)
    assert (third.confirmed("p"), third.confirmed("q")) == (
        {(1, "order"): 4},
        {(1, "order"): None},
    )
    assert (folder / "p-2-order.png").exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,1,order,x,s,f,6", "the answer is '6'; write a number from 1 to 5, or none"),
        ("p,1,order,x,s,f,0", "the answer is '0'; write a number from 1 to 5, or none"),
        ("p,1,mood,x,s,f,3", "there is no question 'mood'"),
        ("p,one,order,x,s,f,3", "needs 7 cells, with the number of an item in the second"),
        ("p,1,order,x,s,f", "needs 7 cells"),
        ("p,1,order,x,s,f,2\np,1,order,x,s,f,2", "p has item 1, order twice"),
    ],
)
def test_a_table_that_was_filled_in_wrongly_is_refused(
    tmp_path: Path, row: str, message: str
) -> None:
    instrument = read_instrument("word-order", tmp_path, languages=["en"])
    header = "participant,position,question,doubt,scan,picture,answer\n"
    (tmp_path / "review.csv").write_text(f"{header}{row}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Review(tmp_path, instrument)
    assert f"review.csv:{2 + row.count(chr(10))}: {message}" in str(caught.value)
