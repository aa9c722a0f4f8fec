"""Rates of wrong words: what is counted once for all of them, and what they share."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.metrics.metric import Metric
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


class WordError(IntEnum):
    """Columns of `word_errors`: edits, errors of bags of words, and edits with long jumps."""

    EDITS = 0
    BAG = 1
    JUMPS = 2


def word_errors(evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
    """Return the errors of every segment against one reference, a column for each `WordError`."""
    key = ("word errors", reference)
    if key not in evaluation.kept:
        hypothesis, other = evaluation.hypothesis.tokens, evaluation.references[reference].tokens
        evaluation.kept[key] = _core.count_word_errors(
            hypothesis.ids, hypothesis.offsets, other.ids, other.offsets, evaluation.jobs
        )
    found: NDArray[np.int64] = evaluation.kept[key]
    return found


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Metric):
    """Errors over reference words, in a corpus over those of all segments.

    Of several references the one with the lowest rate counts, the first of equally low ones. Without a
    reference word the rate is 1 if there is an error, else 0.
    """

    range: ClassVar[tuple[float, float]] = (0.0, inf)
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("words",)

    @abstractmethod
    def errors(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the errors of every segment against one reference."""

    def preferred(self, evaluation: Evaluation, reference: int) -> NDArray[np.int64]:
        """Return the errors by which the reference of a segment is chosen, as a rate."""
        return self.errors(evaluation, reference)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the rate against the chosen reference; statistics are its errors and its words."""
        lowest = np.full(len(evaluation), inf)
        rows = np.zeros((len(evaluation), 2))
        for place, reference in enumerate(evaluation.references):
            lengths = reference.tokens.lengths
            rates = _rates(self.preferred(evaluation, place), lengths)
            better = rates < lowest
            lowest[better] = rates[better]
            rows[better, 0] = self.errors(evaluation, place)[better]
            rows[better, 1] = lengths[better]
        return Measure(rows, self.corpus_score(rows))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return errors / reference words; without a reference word 1 if there are errors, else 0."""
        return _rates(sums[..., 0], sums[..., 1])

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the errors against the chosen reference, and its words."""
        places = range(len(evaluation.references))
        lengths = [int(text.tokens.lengths[segment]) for text in evaluation.references]
        chosen = [
            float(_rates(self.preferred(evaluation, k)[[segment]], np.array([lengths[k]]))[0])
            for k in places
        ]
        place = chosen.index(min(chosen))
        steps = self.error_steps(evaluation, place, segment)
        errors = np.array([steps[-1].value])
        score = float(_rates(errors, np.array([lengths[place]]))[0])
        formula = "errors / length" if lengths[place] else "1 if errors else 0"
        return Working(
            (
                *steps,
                WorkingStep("length", "words of the reference", lengths[place]),
                WorkingStep("score", f"{self.name} of the segment", score, formula),
            ),
            place,
        )

    def error_steps(
        self, evaluation: Evaluation, reference: int, segment: int
    ) -> tuple[WorkingStep, ...]:
        """Return the steps to the errors of a segment, the last of them."""
        errors = int(self.errors(evaluation, reference)[segment])
        return (WorkingStep("errors", f"{self.summary.split(' per ')[0]}, the fewest", errors),)


def _rates(
    errors: NDArray[np.float64] | NDArray[np.int64], words: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    rates = np.array(errors > 0, dtype=np.float64)
    return np.divide(errors, words, out=rates, where=words > 0)


def bag_steps(evaluation: Evaluation, reference: int, segment: int) -> tuple[WorkingStep, ...]:
    """Return how many words both sides have and share, in any order, and how many are wrong."""
    sides = evaluation.hypothesis.tokens, evaluation.references[reference].tokens
    bags = [
        Counter(side.ids[side.offsets[segment] : side.offsets[segment + 1]].tolist())
        for side in sides
    ]
    sizes = [bag.total() for bag in bags]
    common = (bags[0] & bags[1]).total()
    return (
        WorkingStep("t", "words of the hypothesis", sizes[0]),
        WorkingStep("r", "words of the reference", sizes[1]),
        WorkingStep("common", "words in common, in any order", common),
        WorkingStep(
            "bag", "words that are wrong in any order", max(sizes) - common, "max(t, r) - common"
        ),
    )
