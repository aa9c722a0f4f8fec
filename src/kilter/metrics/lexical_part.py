"""The lexical part of an interpolated metric: a metric of words by name, from 0 to 1, more for better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.metrics.metric import LinkUse
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.results.measure import Measure, WorkingStep, part_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.metrics.metric import Metric

_LOOKS_AT = {"words", "text", "links"}


@dataclass(frozen=True, kw_only=True)
class LexicalPart:
    """A metric as a part of another one; a rate of errors counts as max(0, 1 - rate).

    Statistics are those of the metric, so that the rate of a corpus is clipped once, not its segments'.
    """

    metric: Metric

    def signed(self, specification: str) -> str:
        """Return how a signature names the part: a rate of errors by what is made of it."""
        return specification if self.metric.higher_is_better else f"max(0,1-{specification})"

    def _as_score(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.metric.higher_is_better:
            return values
        clipped: NDArray[np.float64] = np.maximum(0.0, 1.0 - values)
        return clipped

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the metric's statistics, and the score of every segment as a part."""
        try:
            found = self.metric.measure(evaluation)
        except SeveralLinksError as error:
            raise InputError(
                f"{error.fault}; the lexical part {self.metric.name} takes one link a word under every "
                "rule: take another one, or links of an aligner that gives no more",
                where=error.where,
            ) from None
        return Measure(found.statistics, self._as_score(found.scores))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corpus score of each row of summed statistics, as a part."""
        return self._as_score(self.metric.corpus_score(sums))

    def steps(self, evaluation: Evaluation, segment: int) -> tuple[WorkingStep, ...] | None:
        """Return the steps to the score of a segment, or None if the metric does not tell."""
        working = self.metric.working(evaluation, segment)
        if working is None:
            return None
        steps = part_steps(working.steps, self.metric.name.replace("-", "_"))
        if self.metric.higher_is_better:
            return steps
        rate = steps[-1]
        right = WorkingStep(
            "words", "lexical part", max(0.0, 1.0 - rate.value), f"max(0, 1 - {rate.name})"
        )
        return (*steps, right)


def lexical_part(specification: str, *, of: str) -> LexicalPart:
    """Return the metric of a specification as the lexical part of the metric named `of`.

    Options of its own are joined by + because the comma separates those of the outer metric. What has
    another scale than 0 to 1, and no rate to take from 1, cannot be weighed against an order part and is
    an `OptionError`, as is a metric of word order.

    >>> lexical_part("chrf:beta=1+words=2", of="lr").metric.specification()
    'chrf:words=2,beta=1'
    """
    made = metric(specification.replace("+", ","))
    if not _fits(type(made)):
        listed = ", ".join(name for name in metric_names() if _fits(metric_class(name)))
        why = ""
        if _of_words(type(made)):
            why = (
                f"; {made.name} has no greatest score: compute it beside {of}:alpha=1 and weigh the two "
                "by its own scale"
            )
        raise OptionError(
            f"{of}: lexical is {specification!r}; it must be a score of words from 0 to 1, or a rate of "
            f"errors, which counts as max(0, 1 - rate): {listed}{why}"
        )
    return LexicalPart(metric=made)


def _of_words(found: type[Metric]) -> bool:
    words = {"words", "text"} & set(found.needs) and set(found.needs) <= _LOOKS_AT
    return bool(words) and found.link_use is not LinkUse.ORDER


def _fits(found: type[Metric]) -> bool:
    scored = found.range == (0.0, 1.0) or (not found.higher_is_better and found.range[0] == 0.0)
    return _of_words(found) and scored
