"""Consent forms that were signed, scanned and counted."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from kilter.study.design.study_file import read_study
from kilter.study.exchange.intake import form_fields
from tests.study import drawn_page
from tests.study.desk import Desk, fill_in, printed, write
from tests.study.drawn_page import Image, Pen, boxes_of
from tests.study.running import example
from tests.thorough import some

Captured = pytest.CaptureFixture[str]
YES, NO = 1, 2


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk of a study whose participants may decline archiving."""
    folder = tmp_path_factory.mktemp("consent")
    study = example(folder / "study", items=2)
    assert read_study(study).documents()["en"].optional == {"archiving"}
    return Desk(folder, study, printed(study, "--questionnaire", "1"))


@pytest.fixture
def desk(tmp_path: Path, shared_desk: Desk) -> Desk:
    study = tmp_path / "study"
    shutil.copytree(shared_desk.study, study)
    return Desk(tmp_path, study, shared_desk.booklets, shared_desk.known)


def signed(
    desk: Desk, seed: int, *, otherwise: dict[str, int | None] | None = None, sign: bool = True
) -> Image:
    """Return a consent form with a yes on every line, unless said otherwise, and a signature."""
    (page,) = drawn_page.printed_pages(desk.booklets / "consent.pdf")
    form = desk.forms[0]
    pen = Pen(page, seed)
    for (_, question), boxes in boxes_of(form, 1).items():
        value = (otherwise or {}).get(question.removeprefix("consent_"), YES)
        if value is not None:
            pen.cross(boxes[value])
    for place in form.fields if sign else form.fields[:1]:
        write(page, place, seed)
    return page


def rows(desk: Desk) -> list[dict[str, str]]:
    with (desk.study / "consent.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_consent_forms_are_counted_apart_and_lead_to_nobody(desk: Desk, capsys: Captured) -> None:
    desk.keep("one.png", drawn_page.noisy(signed(desk, 1)))
    desk.keep("two.jpg", drawn_page.rotated(signed(desk, 2, otherwise={"archiving": NO}), 3))
    desk.keep("three.png", signed(desk, 3, otherwise={"archiving": None}))
    assert desk.scan() == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "3 consent forms, 3 signed\n" in said.err
    assert "archiving: 1 yes, 1 no, 1 without an answer\n" in said.err
    assert "risks" not in said.err
    assert "3 pictures; imported 0 booklets" in said.err
    found = rows(desk)
    assert [row["archiving"] for row in found].count("no") == 1
    assert all(row["takes_part"] == row["signed"] == "yes" for row in found)
    assert [row["picture"] for row in found] == sorted(row["picture"] for row in found)
    assert {row["texts"] for row in found} == {desk.forms[0].texts}
    table = (desk.study / "consent.csv").read_text(encoding="utf-8")
    assert all(word not in table for word in (".png", ".jpg", "example", str(desk.scans)))
    assert (desk.study / "consent.csv").stat().st_mode & 0o077 == 0
    assert desk.kept() == {}

    desk.keep("four.png", signed(desk, 4))
    assert desk.scan() == 0
    said = capsys.readouterr()
    assert "4 consent forms, 4 signed\n" in said.err
    assert "one.png: was counted before; it changes nothing" in said.out
    assert len(rows(desk)) == 4


def test_a_form_that_is_no_consent_is_named(desk: Desk, capsys: Captured) -> None:
    desk.keep("unsigned.png", signed(desk, 1, sign=False))
    desk.keep("refused.png", signed(desk, 2, otherwise={"takes_part": NO, "risks": None}))
    shutil.copy(desk.scans / "refused.png", desk.scans / "same.png")
    assert desk.scan() == 0
    said = capsys.readouterr()
    assert f"{desk.scans / 'unsigned.png'}: consent form is not signed\n" in said.out
    assert "refused.png: consent form does not agree to risks, takes_part\n" in said.out
    assert (
        f"same.png: is the same picture as {desk.scans / 'refused.png'}; it counts once" in said.out
    )
    assert "2 consent forms, 1 signed\n" in said.err
    assert "takes_part: 1 yes, 1 no, 0 without an answer\n" in said.err
    assert "risks: 1 yes, 0 no, 1 without an answer\n" in said.err
    assert sorted(row["signed"] for row in rows(desk)) == ["no", "yes"]


@pytest.mark.parametrize("way", some(drawn_page.WAYS, quick=["curved"]))
def test_only_what_somebody_has_written_is_a_signature_however_pages_come(
    way: str, desk: Desk
) -> None:
    for name, sign in (("no", False), ("yes", True)):
        page = signed(desk, 1, otherwise={"archiving": NO}, sign=sign)
        desk.keep(f"{name}.png", drawn_page.WAYS[way](page))
    assert desk.scan() == 0
    found = rows(desk)
    assert sorted(row["signed"] for row in found) == ["no", "yes"]
    assert {(row["archiving"], row["takes_part"]) for row in found} == {("no", "yes")}


def test_a_doubtful_line_waits_until_somebody_has_looked(desk: Desk, capsys: Captured) -> None:
    page = signed(desk, 5)
    boxes = boxes_of(desk.forms[0], 1)[0, "consent_risks"]
    Pen(page, 9).cross(boxes[NO])
    desk.keep("form.png", page)
    assert desk.scan() == 3
    said = capsys.readouterr()
    assert f"consent form in {desk.scans / 'form.png'}: 1 line to confirm in" in said.out
    assert not (desk.study / "consent.csv").exists()
    fill_in(desk.study / "review" / "review.csv", {"consent_risks": "yes"})
    assert desk.scan() == 0
    (row,) = rows(desk)
    assert (row["risks"], row["signed"]) == ("yes", "yes")


def test_a_questionnaire_asks_again_what_is_voluntary_and_keeps_it_with_the_answers(
    desk: Desk,
) -> None:
    form = desk.forms[1]
    asked = [key for key in form.questions() if key[1].startswith("consent_")]
    assert asked == [(0, "consent_archiving")]
    pages = desk.pages()
    number = form.questions()[0, "consent_archiving"]
    Pen(pages[number], 3).cross(boxes_of(form, number)[0, "consent_archiving"][NO])
    for name, image in pages.items():
        desk.keep(f"{name}.png", image)
    assert desk.scan() == 0
    assert _stored(desk) == [{"archiving": False}]


def _stored(desk: Desk) -> list[object]:
    return [person.consent for person in desk.people()]


def test_forms_say_which_texts_were_agreed_to(desk: Desk) -> None:
    form = desk.forms[0]
    written = json.loads((desk.booklets / "consent.form.json").read_text(encoding="utf-8"))
    assert written["texts"] == form.texts
    assert len(form.texts) == 64


def test_booklets_beside_fewer_signed_consents_are_spoken_of(desk: Desk, capsys: Captured) -> None:
    for name, image in desk.pages().items():
        desk.keep(f"{name}.png", image)
    told = (
        "{} imported, but {} on file; scan the other forms, or remove whoever has not consented "
        "with 'kilter survey erase'\n"
    )
    assert desk.scan("-q", "--participant", "anna") == 0
    assert told.format("1 booklet is", "no signed consent form is") in capsys.readouterr().out
    desk.keep("one.png", signed(desk, 1))
    desk.keep("unsigned.png", signed(desk, 2, sign=False))
    desk.keep("refused.png", signed(desk, 3, otherwise={"takes_part": NO}))
    assert desk.scan("-q", "--participant", "otto") == 0
    assert told.format("2 booklets are", "only 1 signed consent form is") in capsys.readouterr().out
    desk.keep("two.png", signed(desk, 4))
    assert desk.scan("-q", "--participant", "otto") == 0
    assert "whoever has not consented" not in capsys.readouterr().out


def test_whose_consent_a_file_says_needs_no_scanned_form(desk: Desk, capsys: Captured) -> None:
    for name, image in desk.pages().items():
        desk.keep(f"{name}.png", image)
    questions = read_study(desk.study).questions
    columns = [name for question in questions for name in form_fields(question)]
    people = desk.scans.parent / "people.csv"
    with people.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [["participant", *columns, "consent"], ["example-1-1", *[""] * len(columns), "yes"]]
        )
    assert desk.scan("-q", "--participants", people) == 0
    assert len(desk.people()) == 1
    assert "whoever has not consented" not in capsys.readouterr().out
