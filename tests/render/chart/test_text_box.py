"""Texts take no more room than we say, and lines of them lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from kilter.render.chart.text_box import broken_lines, text_length
from tests.render.picture import font

LATIN = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_categories=["Cc"]))


@pytest.mark.parametrize(("bold", "name"), [(False, "Vera"), (True, "VeraBd")])
def test_words_are_no_wider_than_we_say(bold: bool, name: str) -> None:  # noqa: FBT001
    words = ["Spearman's rho", "WMT rank score", "MMWW@@%%", "illicit", "0.123 (n = 50)", "dted:b"]
    for word in words:
        assert pdfmetrics.stringWidth(word, font(name), 13) <= text_length(word, 13, bold=bold)


@given(LATIN)
def test_no_text_of_western_europe_is_wider_than_we_say(text: str) -> None:
    known = "".join(c for c in text if ord(c) in font_characters())
    assert pdfmetrics.stringWidth(known, font("Vera"), 10) <= text_length(known, 10) + 1e-6


def font_characters() -> set[int]:
    return set(pdfmetrics.getFont(font("Vera")).face.charToGlyph)


@given(st.text(max_size=60), st.floats(30, 300))
def test_broken_lines_fit_and_hold_all_letters(text: str, room: float) -> None:
    lines = broken_lines(text, 12, room)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(text_length(line, 12) <= room for line in lines)


def test_names_break_behind_their_signs() -> None:
    assert broken_lines("order:variant=b,flat=true", 12, 110) == ["order:variant=b,", "flat=true"]


def test_wide_letters_and_accents_have_their_widths() -> None:
    assert text_length("漢字", 10) == 20
    assert text_length("e\u0301", 10) == text_length("e", 10)
    assert text_length("Щ", 10) >= 10


@pytest.mark.parametrize(
    ("letter", "width"),
    [
        ("щ", 942),
        ("Ж", 1077),
        ("ы", 790),
        ("д", 691),
        ("ש", 708),
        ("ם", 664),
        ("س", 1221),
        ("ل", 727),
    ],
)
def test_letters_of_other_scripts_have_the_room_that_they_take(letter: str, width: int) -> None:
    """Advance widths of DejaVu Sans, in thousandths; nothing is given more than half as much again."""
    assert width <= text_length(letter, 1000) <= 1.7 * width
