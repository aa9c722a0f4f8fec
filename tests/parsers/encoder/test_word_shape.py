"""The shape of a word is what its capital letters say."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.encoder.word_shape import WordShape, word_shape


@given(st.text())
def test_every_text_has_a_shape_and_lower_case_is_plain(word: str) -> None:
    assert word_shape(word) in WordShape
    if not any(map(str.isupper, word)):
        assert word_shape(word) is WordShape.PLAIN
