"""Names and numbers look the same in a terminal, in Markdown and in LaTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.markup import latex_text, markdown_text, text_width, visible
from tests.oracles.markup import latex_shows, markdown_shows

# Quotation marks are left out of LaTeX's part: they are set as typographic ones.
NAMES = st.text(st.characters(max_codepoint=0x17F, exclude_categories=["Cc", "Cf"]), max_size=12)
ODD = [
    "a|b",
    "a_b",
    "$5",
    "a\\b",
    "a\\",
    "50%",
    "#1 & co",
    "{x}",
    "~/x^2",
    "<b>",
    "--x--",
    "[x](y)",
]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_shown_as_they_are(name: str) -> None:
    assert latex_shows(latex_text(name)) == name
    assert markdown_shows(markdown_text(name)) == name


@given(NAMES)
def test_any_name_is_shown_as_it_is(name: str) -> None:
    assert markdown_shows(markdown_text(name)) == name
    plain = name.replace('"', "").replace("'", "").replace("`", "")
    assert latex_shows(latex_text(plain)) == plain


@pytest.mark.parametrize("text", ["&amp;", "&#39;", "AT&T", "[1] [2]", "[1][2]", "a ~~b~~"])
def test_entities_links_and_strokes_are_no_markup_in_markdown(text: str) -> None:
    assert markdown_shows(markdown_text(text)) == text


def test_numbers_stay_readable_in_the_source() -> None:
    assert markdown_text("[-0.0172, +0.0019]") == "[-0.0172, +0.0019]"
    assert latex_text("[-0.5, +0.1] a-1") == "[$-$0.5, +0.1] a-1"
    assert latex_text("-** <.001") == "$-$** \\textless{}.001"
    assert latex_text("0.9 ±0.1") == "0.9 $\\pm$0.1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\nb", "a\\nb"), ("a\tb\r", "a\\tb\\r"), ("\x1b[1m", "\\x1b[1m"), ("\u2028", "\\u2028"),
     ("a\udcff", "a\\udcff"), ("\u202eb\u2069", "\\u202eb\\u2069"), ("مر\u200cد", "مر\u200cد"), ("größer 日本 🙂", "größer 日本 🙂"), ("", "")],
)  # fmt: skip
def test_control_characters_are_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert latex_shows(latex_text(text)) == markdown_shows(markdown_text(text)) == shown


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("größer", 6), ("日本語", 6), ("e\u0301", 1), ("a\u200db", 2), ("ﾊﾝ", 2)]
)  # fmt: skip
def test_a_terminal_gives_wide_characters_two_columns_and_accents_none(
    text: str, width: int
) -> None:
    assert text_width(text) == width
