"""Characters and words of a reference that are met."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.core.corpus import Vocabulary, characters_of
from kilter.metrics.kilter import character_score, word_score
from tests.oracles import score as oracle
from tests.texts import evaluation

LINES = st.lists(st.text("abcé, .", max_size=14), min_size=1, max_size=4)
WORDS = st.lists(
    st.sampled_from(["the", "house", "houses", "Haus", "a", ".", "...", "über"]), max_size=7
)


def common(hypotheses: list[str], references: list[str], order: int = 6) -> list[list[int]]:
    one, other = characters_of(hypotheses), characters_of(references)
    found = _core.count_common_ngrams(one.ids, one.offsets, other.ids, other.offsets, order, 2)
    return [list(map(int, row)) for row in found]


@given(LINES, LINES)
def test_common_ngrams_are_the_smaller_of_both_counts(one: list[str], other: list[str]) -> None:
    pairs = list(zip(one, other, strict=False))
    expected = [
        [oracle.common_grams(first, second, order) for order in range(1, 7)]
        for first, second in pairs
    ]
    assert common([first for first, _ in pairs], [second for _, second in pairs]) == expected


def test_common_ngrams_of_more_characters_than_fit_into_a_word_are_counted_alike() -> None:
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 1500)))
    hypothesis = many[700:] + "ab" + many[:600]
    expected = [oracle.common_grams(hypothesis, many, order) for order in range(1, 7)]
    assert common([hypothesis], [many]) == [expected]


def test_an_order_without_a_kernel_is_refused() -> None:
    with pytest.raises(ValueError, match="order is 7; it lies between 1 and 6"):
        common(["a"], ["a"], 7)


@given(WORDS, WORDS)
def test_words_are_met_by_the_likest(hypothesis: list[str], reference: list[str]) -> None:
    whole = evaluation([hypothesis], [reference])
    assert word_score(whole, 0)[0] == pytest.approx(oracle.words(hypothesis, reference))


@given(
    st.lists(
        st.lists(st.text("abcé", min_size=1, max_size=12), min_size=2, max_size=20),
        min_size=1,
        max_size=3,
    )
)
def test_the_likest_word_is_the_one_of_plain_loops(segments: list[list[str]]) -> None:
    vocabulary = Vocabulary()
    halves = [(words[: len(words) // 2], words[len(words) // 2 :]) for words in segments]
    hypothesis, reference = (vocabulary.column([half[k] for half in halves]) for k in range(2))
    spelling = vocabulary.spelling().characters
    found = _core.word_likeness(
        hypothesis.ids, hypothesis.offsets, reference.ids, reference.offsets,
        spelling.ids, spelling.offsets, 1,
    )  # fmt: skip
    expected = [
        max(oracle.likeness(word, other) for other in first)
        for first, second in halves
        for word in second
    ]
    assert found.tolist() == pytest.approx(expected)


@given(LINES, LINES)
def test_characters_are_those_of_chrf(one: list[str], other: list[str]) -> None:
    pairs = list(zip(one, other, strict=False))
    whole = evaluation([a.split() for a, _ in pairs], [b.split() for _, b in pairs])
    expected = [oracle.characters(first, second) for first, second in pairs]
    assert character_score(whole, 0).tolist() == pytest.approx(expected)


def test_a_longer_word_weighs_more_and_punctuation_nothing() -> None:
    whole = evaluation([["house", "?"], ["a", "?"]], [["house", "a", "."], ["house", "a", "."]])
    long, short = word_score(whole, 0).tolist()
    assert long == pytest.approx(np.sqrt(5) / (np.sqrt(5) + 1))
    assert short < long
