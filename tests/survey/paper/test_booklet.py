"""Booklets on paper."""

import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from kilter.cli.main import run
from kilter.survey.design.creation import create
from kilter.survey.design.item import read_design
from kilter.survey.design.study_file import read_study
from kilter.survey.instrument.question import QuestionKind
from tests.survey.generated import write_study
from tests.survey.paper.printed import Captured, printed
from tests.survey.running import PASSWORD, example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("booklet") / "study")


@pytest.fixture(scope="module")
def booklet(study: Path) -> tuple[str, dict[str, object]]:
    return printed(study, study.parent)


def test_a_booklet_holds_all_documents_items_and_questions(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    text, _ = booklet
    items, questionnaires = read_design(study)
    for name in questionnaires[1].items:
        assert items[name].hypothesis in text
        assert items[name].reference in text
    for part in (
        "Taking part is voluntary",
        "I agree to take part",
        "What is your gender?",
        "Item 15 of 15",
        "Thank you.",
    ):
        assert part in text
    assert "Yesterday the letter bringed" in text


def test_the_form_file_says_where_every_box_is(booklet: tuple[str, dict[str, object]]) -> None:
    text, form = booklet
    boxes = form["boxes"]
    assert isinstance(boxes, list)
    keys = {(box["position"], box["question"], box["value"]) for box in boxes}
    assert keys == {
        (position, question, value)
        for position in range(1, 16)
        for question in ("holistic", "order")
        for value in range(1, 6)
    }
    assert len(keys) == len(boxes)
    size = form["page_size"]
    assert isinstance(size, list)
    assert all(0 < box["x"] < size[0] and 0 < box["y"] < size[1] for box in boxes)
    for box in boxes:
        assert f"example-2-1-{box['page']}-{form['id']}" in text


def test_booklets_are_the_same_every_time_and_in_every_language(
    study: Path, booklet: tuple[str, dict[str, object]], tmp_path: Path
) -> None:
    assert printed(study, tmp_path / "again") == booklet
    files = [
        folder / "booklets" / "questionnaire-2-1.pdf"
        for folder in (study.parent, tmp_path / "again")
    ]
    assert files[0].read_bytes() == files[1].read_bytes()
    text, _ = printed(study, tmp_path / "third", "--language", "de")
    assert "Die Teilnahme ist freiwillig" in text


def test_booklets_say_how_to_mark_and_what_each_sentence_is(
    booklet: tuple[str, dict[str, object]],
) -> None:
    text, _ = booklet
    assert "fill the wrong box completely and put a cross into the right one" in text
    assert "First sentence (Translation, translated from German)" in text
    assert "Second sentence (Reference)" in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("young doctor", "молодой doctor", "the font has no letter"), ("de-en", "en-ar", "from right to left")],
)  # fmt: skip
def test_what_cannot_be_set_is_said(
    old: str, new: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    folder = example(tmp_path / "study")
    for name in ("items.jsonl", "questionnaires.jsonl"):
        file = folder / name
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert run(["survey", "print", str(folder), "-o", str(tmp_path / "out")]) == 3
    assert message in capsys.readouterr().err


def test_languages_get_a_line_each_under_their_headings_and_other_words_one_line(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    text, _ = booklet
    (languages,) = [
        question
        for question in read_study(study).questions
        if question.kind is QuestionKind.LANGUAGES
    ]
    said = languages.text("en")
    listed = text.partition(said.ask)[2].partition("What is your gender?")[0].split()
    lines = [part for part in listed if set(part) == {"_"}]
    assert len(lines) == languages.rows
    assert " ".join(listed[: -len(lines)]) == " / ".join(said.columns)
    nationality = text.partition("Which nationality describes you best?")[2].split()
    assert set(nationality[0]) == {"_"} != set(nationality[1])


def frames(pdf: Path) -> dict[int, set[tuple[float, ...]]]:
    """Return the rectangles that are drawn on each page: lower left corner, width and height."""
    found: dict[int, set[tuple[float, ...]]] = {}
    for number, page in enumerate(PdfReader(pdf).pages, start=1):
        drawn = found.setdefault(number, set())

        def watch(
            operator: bytes,
            given: list[object],
            moved: list[float],
            _: list[float],
            into: set[tuple[float, ...]] = drawn,
        ) -> None:
            if operator == b"re":
                x, y, *size = (float(str(value)) for value in given)
                into.add((x + moved[4], y + moved[5], *size))

        page.extract_text(visitor_operand_before=watch)
    return found


@pytest.mark.parametrize(
    ("instrument", "kind", "places"),
    [("word-order", "translation", 30), ("pairwise", "pair", 9), ("direct-assessment", "translation", 3)],
)  # fmt: skip
def test_a_form_file_gives_the_very_places_that_are_printed(
    instrument: str, kind: str, places: int, tmp_path: Path
) -> None:
    study = write_study(
        tmp_path / "made", systems=3, options=f'instrument = "{instrument}"',
        rest=f'[[composition]]\nitems = 3\nkind = "{kind}"\n',
    )  # fmt: skip
    create(study, password=PASSWORD)
    out = tmp_path / "out"
    assert run(["survey", "print", str(study), "-o", str(out), "--questionnaire", "1", "-q"]) == 0
    form = json.loads((out / "questionnaire-1.form.json").read_text(encoding="utf-8"))
    drawn = frames(out / "questionnaire-1-1.pdf")
    said = [(box["page"], box["x"], box["y"], box["size"], box["size"]) for box in form["boxes"]]
    said += [
        (field["page"], field["x"], field["y"], field["width"], field["height"])
        for field in form["fields"]
    ]
    assert len({*said}) == places
    for page, *place in said:
        assert any(pytest.approx(tuple(place), abs=0.02) == each for each in drawn[page])


def test_a_hint_stands_beneath_its_question_of_the_first_item_alone(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    text, _ = booklet
    questions = [question.text("en") for question in read_study(study).instrument.questions]
    assert all(question.hint for question in questions)
    for question in questions:
        assert text.count(f"{question.ask} {question.hint}") == text.count(question.hint) == 1
