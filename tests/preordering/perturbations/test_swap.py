"""Words that change places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.preordering.perturbations.case import Sentence
from kilter.preordering.perturbations.order import draw_swap
from kilter.preordering.perturbations.word import Chance, ImpossibleError, split_sentence
from tests.preordering.perturbations.sentences import made, often_impossible, sentences


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
