"""Laws of perturbed sentences: property 10 of the specification, and what chance may do."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError, OptionError
from kilter.preordering.perturbations.case import CaseCounts, Sentence, tagged_words
from kilter.preordering.perturbations.perturbation import PerturbationType, perturb
from kilter.preordering.perturbations.word import join_words, split_sentence
from tests.preordering.perturbations.sentences import made, often_impossible, sentences


def cores(text: str) -> Counter[str]:
    return Counter(word.core.lower() for word in split_sentence(text))


@pytest.mark.parametrize("kind", ["order", "swap", "phrase"])
@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_moving_words_keeps_all_cores(kind: str, sentence: Sentence, degree: int) -> None:
    result = made(sentence, kind, degree)
    words = sentence.words()
    assert sorted(result.permutation) == list(range(len(words)))
    assert result.text is not None
    moved = [words[place].core.lower() for place in result.permutation]
    assert [word.core.lower() for word in split_sentence(result.text)] == moved
    assert cores(result.text) == cores(sentence.text)


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 4))
def test_both_replaces_and_then_moves(sentence: Sentence, degree: int) -> None:
    result = made(sentence, "both", degree)
    assert len(result.steps) == 2 * degree
    words = sentence.words()
    for step in result.steps:
        words = step.apply(words)
    assert join_words(CaseCounts().truecase(words)) == result.text


@given(sentence=sentences(), seed=st.integers(0, 9), degree=st.integers(1, 5))
def test_the_same_seed_gives_the_same_result(sentence: Sentence, seed: int, degree: int) -> None:
    for kind in PerturbationType:
        first, second = (
            perturb(sentence, kind, degree=degree, case=CaseCounts(), seed=(seed,))
            for _ in range(2)
        )
        assert first == second


def test_a_sentence_that_cannot_change_is_reported_and_not_faked() -> None:
    result = perturb(
        Sentence("Go go"), PerturbationType.ORDER, degree=1, case=CaseCounts.of(["x go"]), seed=(1,)
    )
    assert (result.text, result.reason) == (None, "the sentence came out as it was")
    short = perturb(Sentence("One"), PerturbationType.ORDER, degree=1, case=CaseCounts(), seed=(1,))
    assert (short.text, short.reason) == (None, "no word can move by 1 place in 1 word")


def test_missing_knowledge_is_an_error_that_says_what_to_give() -> None:
    sentence = Sentence("a b c")
    for kind in ("swap", "phrase", "choice"):
        with pytest.raises(InputError, match="give its tree"):
            perturb(sentence, PerturbationType(kind), degree=2, case=CaseCounts(), seed=(1,))
    tree = DependencyTree(["a", "b"], [-1, 0])
    with pytest.raises(InputError, match="give one with its tree"):
        perturb(
            Sentence("a b", tree), PerturbationType.CHOICE, degree=1, case=CaseCounts(), seed=()
        )
    with pytest.raises(InputError, match="has 3 words, but its tree has 2"):
        Sentence("a b c", tree)
    with pytest.raises(InputError, match="has 3 words, but its tree has 2"):
        tagged_words("a b c", tree)
    with pytest.raises(OptionError, match="from 1"):
        perturb(sentence, PerturbationType.ORDER, degree=0, case=CaseCounts(), seed=())
