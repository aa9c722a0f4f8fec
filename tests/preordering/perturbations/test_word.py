"""Words and the punctuation around them."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.preordering.perturbations.word import (
    CLOSING,
    OPENING,
    join_words,
    split_sentence,
    split_word,
)


@given(st.text("ab.,'()\"!", min_size=1))
def test_parts_of_a_word_are_the_word(text: str) -> None:
    word = split_word(text)
    assert word.text == text
    assert word.core
    if set(text) - set(OPENING) - set(CLOSING):
        assert not set(word.opening) - set(OPENING)
        assert not set(word.closing) - set(CLOSING)
        assert word.core[0] not in OPENING
        assert word.core[-1] not in CLOSING


def test_a_word_of_punctuation_only_is_all_core() -> None:
    assert split_word("...") == ("", "...", "", -1)


def test_a_core_moves_into_the_punctuation_of_another() -> None:
    words = split_sentence("(one) two, three")
    assert [word.place for word in words] == [0, 1, 2]
    moved = words[0].with_core_of(words[1])
    assert moved == ("(", "two", ")", 1)
    assert join_words([moved, *words[1:]]) == "(two) two, three"
