"""Columns of dependency trees."""

import warnings
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.dependency_tree import ROOT, DependencyTree, cycle_of
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeOrigin,
    DependencyTreePairs,
    DependencyTreeSource,
    GivenDependencyTrees,
    tree_faults,
)
from kilter.core.errors import InputError
from tests.strategies import dependency_trees

Parses = list[DependencyTree]


def column_of_heads(*segments: list[int]) -> DependencyTreeColumn:
    """Return a column of heads that need not be trees."""
    vocabulary = Vocabulary()
    size = sum(map(len, segments))
    names = [vocabulary.numbers([name] * size) for name in ("word", "label", "tag")]
    return DependencyTreeColumn(
        names[0],
        np.array([head for heads in segments for head in heads], dtype=np.int32),
        names[1],
        names[2],
        offsets=np.cumsum([0, *map(len, segments)]),
        parses=np.arange(len(segments) + 1),
        vocabulary=vocabulary,
    )


@st.composite
def n_best(draw: st.DrawFn) -> Parses:
    size = draw(st.integers(0, 6))
    return draw(st.lists(dependency_trees(size, size), min_size=1, max_size=3))


@given(st.lists(n_best(), max_size=4))
def test_trees_survive_being_put_into_a_column(segments: list[Parses]) -> None:
    column = DependencyTreeColumn.of(segments)
    assert [column.segment(s) for s in range(len(column))] == segments
    assert column.lengths.tolist() == [len(parses[0]) for parses in segments]
    assert column.trees == sum(map(len, segments))
    assert [column.tree(t) for t in range(column.trees)] == [t for ts in segments for t in ts]
    assert column.joined == ()
    best = column.first_parses()
    assert [best.segment(s) for s in range(len(best))] == [parses[:1] for parses in segments]


@given(st.lists(dependency_trees(), max_size=4), st.lists(dependency_trees(), max_size=4))
def test_labels_of_two_columns_can_be_compared(
    first: list[DependencyTree], second: list[DependencyTree]
) -> None:
    one, other = DependencyTreeColumn.of(first), DependencyTreeColumn.of(second)
    numbers = other.labels_in(one.vocabulary).tolist()
    names = [one.vocabulary.words[number] for number in numbers]
    assert names == [label for tree in second for label in tree.labels]
    assert one.labels_in(one.vocabulary) is one.labels


head_lists = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.integers(-2, size), min_size=size, max_size=size)
)


@given(st.lists(head_lists, max_size=5))
def test_faults_are_those_of_each_tree_alone(segments: list[list[int]]) -> None:
    expected: list[tuple[int, int, tuple[int, ...]]] = []
    for tree, heads in enumerate(segments):
        outside = [word for word, head in enumerate(heads) if not ROOT <= head < len(heads)]
        if outside:
            expected.append((tree, outside[0], ()))
        elif cycle := cycle_of(heads):
            expected.append((tree, cycle[0], tuple(cycle)))
    flat = np.array([head for heads in segments for head in heads], dtype=np.int32)
    found = tree_faults(flat, np.cumsum([0, *map(len, segments)]))
    assert [(fault.tree, fault.word, fault.cycle) for fault in found] == expected


@given(st.lists(st.lists(st.integers(-1, 3), min_size=4, max_size=4), max_size=5))
def test_further_roots_are_attached_as_in_a_single_tree(segments: list[list[int]]) -> None:
    sound = [heads for heads in segments if not cycle_of(heads)]
    column = column_of_heads(*sound)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            DependencyTree(["word"] * 4, heads, labels=["label"] * 4, tags=["tag"] * 4)
            for heads in sound
        ]
    assert [column.tree(tree) for tree in range(column.trees)] == expected
    several = [tree for tree, heads in enumerate(sound) if heads.count(ROOT) > 1]
    assert list(column.joined) == several


def test_a_fault_names_the_tree_and_the_words() -> None:
    with pytest.raises(InputError, match=r"tree 2: words 0 -> 1 -> 0 hang .* cycle"):
        column_of_heads([-1], [1, 0])
    with pytest.raises(InputError, match=r"tree 1: the head of word 0 is 7; heads of 1 word lie"):
        column_of_heads([7])


def test_arrays_that_do_not_fit_are_refused() -> None:
    column = DependencyTreeColumn.of([DependencyTree(["a", "b"], [1, -1]), DependencyTree([], [])])
    for change in (
        {"words": column.words[:1]},
        {"offsets": np.array([0, 1, 1])},
        {"offsets": np.array([0, 3, 2])},
        {"offsets": np.array([], dtype=np.int64)},
        {"parses": np.array([0, 1])},
        {"parses": np.array([0, 2, 2])},
    ):
        with pytest.raises(InputError, match="tree"):
            replace(column, **change)


def test_parses_of_a_segment_have_equally_many_words() -> None:
    with pytest.raises(InputError, match=r"this parse has 1 word, but the first .* has 2"):
        DependencyTreeColumn.of(
            [[DependencyTree(["a", "b"], [1, -1]), DependencyTree(["a"], [-1])]]
        )


def problems(column: DependencyTreeColumn, *lines: str) -> list[str]:
    vocabulary = Vocabulary()
    words = vocabulary.column([line.split() for line in lines])
    return [str(error) for error in column.problems(words, vocabulary, text="a.txt")]


def test_other_numbers_of_words_than_the_text_are_reported_with_both() -> None:
    column = DependencyTreeColumn.of(
        [DependencyTree(["a", "b"], [1, -1]), DependencyTree(["c"], [-1])]
    )
    assert problems(column, "a b", "c") == []
    (found,) = problems(column, "a b", "c c c")
    assert found.startswith("tree 2: the tree has 1 word, but line 2 of a.txt has 3")
    (found,) = problems(column, "a b", "c", "c")
    assert "has trees for 2 segments, but a.txt has 3 lines" in found
    origin = DependencyTreeOrigin("a.conllu", np.array([1, 6]), ("s1", None))
    first, second = problems(replace(column, origin=origin), "", "")
    assert first.startswith("a.conllu:1 (sentence s1): the tree has 2 words, but line 1")
    assert second.startswith("a.conllu:6: the tree has 1 word, but line 2")


def test_trees_of_other_sentences_are_reported_with_their_first_other_word() -> None:
    tree = DependencyTree(["the", "Cat", "sleeps"], [1, 2, -1])
    other = DependencyTree(["the", "dog", "barks"], [1, 2, -1])
    assert problems(DependencyTreeColumn.of([tree, other]), "The cat sleeps", "the dog barks") == []
    first, second = problems(
        DependencyTreeColumn.of([tree, other]), "the dog barks", "the cat sleeps"
    )
    assert first == (
        "tree 1: word 2 of the tree is 'Cat', but that of line 1 of a.txt is 'dog'; give the trees of "
        "this text"
    )
    assert second.startswith("tree 2: word 2 of the tree is 'dog', but that of line 2")
    (found,) = problems(
        DependencyTreeColumn.of([[tree, other], tree]), "the cat sleeps", "the cat sleeps"
    )
    assert found.startswith("tree 2: word 2 of the tree is 'dog', but that of line 1")


def test_a_word_with_a_blank_is_named_where_the_text_has_more_words() -> None:
    column = DependencyTreeColumn.of([DependencyTree(["25 000", "people"], [1, -1])])
    (found,) = problems(column, "25 000 people")
    assert "has 3; the word '25 000' of the tree holds a blank" in found


def test_words_of_trees_and_text_may_differ_in_case_alone_also_in_turkish() -> None:
    tree = DependencyTree(["Irmak", "KURU"], [1, -1], labels=["nsubj", "root"], tags=["N", "A"])
    column = DependencyTreeColumn.of([tree])
    for words in (["ırmak", "kuru"], ["irmak", "kuru"]):
        vocabulary = Vocabulary()
        text = vocabulary.column([words])
        assert not [*column.problems(text, vocabulary, text="text")]
    vocabulary = Vocabulary()
    other = vocabulary.column([["çay", "kuru"]])
    assert [*column.problems(other, vocabulary, text="text")]


# Which parses are compared with which.


ONE = DependencyTree(["w"], [-1])
counts = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=5)


@given(counts)
def test_every_parse_meets_every_parse_of_the_other_side(sizes: list[tuple[int, int]]) -> None:
    first, second = (
        DependencyTreeColumn.of([[ONE] * size[side] for size in sizes]) for side in (0, 1)
    )
    pairs = DependencyTreePairs.of(first, second)
    expected, left, right = [], 0, 0
    for segment, (one, other) in enumerate(sizes):
        listed = product(range(left, left + one), range(right, right + other))
        expected += [(a, b, segment) for a, b in listed]
        left, right = left + one, right + other
    arrays = pairs.firsts.tolist(), pairs.seconds.tolist(), pairs.segments.tolist()
    assert list(zip(*arrays, strict=True)) == expected
    assert pairs.starts.tolist() == np.cumsum([0, *(a * b for a, b in sizes)]).tolist()
    alone = DependencyTreePairs.single(second)
    assert alone.seconds.tolist() == list(range(second.trees))
    assert [alone.segments.tolist().count(s) for s in range(len(sizes))] == [b for _, b in sizes]


@given(counts, st.randoms(use_true_random=False))
def test_the_best_of_a_segments_pairs_counts(sizes: list[tuple[int, int]], chance: Random) -> None:
    first, second = (
        DependencyTreeColumn.of([[ONE] * size[side] for size in sizes]) for side in (0, 1)
    )
    pairs = DependencyTreePairs.of(first, second)
    scores = np.array([chance.random() for _ in pairs.segments])
    expected = [max(scores[pairs.segments == segment]) for segment in range(len(sizes))]
    assert pairs.best(scores).tolist() == expected


# Trees are made once per text, only when they are asked for, and fit their text.


def text(name: str, *lines: str) -> TextColumn:
    return TextColumn(name, lines, Vocabulary().column([line.split() for line in lines]))


class Chains(DependencyTreeSource):
    """A parser that hangs every word from the one before it, and counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def signature(self) -> str:
        return "chains"

    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        self.asked.append(text.name)
        sizes = text.tokens.lengths.tolist()
        return DependencyTreeColumn.of(
            [DependencyTree(["w"] * size, range(-1, size - 1)) for size in sizes]
        )


def test_a_text_is_parsed_once_and_only_if_asked_for() -> None:
    parser, first, second = Chains(), text("a", "x y", ""), text("a", "x y", "")
    assert parser.asked == []
    found = parser.trees(first)
    assert parser.trees(first) is found
    assert parser.asked == ["a"]
    assert parser.trees(second) is not found
    assert found.lengths.tolist() == [2, 0]


def test_given_trees_are_those_of_their_text() -> None:
    found = text("a.txt", "x y")
    column = DependencyTreeColumn.of([DependencyTree(["x", "y"], [-1, 0])])
    given = GivenDependencyTrees({found: column})
    assert given.trees(found) is column
    assert given.signature() == "given"
    other = text("b.txt", "x y")
    assert (given.can_give(found), given.can_give(other)) == (True, False)
    assert Chains().can_give(other)
