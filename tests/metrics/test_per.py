"""Position-independent error rate."""

import random

from kilter.metrics.per import per
from kilter.metrics.wer import wer


def test_order_does_not_matter() -> None:
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    assert per(["mat", "the", "on", "sat", "cat", "the"], [reference]) == 0.0


def test_words_too_many_and_too_few_are_errors() -> None:
    assert per(["a", "a", "b"], [["a", "b"]]) == 1 / 2
    assert per(["a"], [["a", "b", "c", "d"]]) == 3 / 4
    assert per(["a", "a"], [["a", "b"]]) == 1 / 2  # a word counts as often as both have it


def test_it_is_never_more_than_the_word_error_rate() -> None:
    chance = random.Random(3)
    for _ in range(200):
        sides = [chance.choices("abcde", k=chance.randrange(9)) for _ in range(2)]
        assert per(sides[0], [sides[1]]) <= wer(sides[0], [sides[1]])
