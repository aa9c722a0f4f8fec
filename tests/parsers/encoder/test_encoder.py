"""What the network says about a segment is about that segment alone."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.core.corpus import Vocabulary
from kilter.parsers.encoder.encoder import MOST_PIECES, WordPieces, _kind, load_encoder, windows
from tests.oracles.word_piece import longest_matches

TEXTS = [
    "The committee has not met since March .",
    "HEADLINE WITHOUT A VERB",
    "",
    "She gave the old man a coat , and he thanked her .",
    "He gave an old man the coat , but she thanked him .",
    "yes",
]


def vectors(texts: list[str], *, jobs: int = 1) -> list[NDArray[np.float32]]:
    vocabulary = Vocabulary()
    words = vocabulary.column([text.split() for text in texts])
    found = [np.zeros((0, 384), dtype=np.float32) for _ in texts]
    for answer in load_encoder().answers(words, vocabulary, ["vector"], jobs=jobs):
        for place, window in enumerate(answer.windows):
            rows = slice(int(answer.offsets[place]), int(answer.offsets[place + 1]))
            found[window.segment] = answer.arrays["vector"][rows]
    return found


def test_neighbours_and_threads_change_nothing() -> None:
    together = vectors(TEXTS)
    assert [len(rows) for rows in together] == [len(text.split()) for text in TEXTS]
    for text, rows in zip(TEXTS, together, strict=True):
        assert np.array_equal(vectors([text])[0], rows)
    for one, other in zip(together, vectors(TEXTS * 20, jobs=3), strict=False):
        assert np.array_equal(one, other)


def test_threads_may_ask_one_encoder_at_once() -> None:
    texts = [*TEXTS, " ".join(TEXTS * 4)]
    wanted = [rows.tobytes() for rows in vectors(texts)]
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: vectors(texts), range(16)):
            assert [rows.tobytes() for rows in found] == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_was_forked_says_the_same() -> None:
    wanted = b"".join(rows.tobytes() for rows in vectors(TEXTS))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # Whatever happens, the child must not go on as a second run of the tests.
        try:
            os.write(writing, hashlib.sha256(b"".join(map(bytes, vectors(TEXTS)))).digest())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    said = os.read(reading, 100)
    os.close(reading)
    assert said == hashlib.sha256(wanted).digest()


def test_a_word_has_another_vector_in_another_context() -> None:
    bank, shore = vectors(["the bank lends money", "the bank of the river"])
    assert not np.allclose(bank[1], shore[1])


def test_progress_counts_words_up_to_all_of_them() -> None:
    seen: list[tuple[int, int]] = []
    vocabulary = Vocabulary()
    words = vocabulary.column([text.split() for text in TEXTS])
    answers = load_encoder().answers(
        words, vocabulary, ["upos"], progress=lambda done, total: seen.append((done, total))
    )
    assert sum(len(answer.windows) for answer in answers) == 5
    assert seen[-1] == (len(words.ids), len(words.ids))


# Windows cover every word once and fit the network.


@given(st.lists(st.tuples(st.integers(1, 8), st.sampled_from(["a", "."]))), st.integers(8, 40))
def test_windows_follow_one_another_and_none_is_too_large(
    given_words: list[tuple[int, str]], most: int
) -> None:
    sizes, words = [size for size, _ in given_words], [word for _, word in given_words]
    spans = windows(sizes, words, most=most)
    assert [k for start, stop in spans for k in range(start, stop)] == list(range(len(words)))
    assert all(0 < sum(sizes[start:stop]) <= most for start, stop in spans)


def test_a_window_ends_after_a_sentence_where_it_can() -> None:
    words = ["a"] * 6 + ["."] + ["a"] * 6
    assert windows([1] * 13, words, most=10) == [(0, 7), (7, 13)]
    assert windows([1] * 13, ["a"] * 13, most=10) == [(0, 10), (10, 13)]


# Words become pieces of the vocabulary, whatever they are made of.


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
        ("a" * 100, ["a", *["##a"] * 7]),
        ("aab", ["a", "##ab"]),
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
