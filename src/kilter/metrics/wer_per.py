"""WER minus PER: the errors that order alone makes. [TH] chapter 2"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.settings import checked
from kilter.metrics.one_segment import one_segment
from kilter.metrics.word_error import ErrorRate, WordError, bag_steps, word_errors
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def wer_per(hypothesis: object, references: object) -> float:
    """Return WER - PER of one sentence given as words: edits that the right order would save.

    Both rates are taken against the same reference, the one with the lowest WER. 0 where nothing could
    be gained by reordering, hence also where no word is right; never more than 1. Read it beside `wer`
    or `per`, never alone.

    >>> wer_per("on the mat sat the cat".split(), ["the cat sat on the mat".split()])
    0.6666666666666666
    """
    return float(WerPer().measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class WerPer(ErrorRate):
    """WER minus PER, against the reference with the lowest WER."""

    name: ClassVar[str] = "wer-per"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "edits that the right order of words would save"
    formula: ClassVar[str] = "(edits - (max(|hyp|, |ref|) - common)) / |ref|"
    citations: ClassVar[tuple[str, ...]] = ("popovic-ney-2007", "mccaffery-2017")
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def preferred(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the edits: a reference far from the hypothesis is not one with fewer order errors."""
        return word_errors(evaluation, reference)[:, WordError.EDITS]

    def errors(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the edits beyond the errors of the bags of words."""
        errors = word_errors(evaluation, reference)
        return errors[:, WordError.EDITS] - errors[:, WordError.BAG]

    def error_steps(
        self, evaluation: Evaluation, reference: int, segment: int
    ) -> tuple[WorkingStep, ...]:
        """Return the edits, the wrong words in any order, and the difference."""
        edits = int(word_errors(evaluation, reference)[segment, WordError.EDITS])
        steps = bag_steps(evaluation, reference, segment)
        return (
            *steps,
            WorkingStep("edits", "insertions, deletions and substitutions, the fewest", edits),
            WorkingStep(
                "errors", "edits that the right order saves", edits - steps[-1].value, "edits - bag"
            ),
        )
