"""Word error rate."""

from kilter.metrics.wer import Wer, wer


def test_edits_are_counted_per_reference_word() -> None:
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    assert wer(["the", "cat", "sat", "on", "a", "mat"], [reference]) == 1 / 6  # a substitution
    assert wer(["the", "cat", "sat", "on", "mat"], [reference]) == 1 / 6  # a deletion
    assert (
        wer(["the", "big", "cat", "sat", "on", "the", "mat"], [reference]) == 1 / 6
    )  # an insertion
    assert (
        wer(["on", "the", "mat", "the", "cat", "sat"], [reference]) == 1.0
    )  # nothing forgives a moved block


def test_less_is_better_and_more_than_one_is_possible() -> None:
    assert not Wer.higher_is_better
    assert wer(["a", "b", "c", "d"], [["x"]]) == 4.0


def test_the_reference_with_the_lowest_rate_counts() -> None:
    # One edit of two words is more than two edits of five.
    assert wer(["a", "b", "c", "x", "y"], [["a", "z"], ["a", "b", "c", "d", "e"]]) == 2 / 5
