"""Words, bigrams and the worst word, by their vectors."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.fitted_weight import WordModel, word_information
from kilter.metrics.kilter import met_meaning
from tests.texts import evaluation, word_vector

SENTENCES = st.lists(st.sampled_from(["the", "cat", "house", "of", "Qx"]), max_size=6)


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / sqrt(sum(a * a for a in one) * sum(a * a for a in other))


def vectors(words: list[str]) -> list[list[float]]:
    return [word_vector(word.lower()) for word in words]


def bigrams(words: list[list[float]]) -> list[list[float]]:
    return [[a + b for a, b in zip(one, two, strict=True)] for one, two in pairwise(words)]


def best(one: list[float], others: list[list[float]]) -> float:
    return min(max((max(cosine(one, other), 0.0) for other in others), default=0.0), 1.0)


@given(SENTENCES, SENTENCES)
def test_scores_are_those_of_plain_loops(hypothesis: list[str], reference: list[str]) -> None:
    # Twice: the last word of a segment begins no bigram with the first of the next.
    whole = evaluation([hypothesis] * 2, [reference] * 2)
    options = WordModel.EN.meaning_options()
    assert options is not None
    told = word_information(whole.vocabulary)
    found = met_meaning(whole, 0, options, told)
    mine, theirs = vectors(hypothesis), vectors(reference)
    weights = [told[whole.vocabulary.number(word)] for word in reference]
    words = sum(w * best(one, mine) for w, one in zip(weights, theirs, strict=True))
    words = words / sum(weights) if weights else 0.0
    phrases = words
    if len(reference) > 1:
        both = [(a + b) / 2 for a, b in pairwise(weights)]
        met = [best(one, bigrams(mine)) for one in bigrams(theirs)]
        phrases = sum(w * each for w, each in zip(both, met, strict=True)) / sum(both)
    worst = min((best(one, theirs) for one in mine), default=0.0)
    for scores, expected in zip(found, (words, phrases, worst), strict=True):
        assert scores.tolist() == pytest.approx([expected] * 2, abs=1e-5)
