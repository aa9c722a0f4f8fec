"""RIBES: rank correlation of matched words with precision and brevity. Isozaki et al. (2010)"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.corpus import TokenColumn
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.metric import MeanMetric, best_reference, brevity_penalty
from kilter.metrics.one_segment import one_segment
from kilter.results.measure import (
    LENGTH,
    ORDER,
    WORDS,
    Measure,
    ScoreParts,
    Term,
    Working,
    WorkingStep,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def ribes(
    hypothesis: object,
    references: object,
    *,
    alpha: float = 0.25,
    beta: float = 0.1,
    lowercase: bool = True,
) -> float:
    """Return NKT * P1^alpha * BP^beta of one sentence given as words, for the best reference.

    m words of the hypothesis are matched, see `ribes_positions`. NKT is the share of their pairs that
    rise in the reference, P1 = m / hypothesis length, BP = min(1, exp(1 - reference / hypothesis
    length)). Fewer than two matches leave no pair and score 0, except that a single match with a
    reference of a single word has NKT 1. Equal to version 1.03.1 of the authors' program, which lowercases
    unless told otherwise.

    >>> round(ribes("the mat sat on the cat".split(), ["the cat sat on the mat".split()]), 6)
    0.266667
    """
    chosen = Ribes(alpha=alpha, beta=beta, lowercase=lowercase)
    return float(chosen.measure(one_segment(hypothesis, references)).scores[0])


@checked
def ribes_positions(
    hypothesis: object, reference: object, *, lowercase: bool = True
) -> list[int | None]:
    """Return for each hypothesis word the place of its match in the reference, or None.

    A word that occurs once on both sides is matched. Otherwise its context grows word by word,
    left before right, until the n-gram occurs once on both sides; a word for which none does is left out.
    Two words may be matched with the same word, as both `the` are here: such a pair does not rise.

    >>> ribes_positions("the mat sat on the cat".split(), "the cat sat on the mat".split())
    [4, 5, 2, 3, 4, 1]
    """
    evaluation = one_segment(hypothesis, [reference])
    positions = _matches(evaluation, 0, lowercase=lowercase)[1].tolist()
    return [None if place < 0 else place for place in positions]


def _matches(
    evaluation: Evaluation, reference: int, *, lowercase: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    sides = [evaluation.hypothesis.tokens, evaluation.references[reference].tokens]
    if lowercase:
        numbers = evaluation.vocabulary.lowercase(turkic=False)  # as the authors' program does
        sides = [TokenColumn(numbers[each.ids], each.offsets) for each in sides]
    one, other = sides
    return _core.match_ribes(one.ids, one.offsets, other.ids, other.offsets, evaluation.jobs)


class _Factors(NamedTuple):
    """What the scores of segments are a product of; with fewer than two matched words nothing is known of order."""

    order: NDArray[np.float64]
    words: NDArray[np.float64]
    length: NDArray[np.float64]
    evidence: NDArray[np.bool_]

    @property
    def scores(self) -> NDArray[np.float64]:
        return self.order * self.words * self.length


@dataclass(frozen=True, kw_only=True)
class Ribes(MeanMetric):
    """RIBES as its authors' program computes it; the best reference of a segment counts."""

    name: ClassVar[str] = "ribes"
    summary: ClassVar[str] = "rank correlation of matched words x precision x brevity"
    formula: ClassVar[str] = "NKT x P1^alpha x BP^beta"
    citations: ClassVar[tuple[str, ...]] = ("isozaki-2010",)
    needs: ClassVar[tuple[str, ...]] = ("words",)

    alpha: float = option(0.25, "exponent of the unigram precision", low=0.0, high=1.0)
    beta: float = option(0.1, "exponent of the brevity penalty", low=0.0, high=1.0)
    lowercase: bool = option(default=True, description="match words in lower case")

    order: bool = option(
        default=True, description="count the order of matched words, or only that there are some"
    )

    def control(self) -> Ribes | None:
        """Return precision and brevity alone."""
        return replace(self, order=False) if self.order else None

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references, and in `parts` its factors: order, words and length."""
        found = [self._factors(evaluation, place) for place in range(len(evaluation.references))]
        every = np.stack([each.scores for each in found])
        places, segments = np.argmax(every, axis=0), np.arange(len(evaluation))
        order, words, length, evidence = (
            np.stack(column)[places, segments]
            for column in zip(
                *((each.order, each.words, each.length, each.evidence) for each in found),
                strict=True,
            )
        )
        scores = every[places, segments]
        if not self.order:
            return Measure.mean(scores)
        term = Term(1.0, {ORDER: order, WORDS: words, LENGTH: length})
        parts = ScoreParts((term,), evidence, np.ones(len(evaluation)), shown=False)
        return Measure.mean(scores, parts)

    def _scores(self, evaluation: Evaluation, reference: int) -> NDArray[np.float64]:
        return self._factors(evaluation, reference).scores

    def _factors(self, evaluation: Evaluation, reference: int) -> _Factors:
        counts, _ = _matches(evaluation, reference, lowercase=self.lowercase)
        matches, rising = counts.T
        lengths = evaluation.hypothesis.tokens.lengths
        others = evaluation.references[reference].tokens.lengths
        pairs = matches * (matches - 1) // 2
        order = ((matches == 1) & (others == 1)).astype(float)
        np.divide(rising, pairs, out=order, where=pairs > 0)
        if not self.order:
            order = (matches > 0).astype(float)
        precision = matches / np.maximum(lengths, 1)
        brevity = brevity_penalty(lengths, others)
        return _Factors(order, precision**self.alpha, brevity**self.beta, pairs > 0)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the matched words, their rising pairs, precision and brevity."""
        places = range(len(evaluation.references))
        place = best_reference((self._scores(evaluation, k) for k in places), segment)
        counts, _ = _matches(evaluation, place, lowercase=self.lowercase)
        matches, rising = counts[segment].tolist()
        length = int(evaluation.hypothesis.tokens.lengths[segment])
        other = int(evaluation.references[place].tokens.lengths[segment])
        pairs = matches * (matches - 1) // 2
        if not self.order:
            order, formula = float(matches > 0), "1 if m else 0"
        elif pairs:
            order, formula = rising / pairs, "rising / pairs"
        else:
            order, formula = float(matches == 1 and other == 1), "1 if m == 1 and r == 1 else 0"
        brevity = float(brevity_penalty(np.array([length]), np.array([other]))[0])
        shortness = "1 if t > r else exp(1 - r / t)" if length else str(int(other == 0))
        return Working(
            (
                WorkingStep("m", "words of the hypothesis that are matched", matches),
                WorkingStep("rising", "pairs of them in the right order", rising),
                WorkingStep("pairs", "pairs of them", pairs, "m * (m - 1) / 2"),
                WorkingStep("t", "words of the hypothesis", length),
                WorkingStep("r", "words of the reference", other),
                WorkingStep("NKT", "share of pairs in the right order", order, formula),
                WorkingStep("P1", "precision of words", matches / max(length, 1), "m / max(t, 1)"),
                WorkingStep("BP", "brevity penalty", brevity, shortness),
                WorkingStep("alpha", "exponent of the precision", self.alpha),
                WorkingStep("beta", "exponent of the brevity penalty", self.beta),
                WorkingStep(
                    "score",
                    "RIBES",
                    float(self._scores(evaluation, place)[segment]),
                    "NKT * P1 ** alpha * BP ** beta",
                ),
            ),
            place,
        )
