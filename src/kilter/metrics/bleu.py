"""BLEU, equal to sacreBLEU's. Papineni et al. (2002), Post (2018)"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.registry import option
from kilter.core.settings import checked, chosen
from kilter.metrics.metric import Metric, only_reference
from kilter.metrics.ngram import MAXIMUM_ORDER, ngram_counts
from kilter.metrics.one_segment import one_segment
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


_FLOOR = 0.1  # matches that `floor` assumes, as in the kernel


class Smooth(StrEnum):
    """What becomes of an n-gram order without a match."""

    EXP = "exp"
    ADD_ONE = "add-one"
    FLOOR = "floor"
    NONE = "none"


@checked
def bleu(
    hypothesis: object,
    references: object,
    *,
    order: int = MAXIMUM_ORDER,
    smooth: Smooth | str = Smooth.EXP,
    effective: bool = True,
) -> float:
    """Return the BLEU of one sentence given as words: BP * exp(mean of ln p_n), n = 1 to `order`.

    p_n is the share of the hypothesis' n-grams found in a reference, each at most as often as in the
    reference that has it most. BP is 1, or exp(1 - r/t) for t words where the closest reference has
    r > t. The defaults are those of sacreBLEU's `sentence_bleu`: an order without a match counts as half
    a match, the next as a quarter, and orders longer than the sentence are left out (`effective`).
    No matching word scores 0, and so does an empty side.

    >>> hypothesis = "the mat had sat on the cat".split()
    >>> reference = "cats had sat on a mat".split()
    >>> round(bleu(hypothesis, [reference], order=3, smooth="none"), 4)
    0.3365
    """
    metric = Bleu(order=order, smooth=chosen(Smooth, smooth, "smooth"), effective=effective)
    return float(metric.measure(one_segment(hypothesis, references)).scores[0])


@dataclass(frozen=True, kw_only=True)
class Bleu(Metric):
    """BLEU of the words as the corpus was tokenised."""

    name: ClassVar[str] = "bleu"
    summary: ClassVar[str] = "n-gram precision with a brevity penalty, sacreBLEU / 100"
    purpose: ClassVar[str] = "word n-grams in common (sacreBLEU)"
    formula: ClassVar[str] = "BP exp(1/N sum_n ln p_n), p_n = clipped matches / n-grams"
    citations: ClassVar[tuple[str, ...]] = ("papineni-2002", "post-2018")
    needs: ClassVar[tuple[str, ...]] = ("words",)

    order: int = option(MAXIMUM_ORDER, "longest n-gram", low=1, high=MAXIMUM_ORDER)
    smooth: Smooth = option(Smooth.EXP, "what becomes of an order without a match")
    effective: bool = option(
        default=True, description="leave out orders longer than a segment in segment scores"
    )

    def signed_options(self) -> dict[str, str]:
        """Return all options; `effective:segments`, since no order is left out of corpus scores."""
        options = super().signed_options()
        return {**options, "effective": "segments"} if self.effective else options

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the BLEU of every segment by itself.

        Statistics are hypothesis length, closest reference length, matches and totals by order.
        """
        rows = bleu_statistics(evaluation, self.order)
        return Measure(rows, bleu_scores(rows, smooth=self.smooth, effective=self.effective))

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the n-grams that match, their shares, and the brevity penalty."""
        row = bleu_statistics(evaluation, self.order)[segment]
        steps = bleu_steps(row, smooth=self.smooth, effective=self.effective)
        return Working(steps, only_reference(evaluation))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return BLEU of summed counts; no order is left out."""
        return bleu_scores(sums, smooth=self.smooth, effective=False)

    def why_zero(self, sums: NDArray[np.float64]) -> str:
        """Return that no line is as long as the longest n-grams, as in sacreBLEU."""
        if sums[0] == 0 or sums[-1] > 0 or self.corpus_score(sums) > 0:
            return ""
        return (
            f"no line has {counted(self.order, 'word')}, which corpus BLEU needs, in sacreBLEU too"
        )


def bleu_statistics(evaluation: Evaluation, order: int) -> NDArray[np.float64]:
    """Return per segment: length, closest reference length, `order` matches, `order` totals."""
    counts = ngram_counts(evaluation)
    totals = 2 + MAXIMUM_ORDER
    return np.hstack([counts[:, : 2 + order], counts[:, totals : totals + order]]).astype(float)


def bleu_scores(
    sums: NDArray[np.float64], *, smooth: Smooth, effective: bool
) -> NDArray[np.float64]:
    """Return BLEU of each row of counts laid out as `bleu_statistics` does.

    The arithmetic is that of sacreBLEU's `compute_bleu`, step by step and in percent, so that the result
    is its score divided by 100 to the last bit, but never above 1: sacreBLEU gives a perfect translation
    100.00000000000004. Python's `sum` has changed between versions, so the version counts too.
    """
    rows = np.ascontiguousarray(sums.reshape(-1, sums.shape[-1]))
    scores = _core.bleu_scores(
        rows, _core.BleuSmoothing[smooth.name], effective, sys.version_info >= (3, 12)
    )
    return scores.reshape(sums.shape[:-1])


def bleu_steps(
    row: NDArray[np.float64], *, smooth: Smooth, effective: bool
) -> tuple[WorkingStep, ...]:
    """Return the steps to the BLEU of one row of counts laid out as `bleu_statistics` does."""
    length, reference, *counts = (int(value) for value in row)
    order = len(counts) // 2
    matches, totals = counts[:order], counts[order:]
    steps = [
        WorkingStep("t", "words of the hypothesis", length),
        WorkingStep("r", "words of the reference of the closest length", reference),
    ]
    used = 0
    halving = 1
    for n, (match, total) in enumerate(zip(matches, totals, strict=True), start=1):
        steps.append(WorkingStep(f"m{n}", f"{n}-grams of the hypothesis that match", match))
        steps.append(WorkingStep(f"n{n}", f"{n}-grams of the hypothesis", total))
        formula = f"m{n} / n{n}"
        if smooth is Smooth.ADD_ONE and n > 1:
            match, total, formula = match + 1, total + 1, f"(m{n} + 1) / (n{n} + 1)"  # noqa: PLW2901 - smoothed
        if total == 0:
            break
        used = n
        value = match / total
        if match == 0 and smooth is Smooth.EXP:
            halving *= 2
            value, formula = 1.0 / (halving * total), f"1 / ({halving} * n{n})"
        elif match == 0 and smooth is Smooth.FLOOR:
            value, formula = _FLOOR / total, f"{_FLOOR} / n{n}"
        steps.append(WorkingStep(f"p{n}", f"precision of {n}-grams", value, formula))
    score = float(bleu_scores(row[np.newaxis], smooth=smooth, effective=effective)[0])
    if score == 0.0:
        why = "no word matches" if not any(matches) else "an order of n-grams has no match"
        return (*steps, WorkingStep("score", f"BLEU; {why}", score, "0"))
    brevity = float(np.exp(1.0 - reference / length)) if length < reference else 1.0
    logarithms = " + ".join(f"ln(p{n})" for n in range(1, used + 1))
    return (
        *steps,
        WorkingStep("BP", "brevity penalty", brevity, "1 if t >= r else exp(1 - r / t)"),
        WorkingStep("score", "BLEU", score, f"min(1, BP * exp(({logarithms}) / {used}))"),
    )
