"""Sentences with what is known about their words."""

import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError
from kilter.preordering.perturbations.case import Sentence, tagged_words

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
