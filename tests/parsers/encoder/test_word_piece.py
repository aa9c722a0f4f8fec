"""Words become pieces of the vocabulary, whatever they are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.encoder.encoder import MOST_PIECES, WordPieces, _kind
from tests.oracles.word_piece import longest_matches

LETTERS = ["a", "b", "ab", "ba", "##a", "##b", "##ab", "##bab"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, "un", "##known", "e", "-", "中", "$"]
PIECES = WordPieces(VOCABULARY)


def split(word: str) -> list[str]:
    return [VOCABULARY[number] for number in PIECES.split(word)]


@given(st.text("abc", min_size=1, max_size=7))
def test_pieces_are_the_longest_matches_from_the_left(word: str) -> None:
    expected = longest_matches(word, set(VOCABULARY)) or ["[UNK]"]
    assert split(word) == expected


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("UNKNOWN", ["un", "##known"]),
        ("é", ["e"]),
        ("e\u0301", ["e"]),
        ("a-b", ["a", "-", "b"]),
        ("$a", ["$", "a"]),
        ("中a中", ["中", "a", "中"]),
        ("a\u00a0b", ["a", "b"]),
        ("a\ufffdb", ["ab"]),
        ("a\x00b", ["ab"]),
        (
            "a\x07b",
            ["ab"],
        ),  # a control character, a sign of layout, one of private use, and no character
        ("a\u200bb", ["ab"]),
        ("a\ue000b", ["ab"]),
        ("a\u0378b", ["ab"]),
        ("a\tb", ["a", "b"]),
        ("a\u2028b", ["[UNK]"]),
        ("a\ufffcb", ["[UNK]"]),
        ("😀", ["[UNK]"]),
        ("\u0301", ["[UNK]"]),
        ("\u200d", ["[UNK]"]),
        ("", ["[UNK]"]),
        ("a" * 101, ["[UNK]"]),
    ],
)
def test_case_accents_signs_and_other_scripts(word: str, pieces: list[str]) -> None:
    assert split(word) == pieces


def test_a_word_of_millions_of_letters_is_split_in_a_moment() -> None:
    word = "a" * 2_000_000 + "-b"  # in quadratic time it would take minutes
    assert split(word) == ["[UNK]", "-", "b"]


def test_a_long_word_keeps_its_beginning_and_its_last_piece() -> None:
    word = "-" * 20 + "ab"
    assert split(word) == ["-"] * (MOST_PIECES - 1) + ["ab"]


@given(st.text(max_size=30))
def test_every_word_has_a_piece_and_not_too_many(word: str) -> None:
    assert 1 <= len(PIECES.split(word)) <= MOST_PIECES


# The blocks of CJK ideographs, their extensions A to E and both blocks of compatibility ideographs.
@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xF900, 0xFAFF),
        (0x20000, 0x2A6DF),
        (0x2A700, 0x2CEAF),
        (0x2F800, 0x2FA1F),
    ],
)
def test_every_ideograph_of_a_block_stands_alone(first: int, last: int) -> None:
    assert {_kind(chr(code)) for code in (first, last)} <= {"alone", "nothing"}
    assert all(_kind(chr(code)) == "alone" for code in range(first, last) if chr(code).isalpha())
    assert "alone" not in {_kind(chr(code)) for code in (first - 1, last + 1)}
