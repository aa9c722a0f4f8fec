"""F1 of the bags of words. [PC] section 6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.metrics.metric import MeanMetric
from kilter.metrics.ngram import ngram_counts
from kilter.metrics.one_segment import one_segment
from kilter.options.argument import checked
from kilter.structures.result.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.structures.evaluation import Evaluation


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
