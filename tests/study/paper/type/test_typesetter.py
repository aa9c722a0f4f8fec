"""Text in lines."""

from functools import cache
from itertools import pairwise

import pytest

from kilter.study.paper.type.line_break import break_places
from kilter.study.paper.type.typeface import built_in
from kilter.study.paper.type.typeface_choice import TypefacePair, choose_typefaces
from kilter.study.paper.type.typesetter import Lettering, SetLine, Typesetter
from tests.study.paper.font import FONT_OF, font
from tests.study.paper.foreign import SENTENCES

ENGLISH = Lettering(size=10, language="en")


@cache
def plain() -> Typesetter:
    return Typesetter([TypefacePair(built_in(), built_in(bold=True))])


def said(line: SetLine) -> str:
    """Return the letters of a line from left to right."""
    return "".join(glyph.text for run in line.runs for glyph in run.glyphs)


@pytest.mark.parametrize("width", [80, 90, 200, 1000])
def test_lines_are_no_wider_than_their_column_and_hold_all_words(width: float) -> None:
    text = "A patient reader reads every word-by-word translation twice, and then again."
    lines = plain().lines(text, ENGLISH, width)
    assert all(line.width <= width + 1e-6 for line in lines)
    joined = " ".join(map(said, lines)).replace("- ", "-")
    assert joined == text
    # A line ends only where the next piece does not fit any more.
    for line, following in pairwise(lines):
        first = said(following)[: break_places(said(following))[0]].rstrip()
        between = "" if said(line).endswith("-") else " "
        assert plain().line(f"{said(line)}{between}{first}", ENGLISH).width > width


def test_a_word_that_is_wider_than_the_column_is_cut_between_its_letters() -> None:
    lines = plain().lines("Donaudampfschifffahrtsgesellschaft", ENGLISH, 60)
    assert len(lines) > 2
    assert "".join(map(said, lines)) == "Donaudampfschifffahrtsgesellschaft"
    assert all(line.width <= 60 for line in lines)


def test_a_new_line_in_a_text_is_a_new_line() -> None:
    assert [said(line) for line in plain().lines("one\ntwo\n", ENGLISH, 100)] == ["one", "two", ""]


def test_bold_letters_have_a_font_of_their_own_or_thicker_lines() -> None:
    bold = Lettering(size=10, language="en", is_bold=True)
    (run,) = plain().line("Hello", bold).runs
    assert (run.face, run.is_thick) == (built_in(bold=True), False)
    alone = Typesetter([TypefacePair(built_in(), None)])
    (run,) = alone.line("Hello", bold).runs
    assert (run.face, run.is_thick) == (built_in(), True)


@pytest.mark.parametrize("language", [*SENTENCES])
def test_sentences_of_other_scripts_have_a_shape_for_every_letter(language: str) -> None:
    font(FONT_OF[language])
    texts = SENTENCES[language]
    setter = Typesetter(choose_typefaces({language: [*texts], "en": ["Hello"]}))
    look = Lettering(size=11, language=language, is_leftward=language == "ar")
    for text in texts:
        lines = setter.lines(text, look, 250)
        assert all(line.width <= 250 for line in lines)
        assert all(glyph.number for line in lines for run in line.runs for glyph in run.glyphs)
        letters = sorted(letter for line in lines for letter in said(line) if letter != " ")
        assert letters == sorted(text.replace(" ", ""))


def test_an_arabic_sentence_begins_at_the_right_and_keeps_latin_words_as_they_are() -> None:
    font("DejaVu Sans")
    text = SENTENCES["ar"][1]
    setter = Typesetter(choose_typefaces({"ar": [text]}))
    look = Lettering(size=11, language="ar", is_leftward=True)
    seen = said(setter.line(text, look))
    assert "Leipzig" in seen
    assert seen.startswith(".")
    assert seen.index("Leipzig") > 0
    assert "".join(reversed(text.split()[0])) == seen[-len(text.split()[0]) :]


def test_a_word_stays_in_one_font_where_some_font_has_all_of_it() -> None:
    face = font("DejaVu Sans")
    setter = Typesetter([TypefacePair(built_in(), None), TypefacePair(face, None)])
    line = setter.line("Antonín Dvořák came", Lettering(size=10, language="en"))
    found = [(run.face, "".join(glyph.text for glyph in run.glyphs)) for run in line.runs]
    assert found == [(built_in(), "Antonín "), (face, "Dvořák "), (built_in(), "came")]
