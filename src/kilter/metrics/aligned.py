"""The share of words that have a link, on both sides together. [TH]"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link, LinkBatch
from kilter.core.settings import checked
from kilter.metrics.metric import MeanMetric, best_reference
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def aligned(links: Iterable[Link], lengths: tuple[int, int]) -> float:
    """Return (linked hypothesis words + linked reference words) / all words of both.

    `lengths` count the words of the hypothesis and of the reference; two empty sentences score 0.
    [TH] equation 3.1

    >>> aligned([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)], (7, 6))
    0.7692307692307693
    """
    batch = LinkBatch.of([links])
    first, second = (np.array([length]) for length in lengths)
    batch.check(first, second)
    return float(aligned_shares(batch, first + second)[0])


def aligned_shares(
    links: LinkBatch, words: NDArray[np.int64], *, jobs: int = 1
) -> NDArray[np.float64]:
    """Return one share per segment; `words` count both sides together."""
    linked = links.linked_words(jobs=jobs).sum(axis=1)
    shares = np.zeros(len(links))
    np.divide(linked, words, out=shares, where=words > 0)
    return shares


@dataclass(frozen=True, kw_only=True)
class Aligned(MeanMetric):
    """Share of linked words, the best of several references."""

    name: ClassVar[str] = "aligned"
    summary: ClassVar[str] = "share of words that have a link"
    formula: ClassVar[str] = "(linked hypothesis words + linked reference words) / all words"
    citations: ClassVar[tuple[str, ...]] = ("mccaffery-2017",)
    needs: ClassVar[tuple[str, ...]] = ("links",)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best share over references."""
        hypothesis = evaluation.hypothesis.tokens.lengths
        shares = [
            aligned_shares(links, hypothesis + reference.tokens.lengths, jobs=evaluation.jobs)
            for links, reference in zip(evaluation.links, evaluation.references, strict=True)
        ]
        return Measure.best(shares)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the linked words of both sides, and all words."""
        hypothesis = evaluation.hypothesis.tokens.lengths
        shares = [
            aligned_shares(links, hypothesis + reference.tokens.lengths, jobs=evaluation.jobs)
            for links, reference in zip(evaluation.links, evaluation.references, strict=True)
        ]
        place = best_reference(shares, segment)
        linked = evaluation.links[place].linked_words(jobs=evaluation.jobs)[segment].tolist()
        reference = evaluation.references[place].tokens.lengths
        words = int(hypothesis[segment]), int(reference[segment])
        formula = "(a_H + a_R) / (n_H + n_R)" if sum(words) else "0"
        return Working(
            (
                WorkingStep("a_H", "linked words of the hypothesis", linked[0]),
                WorkingStep("a_R", "linked words of the reference", linked[1]),
                WorkingStep("n_H", "words of the hypothesis", words[0]),
                WorkingStep("n_R", "words of the reference", words[1]),
                WorkingStep(
                    "score", "share of linked words", float(shares[place][segment]), formula
                ),
            ),
            place,
        )
