"""How much of a reference is met by characters: those of the line, and those of its words. Section 6.11"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.corpus import visible_characters_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn
    from kilter.core.evaluation import Evaluation

    Floats = NDArray[np.float64]

ORDERS = 6
"""The longest n-gram of characters, as chrF has it."""
BETA = 3
"""Recall counts so many times as much as precision."""


def character_score(evaluation: Evaluation, place: int) -> Floats:
    """Return chrF of each line against one reference: F_beta of n-grams of characters, beta 3, without blanks.

    Precision and recall are averaged over the orders of which both sides have an n-gram. 0 where a side is
    empty.
    """
    hypothesis = visible_characters_of(evaluation.hypothesis.lines)
    reference = visible_characters_of(evaluation.references[place].lines)
    common = _core.count_common_ngrams(
        hypothesis.ids,
        hypothesis.offsets,
        reference.ids,
        reference.offsets,
        ORDERS,
        evaluation.jobs,
    )
    before = np.arange(ORDERS)
    mine, theirs = (
        np.maximum(side.lengths[:, np.newaxis] - before, 0) for side in (hypothesis, reference)
    )
    both = (mine > 0) & (theirs > 0)
    orders = np.maximum(both.sum(axis=1), 1)
    precision, recall = (
        np.divide(common, total, out=np.zeros(both.shape), where=both).sum(axis=1) / orders
        for total in (mine, theirs)
    )
    total = BETA**2 * precision + recall
    product = (1 + BETA**2) * precision * recall
    scores: Floats = np.divide(product, total, out=np.zeros(len(total)), where=total > 0.0)
    return scores


def word_score(evaluation: Evaluation, place: int) -> Floats:
    """Return how well the words of one reference are met, each by the word whose characters are likest.

    The mean of their likeness, weighted by the square root of their length; words without a letter or
    digit do not count. A reference without such a word scores 1 if the hypothesis has words, but none such,
    else 0.
    """
    lower, spelling = evaluation.vocabulary.lowercase(), evaluation.vocabulary.spelling()
    hypothesis, reference = evaluation.hypothesis.tokens, evaluation.references[place].tokens
    likeness = _core.word_likeness(
        lower[hypothesis.ids],
        hypothesis.offsets,
        lower[reference.ids],
        reference.offsets,
        spelling.characters.ids,
        spelling.characters.offsets,
        evaluation.jobs,
    )
    weights = spelling.weights[reference.ids]
    total = segment_sums(weights, reference)
    met = segment_sums(weights * likeness, reference)
    nothing = segment_sums(spelling.weights[hypothesis.ids], hypothesis) == 0.0
    nothing &= hypothesis.lengths > 0
    scores: Floats = np.divide(met, total, out=nothing.astype(np.float64), where=total > 0.0)
    return scores


def segment_sums(values: Floats, column: TokenColumn) -> Floats:
    """Return the sum over the words of each segment, added up in their order; 0 for none.

    >>> from kilter.core.corpus import TokenColumn
    >>> segments = TokenColumn(np.zeros(3, dtype=np.int32), np.array([0, 2, 2, 3]))
    >>> segment_sums(np.array([1.0, 2.0, 4.0]), segments).tolist()
    [3.0, 0.0, 4.0]
    """
    owners = np.repeat(np.arange(len(column)), column.lengths)
    return np.bincount(owners, values, minlength=len(column)).astype(np.float64)
