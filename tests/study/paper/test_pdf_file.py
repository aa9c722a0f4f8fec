"""PDF files of our own, read by others."""

import io

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from pypdf import PdfReader

from kilter.study.paper.pdf_file import PdfFile
from kilter.study.paper.type.typeface import built_in
from kilter.study.paper.type.typeface_choice import TypefacePair, choose_typefaces
from kilter.study.paper.type.typesetter import Lettering, Typesetter
from tests.study.paper.font import FONT_OF, font
from tests.study.paper.foreign import SENTENCES

PLAIN = Typesetter([TypefacePair(built_in(), built_in(bold=True))])


def rendered(data: bytes) -> NDArray[np.uint8]:
    """Return the first page, a pixel for a point, dark where something is."""
    with pypdfium2.PdfDocument(data) as document:
        return np.array(document[0].render(scale=1, grayscale=True).to_numpy(), np.uint8).squeeze()


def test_text_can_be_searched_and_the_file_says_title_and_language() -> None:
    file = PdfFile("Größe ř", "de", (300, 200))
    page = file.new_page()
    page.text(PLAIN.line("Größe & Maß", Lettering(size=12, language="de")), 20, 100)
    file.new_page().text(
        PLAIN.line("zwei", Lettering(size=12, language="de", is_bold=True)), 20, 100
    )
    reader = PdfReader(io.BytesIO(file.to_bytes()))
    assert [page.extract_text() for page in reader.pages] == ["Größe & Maß", "zwei"]
    assert reader.metadata is not None
    assert reader.metadata.title == "Größe ř"
    assert str(reader.root_object["/Lang"]) == "de"
    assert reader.pages[0].mediabox[2:] == [300, 200]


def test_the_same_pages_give_the_same_bytes() -> None:
    def made(word: str) -> bytes:
        file = PdfFile("title", "en", (300, 200))
        file.new_page().text(PLAIN.line(word, Lettering(size=12, language="en")), 20, 100)
        return file.to_bytes()

    assert made("word") == made("word") != made("sword")


def test_shapes_are_where_they_were_drawn() -> None:
    file = PdfFile("title", "en", (300, 200))
    page = file.new_page()
    page.fill([(10, 20, 30, 40), (100, 20, 10, 10)])
    page.fill([(15, 25, 5, 5)], grey=1)
    page.rectangle(200, 100, 50, 20)
    page.line(20, 150, 100)
    dark = rendered(file.to_bytes()) < 128
    assert dark[200 - 60 : 200 - 20, 10:40].sum() == 30 * 40 - 25
    assert dark[200 - 30 : 200 - 20, 100:110].all()
    assert not dark[200 - 118 : 200 - 102, 202:248].any()
    assert dark[200 - 121 : 200 - 99, 199:252].sum() > 2 * (50 + 18)
    assert (rendered(file.to_bytes())[49:52, 25:115] < 230).any(axis=0).all()


@pytest.mark.parametrize("language", [*SENTENCES])
def test_other_scripts_are_drawn_as_wide_as_they_were_set_and_can_be_searched(
    language: str,
) -> None:
    font(FONT_OF[language])
    text = SENTENCES[language][0]
    setter = Typesetter(choose_typefaces({language: [text]}))
    line = setter.line(text, Lettering(size=12, language=language, is_leftward=language == "ar"))
    file = PdfFile("title", language, (600, 100))
    file.new_page().text(line, 20, 50)
    data = file.to_bytes()
    columns = np.flatnonzero((rendered(data) < 160).any(axis=0))
    assert 20 <= columns.min() < 26
    assert line.width - 12 < columns.max() - 20 <= line.width + 1
    found = PdfReader(io.BytesIO(data)).pages[0].extract_text()
    assert sorted(found.replace(" ", "")) == sorted(text.replace(" ", ""))


def test_letters_without_a_bold_font_are_drawn_with_thicker_lines() -> None:
    def ink(setter: Typesetter, *, bold: bool) -> int:
        file = PdfFile("title", "en", (300, 100))
        look = Lettering(size=30, language="en", is_bold=bold)
        file.new_page().text(setter.line("Hello", look), 20, 50)
        return int((255 - rendered(file.to_bytes()).astype(int)).sum())

    alone = Typesetter([TypefacePair(built_in(), None)])
    assert ink(alone, bold=True) > 1.1 * ink(alone, bold=False)
