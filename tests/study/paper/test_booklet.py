"""Booklets on paper."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader

from kilter.cli.main import run
from kilter.study.design.creation import create
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.instrument.data_file import DATA
from tests.study.generated import write_study
from tests.study.paper.printed import Captured, printed, text_of
from tests.study.running import PASSWORD, example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("booklet") / "study")


@pytest.fixture(scope="module")
def booklet(study: Path) -> tuple[str, dict[str, object]]:
    return printed(study, study.parent)


def test_a_questionnaire_holds_all_items_and_questions(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    text, _ = booklet
    items, questionnaires = read_design(study)
    for name in questionnaires[1].items:
        assert items[name].hypothesis in text
        assert items[name].reference in text
    for part in ("What is your gender?", "Item 15 of 15", "Yesterday the letter bringed"):
        assert part in text


def test_documents_are_separate_and_say_what_is_true_on_paper(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    text, _ = booklet
    folder = study.parent / "booklets"
    names = ("information", "consent", "debriefing")
    others = {name: text_of(folder / f"{name}.pdf") for name in names}
    for name, part in {
        "information": "Taking part is voluntary",
        "consent": "I agree to take part in this study.",
        "debriefing": "Some of the sentences were written by translation programs",
    }.items():
        assert part in others[name]
        assert not any(part in words for other, words in others.items() if other != name)
        assert part not in text
    assert all("link" not in words.replace("linked", "") for words in (text, *others.values()))
    assert all(label in others["consent"] for label in ("Name", "Signature", "Date"))
    assert "give the code at the top of your questionnaire" in others["debriefing"]
    assert "Code of this questionnaire: example-2-1" in text


def test_a_consent_form_is_the_same_for_everybody_and_has_no_code_of_a_questionnaire(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    assert booklet
    folder = study.parent / "booklets"
    form = json.loads((folder / "consent.form.json").read_text(encoding="utf-8"))
    words = text_of(folder / "consent.pdf")
    assert f"example-consent-1-{form['id']}" in words
    assert re.findall(r"example-[0-9]", words) == []
    lines = [*read_study(study).documents()["en"].consent]
    assert {(box["question"], box["value"]) for box in form["boxes"]} == {
        (f"consent_{line}", value) for line in lines for value in (1, 2)
    }
    assert [field["question"] for field in form["fields"]] == ["name", "signature", "date"]
    assert words.count("(voluntary)") == 1
    assert "may be used for further research. (voluntary)" in words


def test_the_form_file_says_where_every_box_is(booklet: tuple[str, dict[str, object]]) -> None:
    text, form = booklet
    boxes = form["boxes"]
    assert isinstance(boxes, list)
    keys = {(box["position"], box["question"], box["value"]) for box in boxes}
    assert {key for key in keys if key[0]} == {
        (position, question, value)
        for position in range(1, 16)
        for question in ("holistic", "order")
        for value in range(1, 6)
    }
    about = {
        question: {key[2] for key in keys if key[:2] == (0, question)} for _, question, _ in keys
    }
    assert about["gender"] == {1, 2, 3, 4}
    assert about["grammar_attention"] == {1, 2, 3, 4, 5}
    assert all(about[f"languages_{row}_fluency"] == {*range(1, 8)} for row in range(1, 6))
    assert len(keys) == len(boxes)
    fields = form["fields"]
    assert isinstance(fields, list)
    assert {"age", "years_fluent", "nationality", "disability_text", "languages_1_name"} < {
        field["question"] for field in fields
    }
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
    assert "Bitte schreiben Sie Ihren Namen nicht auf diesen Fragebogen" in text
    folder = tmp_path / "third" / "booklets"
    assert "Die Teilnahme ist freiwillig" in text_of(folder / "information.pdf")
    assert "Unterschrift" in text_of(folder / "consent.pdf")


def test_booklets_say_how_to_mark_and_what_each_sentence_is(
    booklet: tuple[str, dict[str, object]],
) -> None:
    text, _ = booklet
    assert "fill the wrong box completely and put a cross into the right one" in text
    assert "First sentence (Translation, translated from German)" in text
    assert "Second sentence (Reference)" in text


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
    said = [
        (box["page"], box["x"], box["y"], box["size"], box["size"])
        for box in form["boxes"]
        if box["position"]
    ]
    said += [
        (field["page"], field["x"], field["y"], field["width"], field["height"])
        for field in form["fields"]
        if field["position"]
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


def test_pages_of_a_questionnaire_are_well_filled(
    study: Path, booklet: tuple[str, dict[str, object]]
) -> None:
    assert booklet
    shares = []
    with pypdfium2.PdfDocument(study.parent / "booklets" / "questionnaire-2-1.pdf") as document:
        for page in document:
            image = np.array(page.render(scale=1, grayscale=True).to_numpy()).squeeze()
            inner = (
                image[62:-62, 62:-62] < 128
            )  # without marks, codes and what is said at the edges
            shares.append((np.flatnonzero(inner.any(axis=1)).max() + 1) / len(inner))
    assert min(shares) > 0.7
    assert len(shares) == 6


def test_a_language_without_words_for_paper_is_named(
    study: Path, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    (folder / "interface").mkdir()
    english = (DATA / "interface" / "en.toml").read_text(encoding="utf-8")
    before, paper, after = re.split(r"\[paper\]|\[research\]", english)
    assert paper
    (folder / "interface" / "de.toml").write_text(f"{before}[research]{after}", encoding="utf-8")
    arguments = ["survey", "print", str(folder), "-o", str(tmp_path / "out")]
    assert run([*arguments, "--language", "de"]) == 3
    assert "interface/de.toml: has no table [paper]" in capsys.readouterr().err
    assert run([*arguments, "--questionnaire", "1"]) == 0


def test_documents_without_words_for_paper_are_printed_as_on_the_web_and_that_is_said(
    study: Path, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    (folder / "documents").mkdir()
    english = (DATA / "documents" / "en.toml").read_text(encoding="utf-8")
    (folder / "documents" / "en.toml").write_text(english.split("[paper]")[0], encoding="utf-8")
    out = tmp_path / "out"
    assert run(["survey", "print", str(folder), "-o", str(out), "--questionnaire", "1"]) == 0
    said = capsys.readouterr().err
    assert "documents/en.toml has no table [paper]: the texts of the web survey are printed" in said
    assert "your personal link" in text_of(out / "information.pdf")


def test_a_letter_that_no_font_has_stops_the_print_before_anything_is_written(
    study: Path, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    file = folder / "items.jsonl"
    text = file.read_text(encoding="utf-8").replace("young doctor", "young \U0001f7f0\ue123 doctor")
    file.write_text(text, encoding="utf-8")
    assert run(["survey", "print", str(folder), "-o", str(tmp_path / "out")]) == 3
    said = capsys.readouterr().err
    assert "no font has" in said
    assert "U+E123" in said
    assert "doctor" in said
    assert not (tmp_path / "out").exists()
