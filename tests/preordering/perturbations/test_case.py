"""Capitals of words that move."""

from kilter.preordering.perturbations.case import CaseCounts
from kilter.preordering.perturbations.word import Word, join_words


def test_truecasing_leaves_letters_alone_that_have_no_single_capital() -> None:
    words = (Word("", "ßa", ""), Word("", "ǆa", ""))
    assert join_words(CaseCounts().truecase(words)) == "ßa ǆa"
