"""What stands on pages: where it is, and that it fits."""

from collections.abc import Sequence

import pytest

from kilter.study.paper.block import (
    MM,
    BoxScale,
    Choices,
    Column,
    LanguageRows,
    PaperBlock,
    Words,
    Written,
    YesNo,
)
from kilter.study.paper.form import Form
from kilter.study.paper.pdf_file import PdfPage
from kilter.study.paper.type.typeface import built_in
from kilter.study.paper.type.typeface_choice import TypefacePair
from kilter.study.paper.type.typesetter import Lettering, SetLine, Typesetter

SETTER = Typesetter([TypefacePair(built_in(), built_in(bold=True))])
LOOK = Lettering(size=10, language="en")
WIDTH = 170 * MM
LEVELS = ["some", "more", "all"]
BLOCKS: dict[str, PaperBlock] = {
    "words": Words("Please read this. " * 12, LOOK, indent=10, before=3, after=4),
    "scale": BoxScale((1, "order"), range(1, 6), ("worst", "best"), LOOK),
    "long labels": BoxScale((1, "order"), range(1, 8), ("a very bad one " * 6, "good " * 9), LOOK),
    "eleven boxes": BoxScale((1, "order"), range(1, 12), ("worst", "best"), LOOK),
    "choices": Choices((1, "better"), ["first", "second"], LOOK),
    "many choices": Choices((1, "better"), ["a rather long answer"] * 7, LOOK),
    "yes or no": YesNo((0, "risks"), "I was told of all risks. " * 9, ("yes", "no"), LOOK),
    "a number": Written((0, "age"), "0 = no, 9 = yes:", LOOK, width=80),
    "a line": Written((1, "name"), "Name", LOOK, is_framed=False, label_width=90),
    "languages": LanguageRows("spoken", 3, ("language", "how well", "more"), LEVELS, LOOK),
}


class Watched(PdfPage):
    """A page that writes down where things are: left, low, right, high."""

    __slots__ = ("places", "words")

    def __init__(self) -> None:
        super().__init__({})
        self.places: list[tuple[float, float, float, float]] = []
        self.words: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float) -> None:
        self.places.append((x, y, x + width, y + height))

    def line(self, x: float, y: float, across: float) -> None:
        self.places.append((x, y, x + across, y))

    def text(self, line: SetLine, x: float, y: float) -> None:
        self.places.append((x, y - line.descent, x + line.width, y + line.ascent))
        self.words.append("".join(glyph.text for run in line.runs for glyph in run.glyphs))


def drawn(block: PaperBlock, *, is_leftward: bool = False) -> tuple[Watched, Form]:
    page, form = Watched(), Form("x", 1, ())
    column = Column(page, 3, 50.0, WIDTH, 800.0, is_leftward, form)
    block.draw(SETTER, column)
    return page, form


@pytest.mark.parametrize("is_leftward", [0, 1])
@pytest.mark.parametrize("name", [*BLOCKS])
def test_a_block_lies_within_its_column_and_height_and_nothing_touches(
    name: str, is_leftward: int
) -> None:
    block = BLOCKS[name]
    page, form = drawn(block, is_leftward=bool(is_leftward))
    low = 800 - block.height(SETTER, WIDTH)
    for left, bottom, right, top in page.places:
        assert 50 - 0.01 <= left < right <= 50 + WIDTH + 0.01
        assert low - 0.01 <= bottom <= top <= 800.01
    boxes = [(box.x, box.y, box.x + box.size, box.y + box.size) for box in form.boxes]
    for place in boxes:
        others = [other for other in page.places if other[:2] != pytest.approx(place[:2], abs=0.02)]
        assert not [other for other in others if _overlap(place, other)]


def _overlap(first: Sequence[float], second: Sequence[float]) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


@pytest.mark.parametrize("name", [*BLOCKS])
def test_from_right_to_left_everything_is_mirrored(name: str) -> None:
    _, form = drawn(BLOCKS[name])
    _, turned = drawn(BLOCKS[name], is_leftward=True)
    middle = 2 * 50 + WIDTH
    for there, back in zip(form.boxes, turned.boxes, strict=True):
        assert back.x == pytest.approx(middle - there.x - there.size, abs=0.02)
        assert (back.y, back.value, back.question) == (there.y, there.value, there.question)
    for field, other in zip(form.fields, turned.fields, strict=True):
        assert other.x == pytest.approx(middle - field.x - field.width, abs=0.02)
        assert other.y == field.y


@pytest.mark.parametrize("name", [*BLOCKS])
def test_texts_are_all_that_is_written(name: str) -> None:
    """Fonts are chosen by texts: what is written and not among them might have no letters."""
    block = BLOCKS[name]
    known = {letter for _, text in block.texts() for letter in text}
    page, _ = drawn(block)
    assert {letter for words in page.words for letter in words} <= known
    assert len(page.words) > 0


def test_places_for_answers_are_written_into_the_form_with_their_page() -> None:
    _, form = drawn(BLOCKS["languages"])
    assert {(box.question, box.value) for box in form.boxes} == {
        (f"spoken_{row}_fluency", value) for row in (1, 2, 3) for value in (1, 2, 3)
    }
    assert {field.question for field in form.fields} == {
        f"spoken_{row}_{part}" for row in (1, 2, 3) for part in ("name", "qualifications")
    }
    assert {box.page for box in form.boxes} == {field.page for field in form.fields} == {3}
    _, unread = drawn(BoxScale(None, range(1, 6), ("worst", "best"), LOOK))
    assert unread.boxes == []


def test_a_sentence_of_another_direction_begins_at_its_own_side() -> None:
    text = "A short one."
    for leftward in (False, True):
        look = Lettering(size=10, language="xx", is_leftward=leftward)
        page, _ = drawn(Words(text, look))
        left, _, right, _ = page.places[0]
        assert (right if leftward else left) == pytest.approx(50 + WIDTH * leftward)


def test_boxes_without_numbers_stand_where_numbered_ones_do() -> None:
    (page, form), (plain_page, plain_form) = (
        drawn(BoxScale((1, "order"), range(1, 6), ("worst", "best"), LOOK, numbered=numbered))
        for numbered in (True, False)
    )
    assert plain_form.boxes == form.boxes
    assert [word for word in page.words if word.isdigit()] == ["1", "2", "3", "4", "5"]
    assert [word for word in plain_page.words if word.isdigit()] == []
    scale = BoxScale((1, "order"), range(1, 6), ("worst", "best"), LOOK, numbered=False)
    assert [text for _, text in scale.texts()] == ["worst", "best"]
