"""Booklets that were filled in by hand, and scanned or photographed."""

import csv
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from kilter.cli.main import run
from kilter.core.errors import InputError
from kilter.study.design.creation import create
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.paper.scan.pile import Pile, ScannedBooklet
from kilter.study.paper.scan.registration import flat_page, page_code
from kilter.study.paper.scan.sheet import Sheet, sheets
from tests.study import drawn_page
from tests.study.desk import Answers, Desk, answer, fill_in, printed, save, write
from tests.study.drawn_page import Image, Pen, boxes_of, inches
from tests.study.generated import write_study
from tests.study.paper.font import FONT_OF, font
from tests.study.paper.foreign import in_arabic, with_sentences
from tests.study.running import ITEMS, PASSWORD, example
from tests.thorough import some, tried

Captured = pytest.CaptureFixture[str]
SIZE = tried(ITEMS, quick=6)  # items of a questionnaire: two pages instead of five


FEW = """schema = "kilter.questions/1"
[[question]]
name = "reader"
kind = "options"
options = ["yes", "no", "often"]
[question.en]
ask = "Do you read?"
labels = ["yes", "no", "often"]
[question.de]
ask = "Lesen Sie?"
labels = ["ja", "nein", "oft"]
[[question]]
name = "age"
kind = "number"
low = 16
high = 120
[question.en]
ask = "How old are you?"
[question.de]
ask = "Wie alt sind Sie?"
"""
"""Few questions about participants, so that pages are few where items are what matters."""


def judged(given: Answers) -> Answers:
    """Return the answers about items that were given."""
    return {key: value for key, value in given.items() if key[0] and value is not None}


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk for tests that leave its study and booklets as they are."""
    folder = tmp_path_factory.mktemp("scan")
    study = example(folder / "study", items=SIZE)
    text = (study / "study.toml").read_text(encoding="utf-8")
    text = text.replace('participant_questions = "about-you"', 'participant_questions = "few.toml"')
    (study / "study.toml").write_text(text, encoding="utf-8")
    (study / "few.toml").write_text(FEW, encoding="utf-8")
    return Desk(folder, study, printed(study, "--copies", "1-2"))


@pytest.fixture
def desk(tmp_path: Path, shared_desk: Desk) -> Desk:
    """Return a desk of one's own, with copies of the shared one's study and booklets."""
    study, booklets = tmp_path / "study", tmp_path / "booklets"
    shutil.copytree(shared_desk.study, study)
    shutil.copytree(shared_desk.booklets, booklets)
    return Desk(tmp_path, study, booklets, shared_desk.known)


def read(desk: Desk, pages: dict[int, Image], number: int = 1) -> ScannedBooklet:
    """Return what is read from pictures, one booklet without problems."""
    _, questionnaires = read_design(desk.study)
    pile = Pile(read_study(desk.study), questionnaires, desk.known)
    folder = desk.scans / "read"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for page, image in pages.items():
        save(folder / f"{page}.png", image)
    assert pile.read([folder]) == len(pages)
    assert [str(problem) for problem in pile.problems] == []
    assert [*pile.booklets] == [f"example-{number}-1"]
    return pile.booklets[f"example-{number}-1"]


CERTAIN = [way for way in drawn_page.WAYS if way != "in a hard shadow"]


@pytest.mark.parametrize("way", some(CERTAIN, quick=["from the side"]))
def test_crosses_ticks_corrections_and_nothing_are_read_however_pages_come(
    way: str, shared_desk: Desk
) -> None:
    pages = shared_desk.pages()
    given = answer(pages, shared_desk.forms[1], CERTAIN.index(way))
    booklet = read(shared_desk, {n: drawn_page.WAYS[way](page) for n, page in pages.items()})
    assert {str(key): seen.doubt for key, seen in booklet.doubts({}).items()} == {}
    assert booklet.answers({}) == given
    assert booklet.missing_pages({}) == []
    assert len([key for key in given if key[0]]) == 2 * SIZE
    assert {None} < {*given.values()}


def test_codes_are_read_where_few_dots_blur_their_squares(shared_desk: Desk) -> None:
    form = shared_desk.forms[1]
    for number, copy in ((2, 2), (1, 1))[: tried(2, quick=1)]:
        with pypdfium2.PdfDocument(
            shared_desk.booklets / f"questionnaire-{number}-{copy}.pdf"
        ) as pdf:
            for page, printed in enumerate(pdf, start=1):
                image = np.array(
                    printed.render(scale=120 / 72, grayscale=True).to_numpy(), np.uint8
                )
                code = page_code(flat_page(Sheet("page", image.squeeze()), form), form)
                assert code is not None, (number, copy, page)
                assert (code.questionnaire, code.copy, code.page) == (number, copy, page)


@pytest.mark.parametrize(
    "line", some([(0.3, 110), (0.35, 90), (0.5, 60), (0.8, 30)], quick=[(0.3, 110)])
)
def test_pencils_and_pens_are_read(line: tuple[float, int], shared_desk: Desk) -> None:
    width, shade = line
    pages = shared_desk.pages(2)
    given = answer(pages, shared_desk.forms[2], round(100 * width), width=width, shade=shade)
    booklet = read(shared_desk, {n: drawn_page.on_table(page) for n, page in pages.items()}, 2)
    assert booklet.doubts({}) == {}
    assert booklet.answers({}) == given


@pytest.mark.parametrize("seed", some(range(4), quick=[2]))
def test_where_a_shadow_ends_an_answer_may_be_doubtful_but_never_wrong(
    seed: int, shared_desk: Desk
) -> None:
    pages = shared_desk.pages()
    given = answer(pages, shared_desk.forms[1], seed)
    seen = {
        n: drawn_page.shadowed(page, depth=0.3 + 0.1 * seed, softness=2.0)
        for n, page in pages.items()
    }
    booklet = read(shared_desk, seen)
    found = booklet.answers({})
    assert len(found) + len(booklet.doubts({})) == len(given) == 2 * SIZE + 3
    assert {key: given[key] for key in found} == found
    assert len(found) > 4 * SIZE / 3


DOUBTFUL = [
    (lambda pen, boxes: (pen.cross(boxes[2]), pen.cross(boxes[4])), "several are marked: box 2, 4"),
    (lambda pen, boxes: pen.fill(boxes[3]), "filled, and none is marked: box 3"),
    (lambda pen, boxes: pen.scribble(boxes[5]), "unclear: box 5"),
    (lambda pen, boxes: pen.circle(boxes[1]), "box 1"),
    (lambda pen, boxes: (pen.cross(boxes[1]), pen.circle(boxes[4])), "box 4"),
    (lambda pen, boxes: pen.dot(boxes[2], 0.9), "unclear: box 2"),
    (lambda pen, boxes: (pen.cross(boxes[1]), pen.dot(boxes[2], 0.9)), "unclear: box 2"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("draw", "reason"), some(DOUBTFUL, quick=[DOUBTFUL[0], DOUBTFUL[-1]], rows=True)
)
def test_what_is_not_clear_is_a_doubt_and_no_answer(
    draw: object, reason: str, shared_desk: Desk
) -> None:
    assert callable(draw)
    pages = shared_desk.item_pages()
    number, page = next(iter(pages.items()))
    key, boxes = next(iter(boxes_of(shared_desk.forms[1], number).items()))
    draw(Pen(page, 1), boxes)
    booklet = read(shared_desk, {number: page})
    doubts = booklet.doubts({})
    assert [*doubts] == [key]
    assert reason in doubts[key].doubt
    assert key not in booklet.answers({})
    assert booklet.answers({key: 3})[key] == 3
    assert booklet.doubts({key: None}) == {}


@pytest.mark.parametrize("shade", some([30, 70, 110], quick=[110]))
@pytest.mark.parametrize("width", some([0.25, 0.4, 0.6], quick=[0.4]))
def test_what_is_struck_out_is_never_an_answer(width: float, shade: int, shared_desk: Desk) -> None:
    pages = shared_desk.item_pages()
    number, page = next(iter(pages.items()))
    rows = boxes_of(shared_desk.forms[1], number)
    for place, boxes in enumerate(rows.values()):
        Pen(page, place, width=width, shade=shade).scribble(boxes[place % 5 + 1])
    booklet = read(shared_desk, {number: page})
    assert booklet.doubts({}).keys() == rows.keys()
    assert booklet.answers({}) == {}


def test_a_speck_of_dust_is_no_answer(shared_desk: Desk) -> None:
    pages = shared_desk.item_pages()
    number, page = next(iter(pages.items()))
    for boxes in boxes_of(shared_desk.forms[1], number).values():
        Pen(page, 1).dot(boxes[2], 0.4)
    booklet = read(shared_desk, {number: page})
    assert {*booklet.answers({}).values()} == {None}
    assert booklet.doubts({}) == {}


def test_scanned_booklets_are_imported_like_typed_ones(desk: Desk, capsys: Captured) -> None:
    given = {}
    for number in (1, 2):
        pages = desk.pages(number)
        given[number] = answer(pages, desk.forms[number], number)
        for page, image in pages.items():
            desk.keep(f"{number}-{page}.jpg", drawn_page.on_table(image))
    personal = desk.study.parent / "personal.csv"
    names = ["participant", *_personal_columns(desk)]
    rows = [["example-1-1", *[""] * (len(names) - 1)], ["example-2-1", *[""] * (len(names) - 1)]]
    for row, age in zip(rows, ("33", "44"), strict=True):
        row[names.index("age")] = age
    with personal.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    assert desk.scan("--participants", personal, "--group", "=1") == 2
    assert "--group is '=1'" in capsys.readouterr().err
    assert desk.scan("--participants", personal, "--group", "evening class") == 0
    said = capsys.readouterr()
    assert said.out.startswith("2 booklets are imported, but no signed consent form is on file")
    assert said.out.count("\n") == 1
    assert run(["survey", "status", str(desk.study)]) == 0
    assert "evening class             2        2          2          0\n" in capsys.readouterr().out
    assert f"{2 * len(pages)} pictures; imported 2 booklets" in said.err
    assert "example-1-1: imported" in said.err
    expected = {number: judged(answers) for number, answers in given.items()}
    assert desk.kept() == expected
    assert desk.scan() == 0
    assert "example-1-1: was imported before; its pages change nothing" in capsys.readouterr().out
    assert desk.kept() == expected


def _personal_columns(desk: Desk) -> Iterator[str]:
    from kilter.study.exchange.intake import form_fields

    for question in read_study(desk.study).questions:
        yield from form_fields(question)


def test_doubtful_answers_wait_until_somebody_has_looked(desk: Desk, capsys: Captured) -> None:
    pages = desk.pages()
    given = answer(pages, desk.forms[1], 5)
    key = next(key for key, value in given.items() if value is None and key[0])
    number = desk.forms[1].questions()[key]
    Pen(pages[number], 9).scribble(boxes_of(desk.forms[1], number)[key][4])
    desk.keep("doubtful.png", pages[number])
    assert desk.scan("--incomplete") == 3
    review = desk.study / "review"
    said = capsys.readouterr()
    assert f"example-1-1: not imported: 1 answer to confirm in {review / 'review.html'}" in said.out
    assert "0 problems; 1 booklet not imported" in said.err
    assert desk.kept() == {}
    table = review / "review.csv"
    with table.open(newline="", encoding="utf-8") as file:
        listed = list(csv.DictReader(file))
    assert [(row["participant"], int(row["position"]), row["question"]) for row in listed] == [
        ("example-1-1", *key)
    ]
    assert cv2.imread(str(review / listed[0]["picture"])) is not None
    assert listed[0]["picture"] in (review / "review.html").read_text(encoding="utf-8")

    for wrong, message in (
        ("6", "write a number from 1 to 5, or none"),
        ("x", "the answer is 'x'"),
    ):
        _fill_in(table, wrong)
        assert desk.scan("--incomplete") == 3
        assert message in capsys.readouterr().out
        assert desk.kept() == {}
    _fill_in(table, "2")
    assert desk.scan("--incomplete") == 0
    given[key] = 2
    page_of = desk.forms[1].questions()
    assert desk.kept() == {1: {k: v for k, v in judged(given).items() if page_of[k] == number}}


def _fill_in(table: Path, text: str) -> None:
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    rows[1][-1] = text
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def test_somebody_may_confirm_that_there_is_no_answer(desk: Desk) -> None:
    pages = desk.item_pages()
    number, page = next(iter(pages.items()))
    boxes = next(iter(boxes_of(desk.forms[1], number).values()))
    Pen(page, 1).fill(boxes[3])
    desk.keep("filled.png", page)
    options = ("--review", desk.scans.parent / "look", "--incomplete", "-q")
    assert desk.scan(*options) == 3
    _fill_in(desk.scans.parent / "look" / "review.csv", "none")
    assert desk.scan(*options) == 0
    assert desk.kept() == {1: {}}


def test_missing_pages_are_named_and_taken_only_when_that_is_said(
    desk: Desk, capsys: Captured
) -> None:
    pages = desk.pages()
    given = answer(pages, desk.forms[1], 8)
    lost = [*pages][1:-1]
    for name, image in pages.items():
        if name not in lost:
            desk.keep(f"{name}.png", image)
    assert desk.scan() == 3
    named = f"page{'s' * (len(lost) > 1)} {', '.join(map(str, lost))}"
    assert f"not imported: {named} missing" in capsys.readouterr().out
    assert desk.kept() == {}
    assert desk.scan("--incomplete") == 0
    page_of = desk.forms[1].questions()
    assert desk.kept() == {1: {k: v for k, v in judged(given).items() if page_of[k] not in lost}}


def test_answers_of_a_lost_page_can_be_typed_into_the_review(desk: Desk) -> None:
    pages = desk.pages()
    lost = [*pages][-1]
    for name, image in pages.items():
        if name != lost:
            desk.keep(f"{name}.png", image)
    keys = [key for key, page in desk.forms[1].questions().items() if page == lost]
    review = desk.study / "review"
    review.mkdir()
    rows = [f"example-1-1,{position},{question},,,,4" for position, question in keys]
    header = "participant,position,question,doubt,scan,picture,answer"
    (review / "review.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    assert desk.scan() == 0
    assert desk.kept() == {1: dict.fromkeys(keys, 4)}


def test_pages_that_cannot_be_read_are_named(desk: Desk, capsys: Captured, tmp_path: Path) -> None:
    page = next(iter(desk.pages().values()))
    desk.keep("empty.png", np.full((2000, 1400), 255, np.uint8))
    desk.keep("cut.png", page[: page.shape[0] // 2])
    desk.keep("coarse.png", drawn_page.coarse(page, 70))
    hidden = page.copy()
    hidden[-inches(1.15) : -inches(0.25), inches(4) : -inches(1.05)] = 255
    desk.keep("hidden.png", hidden)
    desk.keep("two.png", np.hstack([page, page]))
    (desk.scans / "broken.png").write_bytes((desk.scans / "cut.png").read_bytes()[:50])
    (desk.scans / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (desk.scans / "notes.txt").write_text("notes", encoding="utf-8")
    (desk.scans / ".hidden").write_text("ignored", encoding="utf-8")
    other = tmp_path / "other"
    shutil.copytree(desk.study, other)
    text = (other / "study.toml").read_text(encoding="utf-8")
    (other / "study.toml").write_text(
        text.replace('name = "example"', 'name = "wmt14"'), encoding="utf-8"
    )
    run(
        [
            "survey",
            "print",
            str(other),
            "-o",
            str(tmp_path / "others"),
            "--questionnaire",
            "1",
            "-q",
        ]
    )
    foreign = drawn_page.printed_pages(tmp_path / "others" / "questionnaire-1-1.pdf")[-1]
    desk.keep("foreign.png", foreign)
    desk.keep("formless.png", desk.pages(4).popitem()[1])
    (desk.booklets / "questionnaire-4.form.json").unlink()
    assert desk.scan() == 3
    said = capsys.readouterr()
    for name, message in {
        "empty.png": "shows 0 of the four marks in the corners of a page; scan the whole page",
        "cut.png": "shows 2 of the four marks",
        "coarse.png": "has about 70 dots per inch; scan it with 200, at least 100",
        "hidden.png": "the code beside the mark at the bottom right cannot be read",
        "two.png": "shows more than one page; take a picture of each",
        "broken.png": "cannot be read; scan the page again",
        "broken.pdf": "cannot be read; scan the page again",
        "notes.txt": "is no PNG, JPEG, TIFF or PDF file; leave it out",
        "foreign.png": "is a page of the study wmt14, not of example; leave it out",
        "formless.png": "is not here; name the folder of its booklet with --forms",
    }.items():
        lines = [
            line for line in said.out.splitlines() if line.startswith(f"{desk.scans / name}: ")
        ]
        assert len(lines) == 1, (name, said.out)
        assert message in lines[0]
    assert "10 problems; 0 booklets not imported" in said.err
    assert desk.kept() == {}


def test_a_folder_without_pictures_is_not_read_in_silence(desk: Desk, capsys: Captured) -> None:
    assert desk.scan() == 3
    assert "scans: holds no picture; name PNG" in capsys.readouterr().err


def test_a_picture_that_ends_early_is_spoken_of_by_us_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "page.png"
    assert cv2.imwrite(
        str(picture), np.random.default_rng(1).integers(0, 255, (300, 300), np.uint8)
    )
    picture.write_bytes(picture.read_bytes()[:20])
    (found,) = sheets([picture])
    assert str(found) == f"{picture}: cannot be read; scan the page again"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert len([*sheets([picture])]) == 1
    assert capfd.readouterr().err == ""


def test_a_corner_under_a_thumb_does_not_matter(shared_desk: Desk) -> None:
    pages = shared_desk.pages()
    given = answer(pages, shared_desk.forms[1], 3)
    for page in pages.values():
        page[: inches(1.1), : inches(1.1)] = 150
    assert read(shared_desk, pages).answers({}) == given


def test_a_page_scanned_twice_counts_once_and_a_contradiction_is_a_doubt(
    desk: Desk, capsys: Captured
) -> None:
    pages = desk.pages()
    given = answer(pages, desk.forms[1], 4)
    for name, image in pages.items():
        desk.keep(f"{name}.png", image)
    number = next(iter(desk.item_pages()))
    key, boxes = next(iter(boxes_of(desk.forms[1], number).items()))
    another = drawn_page.printed_pages(desk.booklets / "questionnaire-1-1.pdf")[number - 1]
    for row, places in boxes_of(desk.forms[1], number).items():
        value = given[row] if row != key else (given[row] or 0) % 5 + 1
        if value is not None:
            Pen(another, 2).cross(places[value])
    desk.keep(f"{number}-again.png", another)
    assert boxes
    assert desk.scan() == 3
    out = capsys.readouterr().out
    assert f"is page {number} of example-1-1 once more" in out
    assert "1 answer to confirm" in out
    table = (desk.study / "review" / "review.csv").read_text(encoding="utf-8")
    assert "pictures differ" in table
    desk.keep(f"{number}-again.png", drawn_page.noisy(pages[number]))
    assert desk.scan() == 0
    assert desk.kept() == {1: judged(given)}


def test_pdf_and_tiff_files_hold_many_pages_and_copies_are_told_apart(
    desk: Desk, capsys: Captured
) -> None:
    shutil.copy(desk.booklets / "questionnaire-3-1.pdf", desk.scans)
    pages = desk.pages(3, copy=2)
    answer(pages, desk.forms[3], 1)
    assert cv2.imwritemulti(str(desk.scans / "copy.tiff"), list(pages.values()))
    assert desk.scan() == 0
    err = capsys.readouterr().err
    assert f"example-3-1: imported 0 answers, {2 * SIZE} left out" in err
    assert "example-3-2: imported" in err


def test_a_name_can_be_given_for_copies_made_by_hand(desk: Desk, capsys: Captured) -> None:
    for name, image in desk.pages().items():
        desk.keep(f"{name}.png", image)
    assert desk.scan("--participant", "anna b.") == 0
    assert "anna b.: imported" in capsys.readouterr().err
    assert desk.scan("--participant", "../anna") == 2
    assert "write letters, digits" in capsys.readouterr().err
    assert desk.scan() == 0
    desk.keep("other.png", desk.pages(2).popitem()[1])
    assert desk.scan("--participant", "otto") == 3
    assert "scan the booklets one by one" in capsys.readouterr().out


def test_wrong_personal_data_holds_everything_back(desk: Desk, capsys: Captured) -> None:
    for name, image in desk.pages(2).items():
        desk.keep(f"{name}.png", image)
    personal = desk.study.parent / "personal.csv"
    names = ["participant", *_personal_columns(desk)]
    for cells in (["nobody"], ["example-2-1"]):
        row = [*cells, *[""] * (len(names) - 1)]
        row[names.index("age")] = "old"
        with personal.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([names, row])
        assert desk.scan("--participants", personal) == 3
        assert "nothing is imported until this is corrected" in capsys.readouterr().out
        assert desk.kept() == {}


def test_forms_that_were_changed_or_belong_elsewhere_are_refused(
    desk: Desk, capsys: Captured, tmp_path: Path
) -> None:
    desk.keep("page.png", desk.pages(2).popitem()[1])
    assert run(["survey", "scan", str(desk.study), str(desk.scans), "--forms", str(tmp_path)]) == 3
    assert "holds no form files" in capsys.readouterr().err
    form = desk.booklets / "questionnaire-2.form.json"
    text = form.read_text(encoding="utf-8")
    for wrong, message in (
        (text.replace('"pages": ', '"pages": 9'), "was changed after it was printed"),
        (text.replace("kilter.form/3", "kilter.form/2"), "no form file of this version"),
        ("{}", "is no form file"),
        ("no json", "is no form file"),
        ("[]", "is no form file"),
    ):
        form.write_text(wrong, encoding="utf-8")
        assert desk.scan() == 3
        assert message in capsys.readouterr().err
    form.write_text(text, encoding="utf-8")
    items = desk.study / "questionnaires.jsonl"
    lines = items.read_text(encoding="utf-8").splitlines()
    _, lists = read_design(desk.study)
    first, second = lists[1].items[:2]
    changed = lines[1].replace(first, "@").replace(second, first).replace("@", second)
    (desk.study / "answers.db").unlink()
    items.write_text("\n".join([lines[0], changed, *lines[2:]]) + "\n", encoding="utf-8")
    assert desk.scan() == 3
    assert "printed for other items than those of this study" in capsys.readouterr().out


def test_options_are_boxes_and_numbers_written_by_hand_are_looked_at(
    tmp_path: Path, capsys: Captured
) -> None:
    study = write_study(
        tmp_path / "one" / "pairs", systems=3, options='instrument = "pairwise"',
        rest='[[composition]]\nitems = 5\nkind = "pair"\n',
    )  # fmt: skip
    create(study, password=PASSWORD)
    desk = Desk(study.parent, study, printed(study, "--questionnaire", "1"))
    pages = desk.pages()
    given = answer(pages, desk.forms[1], 2)
    assert len([key for key in given if key[0]]) == 5
    for name, image in pages.items():
        desk.keep(f"{name}.png", drawn_page.blurred(image, 0.12))
    assert desk.scan() == 0
    assert desk.kept() == {1: judged(given)}

    study = write_study(
        tmp_path / "two" / "direct", options='instrument = "direct-assessment"',
        rest='[[composition]]\nitems = 3\nkind = "translation"\n',
    )  # fmt: skip
    create(study, password=PASSWORD)
    desk = Desk(study.parent, study, printed(study, "--questionnaire", "1"))
    for name, image in desk.pages().items():
        field = next(field for field in desk.forms[1].fields if field.position)
        if field.page == name:
            place = (
                round(drawn_page.PIXELS * (field.x + 12)),
                round(image.shape[0] - drawn_page.PIXELS * (field.y + 6)),
            )
            cv2.putText(image, "71", place, cv2.FONT_HERSHEY_SIMPLEX, 1.2, 40, 3)
        desk.keep(f"{name}.png", image)
    capsys.readouterr()
    assert desk.scan() == 3
    assert "made-1-1: not imported: 1 answer to confirm" in capsys.readouterr().out
    _fill_in(desk.study / "review" / "review.csv", "71")
    assert desk.scan() == 0
    assert desk.kept() == {1: {(1, "assessment"): 71}}


@pytest.mark.parametrize("seed", some(range(3), quick=[0]))
def test_damaged_files_are_read_or_named(seed: int, desk: Desk, capsys: Captured) -> None:
    chance = random.Random(seed)
    page = next(iter(desk.pages().values()))
    sources = {".pdf": (desk.booklets / "questionnaire-1-1.pdf").read_bytes()}
    for suffix in (".png", ".jpg", ".tiff"):
        sources[suffix] = cv2.imencode(suffix, page)[1].tobytes()
    for suffix, data in sources.items():
        for number in range(5):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 40)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            (desk.scans / f"{number}{suffix}").write_bytes(
                damaged[: chance.randrange(len(damaged))]
            )
    assert desk.scan() in (0, 3)
    assert "Traceback" not in capsys.readouterr().err


def test_a_scan_whose_name_is_no_text_is_named_as_a_problem(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"anna-\xe9.png")).write_bytes(b"")
    (found,) = sheets([tmp_path])
    assert isinstance(found, InputError)
    assert str(found) == f"{tmp_path}/anna-\\xe9.png: the name is not UTF-8; rename the file"


def test_what_participants_say_about_themselves_is_read_and_what_they_write_is_typed(
    tmp_path: Path, capsys: Captured
) -> None:
    study = example(tmp_path / "study", items=2)
    desk = Desk(tmp_path, study, printed(study, "--questionnaire", "1"))
    form = desk.forms[1]
    pages = desk.pages()
    marked = {
        "first_language_english": 2, "gender": 1, "education": 4, "grammar_attention": 5,
        "languages_1_fluency": 7, "languages_2_fluency": 4,
    }  # fmt: skip
    for number, page in pages.items():
        for (position, question), boxes in boxes_of(form, number).items():
            if not position and question in marked:
                Pen(page, number).cross(boxes[marked[question]])
    written = {
        "years_fluent": "12", "nationality": "česká", "age": "34", "languages_1_name": "Czech",
        "languages_2_name": "English", "languages_2_qualifications": "C1",
    }  # fmt: skip
    for place in form.fields:
        if place.question in written:
            write(pages[place.page], place)
    for number, page in pages.items():
        desk.keep(f"{number}.png", drawn_page.noisy(page))
    assert desk.scan() == 3
    assert f"not imported: {len(written)} answers to confirm" in capsys.readouterr().out
    table = study / "review" / "review.csv"
    with table.open(newline="", encoding="utf-8") as file:
        listed = [*csv.DictReader(file)]
    assert {row["question"] for row in listed} == {*written}
    assert {(row["position"], row["doubt"]) for row in listed} == {("0", "written by hand")}
    assert all((study / "review" / row["picture"]).exists() for row in listed)

    fill_in(table, written | {"languages_1_name": "none"})
    assert desk.scan() == 3
    assert (
        "languages is not give the name of every language that you describe"
        in capsys.readouterr().out
    )
    fill_in(table, written)
    assert desk.scan() == 0
    (person,) = desk.people()
    assert person.personal == {
        "first_language_english": "no",
        "years_fluent": 12,
        "languages": [
            {"name": "Czech", "fluency": "native", "qualifications": ""},
            {"name": "English", "fluency": "fluent", "qualifications": "C1"},
        ],
        "gender": "male",
        "nationality": "česká",
        "education": "masters",
        "grammar_attention": 5,
        "age": 34,
    }


def test_what_a_file_says_about_participants_takes_the_place_of_what_they_wrote(desk: Desk) -> None:
    pages = desk.pages()
    form = desk.forms[1]
    for place in form.fields:
        write(pages[place.page], place)
    number = form.questions()[0, "consent_archiving"]
    Pen(pages[number], 1).cross(boxes_of(form, number)[0, "consent_archiving"][1])
    for number, page in pages.items():
        desk.keep(f"{number}.png", page)
    assert desk.scan() == 3
    personal = desk.study.parent / "personal.csv"
    personal.write_text("participant,reader,age\nexample-1-1,often,44\n", encoding="utf-8")
    assert desk.scan("--participants", personal) == 0
    (person,) = desk.people()
    assert person.personal == {"reader": "often", "age": 44}
    assert person.consent == {"archiving": True}


def test_pages_that_run_from_right_to_left_are_read_back(tmp_path: Path) -> None:
    font("DejaVu Sans")
    study = in_arabic(example(tmp_path / "example", items=SIZE), tmp_path / "study")
    desk = Desk(tmp_path, study, printed(study, "--questionnaire", "1"))
    form = desk.forms[1]
    # The box with the least number is where reading begins.
    row = [box for box in form.boxes if (box.position, box.question) == (1, "order")]
    assert [box.value for box in sorted(row, key=lambda box: -box.x)] == [1, 2, 3, 4, 5]
    pages = desk.pages()
    given = answer(pages, form, 6)
    for number, page in pages.items():
        desk.keep(f"{number}.png", drawn_page.skewed(page))
    assert desk.scan() == 0
    assert desk.kept() == {1: judged(given)}


@pytest.mark.parametrize("language", some(["cs", "el", "ru", "ja", "ar"], quick=["ja"]))
def test_sentences_of_other_scripts_are_printed_and_their_pages_read_back(
    language: str, tmp_path: Path
) -> None:
    font(FONT_OF[language])
    study = with_sentences(example(tmp_path / "example", items=2), tmp_path / "study", language)
    desk = Desk(tmp_path, study, printed(study, "--questionnaire", "1"))
    pages = desk.pages()
    given = answer(pages, desk.forms[1], 1)
    for number, page in pages.items():
        desk.keep(f"{number}.png", drawn_page.noisy(page))
    assert desk.scan() == 0
    assert desk.kept() == {1: judged(given)}
