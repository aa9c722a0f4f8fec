"""How much of a reference is met by meaning: its words, its bigrams, and the worst word. Section 6.11"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.metrics.surface import segment_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.meaning import MeaningOptions

    Floats = NDArray[np.float64]


class MetMeaning(NamedTuple):
    """Scores of each segment against one reference, from 0 to 1.

    `words` is the mean of the best cosines of reference words, weighted by what a word tells; `phrases`
    that of the bigrams that they begin, each weighted by the mean of its words; `worst` the least best
    cosine of a word of the hypothesis.
    """

    words: Floats
    phrases: Floats
    worst: Floats


def met_meaning(
    evaluation: Evaluation, place: int, options: MeaningOptions, information: Floats
) -> MetMeaning:
    """Return how much of a reference is met; `information` is what each word of the vocabulary tells.

    A reference of one word has no bigram, and its phrases are its words. An empty side scores 0.
    """
    found = evaluation.meaning(place, options)
    hypothesis, reference = evaluation.hypothesis.tokens, evaluation.references[place].tokens
    weights = information[reference.ids]
    recall, bigram, precision = (
        np.clip(column.astype(np.float64), 0.0, 1.0)
        for column in (found.recall, found.bigram, found.precision)
    )
    words = _mean(segment_sums(weights * recall, reference), segment_sums(weights, reference))
    pairs = np.zeros(len(weights))
    pairs[:-1] = (weights[:-1] + weights[1:]) / 2.0
    pairs[reference.offsets[1:][reference.lengths > 0] - 1] = 0.0  # the last word begins no bigram
    phrases = _mean(segment_sums(pairs * bigram, reference), segment_sums(pairs, reference))
    phrases = np.where(reference.lengths > 1, phrases, words)
    worst = np.zeros(len(hypothesis))
    some = hypothesis.lengths > 0
    if some.any():
        worst[some] = np.minimum.reduceat(precision, hypothesis.offsets[:-1][some])
    return MetMeaning(words, phrases, worst)


def _mean(total: Floats, weights: Floats) -> Floats:
    mean = np.divide(total, weights, out=np.zeros(len(total)), where=weights > 0.0)
    return np.minimum(mean, 1.0)
