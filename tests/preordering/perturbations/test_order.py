"""Words that move."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from kilter.preordering.perturbations.case import Sentence
from kilter.preordering.perturbations.order import OrderStep, draw_order
from kilter.preordering.perturbations.word import Chance, ImpossibleError, split_sentence
from tests.oracles.perturb import order_is_possible
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
