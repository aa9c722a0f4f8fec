"""Word error rate: edits per reference word. Levenshtein (1966), Nießen et al. (2000)"""

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
def wer(hypothesis: object, references: object) -> float:
    """Return the WER of one sentence given as words: edits / reference words.

    Edits are the fewest insertions, deletions and substitutions that make the reference of the
    hypothesis. 0 for a perfect translation, more than 1 where more is edited than the reference has
    words. The reference with the lowest rate counts. Without any reference word it is 1, or 0 if the
    hypothesis is empty too.

    >>> wer("on the mat sat the cat".split(), ["the cat sat on the mat".split()])
    0.6666666666666666
    """
    return float(Wer().measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class Wer(ErrorRate):
    """WER of the words as the corpus was tokenised."""

    name: ClassVar[str] = "wer"
    summary: ClassVar[str] = "edits per reference word"
    formula: ClassVar[str] = "(insertions + deletions + substitutions) / |ref|"
    citations: ClassVar[tuple[str, ...]] = ("levenshtein-1966", "niessen-2000")

    def errors(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the edits of every segment."""
        return word_errors(evaluation, reference)[:, WordError.EDITS]
