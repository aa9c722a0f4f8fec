"""Words and the punctuation around them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.preordering.perturbations.case import Sentence
from kilter.preordering.perturbations.order import draw_swap
from kilter.preordering.perturbations.word import (
    CLOSING,
    OPENING,
    Chance,
    ImpossibleError,
    join_words,
    split_sentence,
    split_word,
)
from tests.preordering.perturbations.sentences import made, often_impossible, sentences


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


# Numbers drawn by chance.


def test_chance_draws_evenly_also_beyond_what_a_float_can_say() -> None:
    chance = Chance("large")
    drawn = [chance.below(3 * (1 << 80)) >> 80 for _ in range(3000)]
    assert all(900 < drawn.count(part) < 1100 for part in range(3))
    assert sorted(chance.shuffled(range(50))) == list(range(50))
    assert Chance(1, "23").below(1 << 40) != Chance("1", 23).below(1 << 40)


def test_every_order_of_a_few_things_is_equally_likely() -> None:
    chance = Chance(1, "orders")
    found = Counter(tuple(chance.shuffled("abc")) for _ in range(6000))
    assert len(found) == 6  # the order that was given among them
    # 1,000 each on average; chi-squared with 5 degrees of freedom is below 20.5 in 99.9% of cases.
    assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 20.5
    firsts = Counter(chance.sample("abcd", 2)[0] for _ in range(4000))
    assert sum((count - 1000) ** 2 / 1000 for count in firsts.values()) < 16.3


# Words that change places.


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 3))
def test_swap_keeps_all_punctuation_and_moves_exactly_degree_words(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "swap", 2 * degree)
    assert result.text is not None
    assert [(word.opening, word.closing) for word in split_sentence(result.text)] == [
        (word.opening, word.closing) for word in sentence.words()
    ]
    assert sentence.tree is not None
    moved = [at for at, place in enumerate(result.permutation) if at != place]
    assert len(moved) == 2 * degree
    tags = sentence.tree.tags
    assert all(tags[at] == tags[result.permutation[at]] for at in moved)


def test_words_of_one_form_with_different_tags_do_not_swap() -> None:
    words = split_sentence("a b")
    with pytest.raises(ImpossibleError, match="0 of 1 pairs"):
        draw_swap(words, ["DET", "NOUN"], 2, Chance(1))
    with pytest.raises(ImpossibleError, match="odd"):
        draw_swap(words, ["DET", "DET"], 1, Chance(1))


def test_words_with_equal_cores_do_not_swap() -> None:
    with pytest.raises(ImpossibleError):
        draw_swap(split_sentence("go, go!"), ["VERB", "VERB"], 2, Chance(1))
