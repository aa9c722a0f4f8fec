"""What a survey on paper reads: fonts, pictures of pages, and tables that people fill in."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.exchange.intake import Intake
from kilter.study.paper.form import Form
from kilter.study.paper.scan.answer_text import AnswerText
from kilter.study.paper.scan.consent_table import TABLE as CONSENT_TABLE
from kilter.study.paper.scan.consent_table import ConsentTable
from kilter.study.paper.scan.registration import flat_page
from kilter.study.paper.scan.review import TABLE as REVIEW_TABLE
from kilter.study.paper.scan.review import Review
from kilter.study.paper.scan.sheet import sheets
from kilter.study.paper.type.typeface import built_in, faces_in, read_typeface
from tests.study.running import example
from tools.fuzz.given import Given
from tools.fuzz.refusal import folder_with, refusing

if TYPE_CHECKING:
    from kilter.study.design.item import Questionnaire
    from kilter.study.design.study import Study

FORM = Form(
    "x",
    1,
    (),
    page_size=(595.0, 842.0),
    mark_size=20.0,
    marks=((20.0, 800.0), (555.0, 800.0), (555.0, 20.0), (20.0, 20.0)),
)


def fonts(data: bytes) -> None:
    """Fonts: the one that is always there with other bytes in some places, cut, or any bytes."""
    given = Given(data)
    font = _font() if given.chance() else given.take(len(data))
    # The directory of tables comes first, and what it points to matters less.
    for _ in range(given.number(0, 6)):
        most = min(len(font), given.choice([400, 2000, len(font)]))
        place = given.number(0, most)
        font = font[:place] + given.take(given.number(0, 8)) + font[place + given.number(0, 8) :]
    if given.chance():
        font = font[: given.number(0, len(font))]
    with folder_with(font, "f.ttf") as folder:
        for face in faces_in(folder / "f.ttf"):
            assert face.is_outlined in (True, False)
        with refusing():
            face = read_typeface(folder / "f.ttf")
            glyphs = face.shaped("office A\u0301", language="en")
            face.part(glyph.number for glyph in glyphs)
            face.bounds()
            assert math.isfinite(face.ascent + face.descent)
            assert all(math.isfinite(face.advance(glyph.number)) for glyph in glyphs)


@cache
def _font() -> bytes:
    return built_in().path.read_bytes()


def scans(data: bytes) -> None:
    """Pictures of pages, by the names of their files."""
    names = ("a.png", "a.jpg", "a.tif", "a.pdf", "a.txt")
    with folder_with(data, *names) as folder:
        found = list(sheets([folder, folder / "missing.png"]))
        assert len(found) > len(names)
        for sheet in found:
            if isinstance(sheet, InputError):
                assert str(sheet).strip()
                continue
            assert sheet.image.ndim == 2
            with refusing():
                flat_page(sheet, FORM)


def papers(data: bytes) -> None:
    """Answers typed in, consents that were counted, and doubts that somebody has settled."""
    study, questionnaires, answers = _study()
    intake = Intake.of(study, questionnaires)
    intake.read_judgments(data, "j.csv")
    intake.read_participants(data, "p.csv")
    assert all(str(problem).strip() for problem in intake.problems)
    with folder_with(data, CONSENT_TABLE, REVIEW_TABLE) as folder:
        with refusing():
            table = ConsentTable(folder / CONSENT_TABLE, ("risks", "data"))
            assert len(table.said(["data"])) >= 1
        with refusing():
            review = Review(folder, answers)
            assert all(str(problem).strip() for problem in review.problems)


@cache
def _study() -> tuple[Study, tuple[Questionnaire, ...], AnswerText]:
    folder = example(Path(mkdtemp(prefix="kilter-fuzz-study-")) / "study")
    study = read_study(folder)
    return study, read_design(folder)[1], AnswerText(study, ["risks"])
