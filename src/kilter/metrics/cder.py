"""CDER: edits and long jumps per reference word. Leusch et al. (2006)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.settings import checked
from kilter.metrics.one_segment import one_segment
from kilter.metrics.word_error import ErrorRate, WordError, word_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def cder(hypothesis: object, references: object) -> float:
    """Return the CDER of one sentence given as words: edits and long jumps / reference words.

    Every reference word is covered once, from left to right; a jump to any place of the hypothesis
    costs 1, so that a moved block costs as much as its jumps, however long it is. Hypothesis words may
    be covered several times, or not at all. The reference with the lowest rate counts. Without any
    reference word it is 1, or 0 if the hypothesis is empty too.

    >>> cder("on the mat sat the cat".split(), ["the cat sat on the mat".split()])
    0.6666666666666666
    """
    return float(Cder().measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class Cder(ErrorRate):
    """CDER of the words as the corpus was tokenised."""

    name: ClassVar[str] = "cder"
    summary: ClassVar[str] = "edits and jumps of blocks per reference word"
    formula: ClassVar[str] = "(insertions + deletions + substitutions + long jumps) / |ref|"
    citations: ClassVar[tuple[str, ...]] = ("leusch-2006",)
    range: ClassVar[tuple[float, float]] = (0.0, 2.0)

    def errors(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the edits and jumps of every segment."""
        return word_errors(evaluation, reference)[:, WordError.JUMPS]
