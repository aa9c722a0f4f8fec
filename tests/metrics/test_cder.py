"""CDER: edits and long jumps."""

from kilter.metrics.cder import cder
from kilter.metrics.wer import wer

REFERENCE = ["the", "cat", "sat", "on", "the", "mat"]


def test_a_moved_block_costs_its_jumps_however_long_it_is() -> None:
    # One jump to the second block, one back to the first, one to the end.
    assert cder(["on", "the", "mat", "the", "cat", "sat"], [REFERENCE]) == 3 / 6
    long = [str(word) for word in range(40)]
    assert cder(long[20:] + long[:20], [long]) == 3 / 40
    assert wer(long[20:] + long[:20], [long]) == 1.0


def test_the_beginning_and_the_end_are_places_too() -> None:
    assert cder(["x", *REFERENCE], [REFERENCE]) == 1 / 6  # a jump over the first word
    assert cder([*REFERENCE, "x", "y", "z"], [REFERENCE]) == 1 / 6  # a jump to the end


def test_words_of_the_hypothesis_may_be_covered_twice_and_those_of_the_reference_must_be() -> None:
    assert (
        cder(["a", "b"], [["a", "b", "a", "b"]]) == 1 / 4
    )  # the way goes back and covers both again
    assert cder(["a", "b", "a", "b"], [["a", "b"]]) == 1 / 2  # two words are jumped over
    assert cder(["x", "y"], [["a", "b"]]) == 1.0
    assert cder([], [["a", "b"]]) == 1.0


def test_all_insertions_and_one_jump_are_the_most_it_can_cost() -> None:
    assert cder(["x", "y"], [["a"]]) == 2.0
    assert cder(["x", "y", "z"], [["a", "b"]]) == 3 / 2


def test_it_is_never_more_than_the_word_error_rate() -> None:
    for words in ("on the mat sat the cat", "the", "mat the on sat cat the"):
        assert cder(words.split(), [REFERENCE]) <= wer(words.split(), [REFERENCE])
