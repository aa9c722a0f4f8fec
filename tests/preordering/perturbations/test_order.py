"""Words that move."""

from collections import Counter

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.preordering.perturbations.case import Sentence
from kilter.preordering.perturbations.order import (
    OrderStep,
    PhraseStep,
    draw_order,
    draw_phrase,
    phrases_of,
)
from kilter.preordering.perturbations.word import Chance, ImpossibleError, Word, split_sentence
from tests.oracles.perturb import order_is_possible, sets_of_phrases
from tests.preordering.perturbations.sentences import WORDS, sentences


@given(words=st.lists(WORDS, min_size=2, max_size=9), data=st.data())
def test_one_step_of_order_moves_exactly_one_word(words: list[str], data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(words) - 1))
    target = data.draw(st.integers(0, len(words) - 1).filter(lambda place: place != position))
    moved = OrderStep(position, target - position).apply(split_sentence(" ".join(words)))
    places = [word.place for word in moved]
    assert places.pop(target) == position
    assert places == sorted(places)


@given(sentence=sentences(), degree=st.integers(1, 9), seed=st.integers(0, 99))
def test_order_moves_degree_different_words_by_falling_distances(
    sentence: Sentence, degree: int, seed: int
) -> None:
    words = sentence.words()
    try:
        drawn = draw_order(words, degree, Chance(seed))
    except ImpossibleError:
        reject()
    moved, now = list[int](), words
    for step in drawn.steps:
        assert isinstance(step, OrderStep)
        moved.append(now[step.position].place)
        now = step.apply(now)
    assert now == drawn.words
    assert len({*moved}) == degree
    assert [abs(step[1]) for step in drawn.steps if isinstance(step, OrderStep)] == list(
        range(degree, 0, -1)
    )


@pytest.mark.parametrize("size", range(1, 6))
@pytest.mark.parametrize("degree", range(1, 6))
def test_order_is_impossible_exactly_where_no_sequence_of_moves_exists(
    size: int, degree: int
) -> None:
    words = split_sentence(" ".join("abcdefg"[:size]))

    def possible(seed: int) -> bool:
        try:
            draw_order(words, degree, Chance(seed))
        except ImpossibleError:
            return False
        return True

    assert any(possible(seed) for seed in range(60)) == order_is_possible(size, degree)


# Phrases that move.


@given(sentence=sentences(max_size=10), degree=st.integers(1, 9), seed=st.integers(0, 99))
def test_phrases_are_drawn_from_the_sets_that_exist(
    sentence: Sentence, degree: int, seed: int
) -> None:
    assert sentence.tree is not None
    phrases, boundaries = phrases_of(sentence.tree)
    sets = sets_of_phrases(phrases, degree)
    try:
        drawn = draw_phrase(sentence.words(), sentence.tree, degree, Chance(seed))
    except ImpossibleError as error:
        blocked = "boundary" in str(error)
    else:
        _check_phrases(sentence.words(), [*drawn.steps], sets, boundaries)
        return
    assert blocked or not sets


def _check_phrases(
    words: tuple[Word, ...],
    steps: list[object],
    sets: set[frozenset[tuple[int, int]]],
    boundaries: set[int],
) -> None:
    now, chosen = words, set[tuple[int, int]]()
    for step in steps:
        assert isinstance(step, PhraseStep)
        places = [*(word.place for word in now), len(now)]
        first = places[step.start]
        assert places[step.start : step.start + step.length] == list(
            range(first, first + step.length)
        )
        assert places[step.boundary] in boundaries
        chosen.add((first, step.length))
        now = step.apply(now)
    assert frozenset(chosen) in sets
    assert [step[1] for step in steps if isinstance(step, PhraseStep)] == sorted(
        (length for _, length in chosen), reverse=True
    )


def test_every_set_of_phrases_is_equally_likely() -> None:
    tree = DependencyTree(list("abcdef"), [1, -1, 1, 2, 2, 1])
    phrases, _ = phrases_of(tree)
    words = split_sentence("a b c d e f")
    sets = sets_of_phrases(phrases, 3)
    drawn = Counter[frozenset[int]]()
    for seed in range(3000):
        steps = draw_phrase(words, tree, 3, Chance(seed)).steps
        now, moved = words, set[int]()
        for step in steps:
            assert isinstance(step, PhraseStep)
            moved |= {word.place for word in now[step.start : step.start + step.length]}
            now = step.apply(now)
        drawn[frozenset(moved)] += 1
    # {3,4,5} can only be three single words; {2,3,4} is one phrase or, as single words, none.
    assert len(sets) == len(drawn)
    assert all(abs(count - 3000 / len(sets)) < 150 for count in drawn.values())


@pytest.mark.parametrize(("size", "phrases"), [(8, 1), (9, 1), (10, 0)])
def test_a_phrase_has_nine_words_at_most(size: int, phrases: int) -> None:
    # Words 1 to `size` hang from the first of them, which hangs from word 0, as the last word does.
    words = [str(place) for place in range(size + 2)]
    tree = DependencyTree(words, [-1, 0, *[1] * (size - 1), 0])
    found, _ = phrases_of(tree)
    assert [phrase for phrase in found if phrase[1] > 1] == [(1, size)] * phrases
    drawn = draw_phrase(split_sentence(" ".join(words)), tree, min(size, 9), Chance(1))
    assert sum(step.length for step in drawn.steps if isinstance(step, PhraseStep)) == min(size, 9)


@given(sentence=sentences())
def test_phrases_are_the_contiguous_subtrees_of_nine_words_at_most(sentence: Sentence) -> None:
    assert sentence.tree is not None
    heads = sentence.tree.heads
    below = [{word} for word in range(len(heads))]
    for word in range(len(heads)):
        above = heads[word]
        while above != -1:
            below[above].add(word)
            above = heads[above]
    phrases, boundaries = phrases_of(sentence.tree)
    assert phrases == sorted(
        {
            (min(group), len(group))
            for group in below
            if group == {*range(min(group), min(group) + len(group))} and len(group) <= 9
        }
    )
    assert boundaries == {len(heads), *map(min, below)}


def test_a_subtree_with_a_gap_is_no_phrase_though_its_ends_are_boundaries() -> None:
    # Word 2 hangs from word 0 across word 1, the root.
    tree = DependencyTree(list("abc"), [1, -1, 0])
    assert phrases_of(tree) == ([(0, 3), (2, 1)], {0, 2, 3})


def test_longer_phrases_move_first_wherever_they_stand() -> None:
    # Five words in all have only `a` and `b c d e`, which stand in either order.
    for words, heads in (("abcdef", [5, 5, 1, 1, 1, -1]), ("fbcdea", [-1, 0, 1, 1, 1, 0])):
        tree = DependencyTree(list(words), heads)
        sentence = split_sentence(" ".join(words))
        (only,) = sets_of_phrases(phrases_of(tree)[0], 5)
        assert sorted(length for _, length in only) == [1, 4]
        for seed in range(20):
            steps = draw_phrase(sentence, tree, 5, Chance(seed)).steps
            assert [step.length for step in steps if isinstance(step, PhraseStep)] == [4, 1]
