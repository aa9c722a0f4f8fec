"""Capitals of words that move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError
from kilter.preordering.perturbations.case import CaseCounts, Sentence, tagged_words
from kilter.preordering.perturbations.word import Word, join_words, split_sentence
from tests.preordering.perturbations.sentences import made, often_impossible, sentences


def test_truecasing_leaves_letters_alone_that_have_no_single_capital() -> None:
    words = (Word("", "ßa", ""), Word("", "ǆa", ""))
    assert join_words(CaseCounts().truecase(words)) == "ßa ǆa"


# Words that are replaced by others.


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_choice_changes_exactly_degree_cores_and_no_punctuation(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "choice", degree)
    assert result.text is not None
    before, after = sentence.words(), split_sentence(result.text)
    changed = [
        new.core.lower()
        for old, new in zip(before, after, strict=True)
        if old.core.lower() != new.core.lower()
    ]
    assert len(changed) == degree == len(set(changed))
    assert not {*changed} & {word.core.lower() for word in before}
    assert [(word.opening, word.closing) for word in after] == [
        (word.opening, word.closing) for word in before
    ]


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_choice_takes_words_of_the_other_sentence_with_the_same_tag(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "choice", degree)
    assert result.text is not None
    assert sentence.tree is not None
    offered = {(core.lower(), tag) for core, tag in sentence.hypothesis or ()}
    rows = zip(sentence.words(), split_sentence(result.text), sentence.tree.tags, strict=True)
    taken = [
        (new.core.lower(), tag) for old, new, tag in rows if old.core.lower() != new.core.lower()
    ]
    assert len(taken) == degree
    assert {*taken} <= offered


# Sentences with what is known about their words.


TREE = DependencyTree(["a", "b"], [-1, 0], tags=["X", "Y"])


def test_a_tree_has_as_many_words_as_its_sentence() -> None:
    assert Sentence("a b", TREE).known_tree("this") is TREE
    with pytest.raises(InputError, match="the sentence has 1 word, but its tree has 2"):
        Sentence("a", TREE)
    with pytest.raises(InputError, match="the hypothesis has 3 words, but its tree has 2"):
        tagged_words("a b c", TREE)


def test_what_is_missing_is_asked_for() -> None:
    bare = Sentence("a b")
    with pytest.raises(InputError, match="swap needs the tags or the tree of the sentence"):
        bare.known_tree("swap")
    with pytest.raises(InputError, match="choice takes words from a hypothesis"):
        bare.known_hypothesis()


def test_words_of_a_hypothesis_are_cores_with_tags() -> None:
    assert tagged_words("(a b.", TREE) == (("a", "X"), ("b", "Y"))
