"""NIST: n-grams weighed by what they tell, as mteval computes it. Doddington (2002)"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.metric import Metric, only_reference
from kilter.metrics.one_segment import one_segment
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation

MAXIMUM_ORDER = 9
_BETA = log(2.0) / log(1.5) ** 2  # two thirds of the reference length cost half the score


@checked
def nist(hypothesis: object, references: object, *, order: int = 5) -> float:
    """Return the NIST of one sentence given as words, with the weights that its own references give.

    The sum over n = 1 to `order` of what the matching n-grams tell / n-grams of the hypothesis, times a
    penalty for short translations. An n-gram tells log2(count of its first n - 1 words / its count) in
    the references: in a single sentence most continuations are certain and tell nothing, so that scores
    of sentences by themselves are low and say little. No matching word scores 0.

    >>> nist("the cat sat on the mat".split(), ["the cat sat on the mat".split()])
    2.6516291673878225
    """
    return float(Nist(order=order).measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class Nist(Metric):
    """NIST of the words as the corpus was tokenised; n-grams are weighed by all references of the corpus."""

    of_corpus: ClassVar[bool] = True
    name: ClassVar[str] = "nist"
    summary: ClassVar[str] = "bits that matching n-grams tell, as mteval computes them"
    formula: ClassVar[str] = (
        "sum_n (bits of matching n-grams / n-grams) exp(-b ln^2 min(1, |hyp| / |ref|))"
    )
    citations: ClassVar[tuple[str, ...]] = ("doddington-2002",)
    range: ClassVar[tuple[float, float]] = (0.0, inf)
    needs: ClassVar[tuple[str, ...]] = ("words",)

    order: int = option(5, "longest n-gram", low=1, high=MAXIMUM_ORDER)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the NIST of every segment under the weights of the corpus.

        Statistics are hypothesis length, mean reference length, bits and numbers of n-grams by order. Bits
        are sums under weights that the references of the whole corpus fix, hence they add up.
        """
        hypothesis = evaluation.hypothesis.tokens
        references = [column.tokens for column in evaluation.references]
        bits = _core.sum_information(
            hypothesis.ids,
            hypothesis.offsets,
            [tokens.ids for tokens in references],
            [tokens.offsets for tokens in references],
            self.order,
        )
        lengths = hypothesis.lengths
        mean = np.sum([tokens.lengths for tokens in references], axis=0) / len(references)
        totals = np.maximum(lengths[:, np.newaxis] - np.arange(self.order), 0)
        rows = np.column_stack([lengths, mean, bits, totals])
        return Measure(rows, self.corpus_score(rows))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the bits per n-gram, added up over orders, times the length penalty."""
        bits, totals = sums[..., 2 : 2 + self.order], sums[..., 2 + self.order :]
        each = np.divide(bits, totals, out=np.zeros(bits.shape), where=totals > 0)
        found: NDArray[np.float64] = each.sum(axis=-1) * _length_penalty(sums[..., 0], sums[..., 1])
        return found

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the bits that n-grams tell under the weights of the corpus, and the length penalty."""
        row = self.measure(evaluation).statistics[segment]
        length, reference, *counts = row.tolist()
        steps = [
            WorkingStep("t", "words of the hypothesis", int(length)),
            WorkingStep("r", "words of the reference, the mean of several", reference),
        ]
        parts = []
        for n in range(1, self.order + 1):
            bits, total = counts[n - 1], int(counts[n - 1 + self.order])
            steps.append(WorkingStep(f"bits{n}", f"bits that matching {n}-grams tell", bits))
            steps.append(WorkingStep(f"n{n}", f"{n}-grams of the hypothesis", total))
            parts += [f"bits{n} / n{n}"] if total else []
        penalty = float(_length_penalty(row[:1], row[1:2])[0])
        short = "0" if reference else "1"
        formula = "exp(-b * ln(min(1, t / r)) ** 2)" if length and reference else short
        if length and not reference:
            formula = "1"
        steps.append(
            WorkingStep("b", "such that two thirds of the length cost half the score", _BETA)
        )
        steps.append(WorkingStep("penalty", "penalty for short translations", penalty, formula))
        score = float(self.corpus_score(row[np.newaxis])[0])
        total_formula = f"({' + '.join(parts)}) * penalty" if parts else "0"
        last = WorkingStep("score", "NIST of the segment", score, total_formula)
        return Working((*steps, last), only_reference(evaluation))


def _length_penalty(
    lengths: NDArray[np.float64], references: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return exp(-b ln^2(t / r)) where t < r, else 1; 0 for t = 0 < r."""
    short = (lengths < references) & (lengths > 0)
    ratio = np.divide(lengths, references, out=np.ones(lengths.shape), where=short)
    return np.where((lengths == 0) & (references > 0), 0.0, np.exp(-_BETA * np.log(ratio) ** 2))
