"""A desk with printed documents, and somebody who fills them in and scans them."""

import csv
import random
from pathlib import Path

import cv2
import numpy as np

from kilter.cli.main import run
from kilter.study.paper.form import Field, Form, read_forms
from kilter.study.store.participant import Participant
from kilter.study.store.running_study import open_study
from tests.study import drawn_page
from tests.study.drawn_page import PIXELS, Image, Pen, boxes_of

Answers = dict[tuple[int, str], int | None]


def save(path: Path, image: Image) -> None:
    """Write a picture, without the time that it takes to make a PNG file small."""
    assert cv2.imwrite(str(path), image, [cv2.IMWRITE_PNG_COMPRESSION, 0])


class Desk:
    """A study with printed booklets, and somebody who fills them in and scans them."""

    def __init__(
        self, folder: Path, study: Path, booklets: Path, known: dict[str, Form] | None = None
    ) -> None:
        self.study = study
        self.booklets = booklets
        self.scans = folder / "scans"
        self.scans.mkdir()
        self.known = read_forms(self.booklets) if known is None else known
        self.forms = {form.questionnaire: form for form in self.known.values()}  # 0 is consent

    def pages(self, number: int = 1, copy: int = 1) -> dict[int, Image]:
        """Return the printed pages that have something to answer, by number."""
        form = self.forms[number]
        printed = drawn_page.printed_pages(self.booklets / f"questionnaire-{number}-{copy}.pdf")
        return {page: printed[page - 1] for page in sorted({*form.questions().values()})}

    def item_pages(self, number: int = 1) -> dict[int, Image]:
        """Return the printed pages that have items on them alone, by number."""
        other = {
            page for (position, _), page in self.forms[number].questions().items() if not position
        }
        return {page: image for page, image in self.pages(number).items() if page not in other}

    def keep(self, name: str, image: Image) -> Path:
        path = self.scans / name
        save(path, image)
        return path

    def scan(self, *more: str | Path) -> int:
        arguments = [
            "survey",
            "scan",
            str(self.study),
            str(self.scans),
            "--forms",
            str(self.booklets),
        ]
        return run([*arguments, *map(str, more)])

    def people(self) -> list[Participant]:
        """Return the participants whose answers came on paper."""
        opened = open_study(self.study, database=None)
        try:
            return [
                person for person in opened.store.participants.all() if person.origin == "paper"
            ]
        finally:
            opened.store.close()

    def kept(self) -> dict[int, Answers]:
        """Return the answers in the database by questionnaire."""
        opened = open_study(self.study, database=None)
        try:
            return {
                person.questionnaire: {
                    (position, question): value
                    for position, row in opened.store.answers.of(person.id).items()
                    for question, value in row.items()
                }
                for person in self.people()
            }
        finally:
            opened.store.close()


def printed(study: Path, *options: str) -> Path:
    """Print booklets of a study, unless asked otherwise one of each, and return their folder."""
    booklets = study.parent / "booklets"
    assert run(["survey", "print", str(study), "-o", str(booklets), "-q", *options]) == 0
    return booklets


def answer(pages: dict[int, Image], form: Form, seed: int, **pen: float) -> Answers:
    """Answer every question in one of the ways that the booklet allows, and return the answers."""
    chance = random.Random(seed)
    given: Answers = {}
    for number, page in pages.items():
        hand = Pen(page, seed + number, **pen)  # type: ignore[arg-type]
        for key, boxes in boxes_of(form, number).items():
            value = chance.choice([*boxes])
            way = chance.choice(["cross", "tick", "corrected", "nothing"])
            if key[1].endswith("_fluency"):  # nobody has written which language
                way = "nothing"
            given[key] = None if way == "nothing" else value
            if way == "tick":
                hand.tick(boxes[value])
            elif way != "nothing":
                hand.cross(boxes[value])
            if way == "corrected":
                hand.fill(boxes[chance.choice([other for other in boxes if other != value])])
        given |= {
            (place.position, place.question): None for place in form.fields if place.page == number
        }
    return given


def write(page: Image, place: Field, seed: int = 0) -> None:
    """Write something by hand into a place."""
    chance = random.Random(seed)
    step = place.width / 14
    points = [
        (place.x + step * (2 + number), place.y + place.height * chance.uniform(0.25, 0.8))
        for number in range(8)
    ]
    pixels = np.array([(PIXELS * x, page.shape[0] - PIXELS * y) for x, y in points])
    cv2.polylines(page, [pixels.round().astype(np.int32)], False, 40, 3, cv2.LINE_AA)  # noqa: FBT003 - not closed


def fill_in(table: Path, answers: dict[str, str]) -> None:
    """Write answers by question into a table of a review."""
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for row in rows[1:]:
        row[-1] = answers.get(row[2], row[-1])
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
