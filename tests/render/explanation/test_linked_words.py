"""Pairs of sentences with links say what is linked, misplaced and alone, and refuse what is not there."""

import pytest

from kilter.core.errors import InputError
from kilter.render.explanation.link_diagram import LinkedWords, reads_leftward
from tests.render.explanation.worked import CELLIST_PAIR, HEBREW_PAIR, JAPANESE_PAIR, SIX


def test_words_of_the_cellist_are_told() -> None:
    assert CELLIST_PAIR.linked_hypothesis == {1, 3, 4, 5, 6}
    assert CELLIST_PAIR.linked_reference == {1, 2, 4, 7, 8}
    assert CELLIST_PAIR.misplaced_reference == {7}
    told = CELLIST_PAIR.description()
    assert "cellist 2 - cellist 8" in told
    assert "Misplaced: cellist 2." in told
    assert "Without a link: The 1 of the hypothesis, of 3 of the hypothesis, Ms 1" in told


def test_a_permutation_links_its_values_with_their_places() -> None:
    words = LinkedWords.of_permutation(SIX)
    assert (words.hypothesis, words.reference) == (tuple("245613"), tuple("123456"))
    assert all(words.hypothesis[i] == words.reference[j] for i, j in words.links)


def test_sentences_without_words_are_told_as_such() -> None:
    assert (
        LinkedWords([], [], []).description()
        == "Hypothesis: no words. Reference: no words. Links: none."
    )


@pytest.mark.parametrize(
    ("links", "misplaced", "fault"),
    [
        ([(2, 0)], [], "there is no word 2 in a hypothesis of 2 words"),
        ([(0, 1)], [], "there is no word 1 in a reference of 1 word;"),
        ([(-1, 0)], [], "there is no word -1 in a hypothesis"),
        ([], [5], "there is no word 5 in a hypothesis of 2 words"),
    ],
)
def test_places_outside_a_sentence_are_refused(
    links: list[tuple[int, int]], misplaced: list[int], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        LinkedWords(["a", "b"], ["a"], links, misplaced=misplaced)


def test_the_direction_is_that_of_most_words() -> None:
    assert reads_leftward(HEBREW_PAIR.hypothesis)
    assert reads_leftward(["مرحبا", "2024"])
    assert not reads_leftward(JAPANESE_PAIR.hypothesis)
    assert not reads_leftward(["the", "word", "שלום"])
    assert not reads_leftward([])
