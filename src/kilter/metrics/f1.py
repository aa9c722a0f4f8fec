"""F1 of the bags of words. [PC] section 6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.settings import checked
from kilter.metrics.metric import MeanMetric, best_reference
from kilter.metrics.ngram import ngram_counts
from kilter.metrics.one_segment import one_segment
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def f1(hypothesis: object, reference: object) -> float:
    """Return 2PR / (P + R), which is 2 * common words / (hypothesis + reference words).

    Words count as often as they occur, in exact form. No common word scores 0, hence two empty
    sentences too.

    >>> f1("the mat had sat on the cat".split(), "cats had sat on a mat".split())
    0.6153846153846154
    """
    return float(f1_scores(one_segment(hypothesis, [reference]), 0)[0])


def f1_scores(evaluation: Evaluation, reference: int) -> NDArray[np.float64]:
    """Return F1 against one reference per segment."""
    counts = ngram_counts(evaluation, reference).astype(float)
    total = counts[:, 0] + counts[:, 1]
    scores: NDArray[np.float64] = np.zeros(len(total))
    np.divide(2.0 * counts[:, 2], total, out=scores, where=total > 0)
    return scores


def f1_steps(evaluation: Evaluation, reference: int, segment: int) -> tuple[WorkingStep, ...]:
    """Return the steps to the F1 of a segment against one reference."""
    length, other, common = ngram_counts(evaluation, reference)[segment, :3].tolist()
    score = float(f1_scores(evaluation, reference)[segment])
    return (
        WorkingStep("common", "words in common, in any order", common),
        WorkingStep("t", "words of the hypothesis", length),
        WorkingStep("r", "words of the reference", other),
        WorkingStep("score", "F1", score, "2 * common / (t + r)" if length + other else "0"),
    )


@dataclass(frozen=True, kw_only=True)
class F1(MeanMetric):
    """F1 of bags of words; the best reference of a segment counts."""

    name: ClassVar[str] = "f1"
    summary: ClassVar[str] = "F1 of the bags of words"
    formula: ClassVar[str] = "2PR / (P + R), P = common / |hyp|, R = common / |ref|"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2016",)
    needs: ClassVar[tuple[str, ...]] = ("words",)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references."""
        places = range(len(evaluation.references))
        return Measure.best([f1_scores(evaluation, place) for place in places])

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the words in common, and those of both sides."""
        places = range(len(evaluation.references))
        place = best_reference((f1_scores(evaluation, k) for k in places), segment)
        return Working(f1_steps(evaluation, place, segment), place)
