"""Position-independent error rate: wrong words, wherever they stand. Tillmann et al. (1997)"""

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
def per(hypothesis: object, references: object) -> float:
    """Return the PER of one sentence given as words: (longer side - common words) / reference words.

    Words are common as often as both sides have them, in any order. It is what WER would be if words
    could be put in the best order first, and never more than WER. The reference with the lowest rate
    counts. Without any reference word it is 1, or 0 if the hypothesis is empty too.

    >>> per("on the mat sat a cat".split(), ["the cat sat on the mat".split()])
    0.16666666666666666
    """
    return float(Per().measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class Per(ErrorRate):
    """PER of the words as the corpus was tokenised."""

    name: ClassVar[str] = "per"
    summary: ClassVar[str] = "wrong words per reference word, in any order"
    formula: ClassVar[str] = "(max(|hyp|, |ref|) - common) / |ref|"
    citations: ClassVar[tuple[str, ...]] = ("tillmann-1997",)

    def errors(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the errors of the bags of words of every segment."""
        return word_errors(evaluation, reference)[:, WordError.BAG]

    def error_steps(
        self, evaluation: Evaluation, reference: int, segment: int
    ) -> tuple[WorkingStep, ...]:
        """Return the words of both sides, those in common, and the rest."""
        steps = bag_steps(evaluation, reference, segment)
        return (*steps, WorkingStep("errors", "wrong words", steps[-1].value, "bag"))
