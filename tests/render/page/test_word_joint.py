"""Where words stand without a blank between them."""

import numpy as np
import pytest

from kilter.core.corpus import TextColumn, Vocabulary
from kilter.io.tokenizer import token_column
from kilter.render.page.report_data import joined_words


def joints(line: str, tokenizer: str) -> str:
    vocabulary = Vocabulary()
    text = TextColumn("t", (line,), token_column([line], tokenizer, vocabulary))
    found = joined_words(text, vocabulary.words)
    return " ".join(
        ("+" if joined else "") + word
        for word, joined in zip(vocabulary.text(text.tokens, 0), found.tolist(), strict=True)
    )


@pytest.mark.parametrize(
    ("line", "tokenizer", "expected"),
    [
        ("Yes, (he) came.", "13a", "Yes +, ( +he +) came +."),
        ("two  blanks, here", "13a", "two blanks +, here"),
        ("它 很好", "char", "它 很 +好"),
        ("already split ,", "none", "already split ,"),
        ("", "13a", ""),
    ],
)
def test_a_word_is_joined_where_its_line_has_no_blank(
    line: str, tokenizer: str, expected: str
) -> None:
    assert joints(line, tokenizer) == expected


def test_from_a_word_that_the_tokeniser_rewrote_all_count_as_apart() -> None:
    # 13a writes &amp; as &: nobody knows any more where words stand in the line.
    assert joints("a, b &amp; c, d", "13a") == "a +, b & c , d"


def test_the_first_word_of_a_line_is_joined_to_nothing() -> None:
    vocabulary = Vocabulary()
    lines = ["end.", "(start"]
    text = TextColumn("t", tuple(lines), token_column(lines, "13a", vocabulary))
    assert joined_words(text, vocabulary.words).tolist() == [0, 1, 0, 1]
    assert joined_words(text, vocabulary.words).dtype == np.int64
