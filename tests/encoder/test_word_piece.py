"""Words become pieces of the vocabulary, whatever they are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.encoder.word_piece import MOST_PIECES, WordPieces
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
        ("😀", ["[UNK]"]),
        ("\u0301", ["[UNK]"]),
        ("\u200d", ["[UNK]"]),
        ("", ["[UNK]"]),
        ("a" * 101, ["[UNK]"]),
    ],
)
def test_case_accents_signs_and_other_scripts(word: str, pieces: list[str]) -> None:
    assert split(word) == pieces


def test_a_long_word_keeps_its_beginning_and_its_last_piece() -> None:
    word = "-" * 20 + "ab"
    assert split(word) == ["-"] * (MOST_PIECES - 1) + ["ab"]


@given(st.text(max_size=30))
def test_every_word_has_a_piece_and_not_too_many(word: str) -> None:
    assert 1 <= len(PIECES.split(word)) <= MOST_PIECES
