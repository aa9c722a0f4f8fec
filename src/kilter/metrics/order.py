"""Word order by itself: apart from coverage, choice of words and length. Section 6.10"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.errors import InputError, OptionError
from kilter.metrics.encoded_metric import WEIGHTS_HELP, EncodedMetric
from kilter.metrics.metric import best_reference
from kilter.metrics.pure_order import NEAR_WEIGHT, PureOrder
from kilter.metrics.weight_file import weight_file
from kilter.metrics.word_model import WordModel
from kilter.options.configured import option
from kilter.structures.result.measure import Measure
from kilter.structures.result.working import Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.structures.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class Order(EncodedMetric):
    """Word order by itself; a corpus scores the mean of its segments with two linked words or more.

    Each weighs as much as it has linked words; by soft links all weigh the same.
    """

    in_all: ClassVar[bool] = False
    name: ClassVar[str] = "order"
    summary: ClassVar[str] = "word order by itself, apart from coverage and length"
    purpose: ClassVar[str] = "the order of the linked words, and nothing else"
    formula: ClassVar[str] = (
        "1 - max(linked / |ref|, 0.35)^0.75 x (0.1 x pairs out of order + 0.9 x parted neighbours x (20 / |ref|)^0.4)"
    )
    citations: ClassVar[tuple[str, ...]] = ("kilter", "birch-osborne-2010", "talbot-2011")
    needs: ClassVar[tuple[str, ...]] = ("links",)

    encoder: WordModel = option(
        WordModel.NONE, "model whose word vectors make soft links, or none for those of the aligner"
    )
    near: float = option(
        NEAR_WEIGHT, "weight of neighbours beside that of pairs, without a model", low=0.0, high=1.0
    )
    empty: float = option(0.0, "score of a segment without any link", low=0.0, high=1.0)
    weights: str = option("", WEIGHTS_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights and self.near != NEAR_WEIGHT:
            raise OptionError(
                f"order: near is {self.near:g}, and {self.weights} holds it too; leave out one of them"
            )
        self._near()  # a file that does not hold it is an error at once

    def idle_options(self) -> AbstractSet[str]:
        """Return the weight of neighbours, which soft links do not look at, and its file, with a model."""
        return frozenset() if self.encoder is WordModel.NONE else frozenset({"near", "weights"})

    def _near(self) -> float:
        """Return the weight of neighbours, as it was given or fitted."""
        if not self.weights:
            return self.near
        near = weight_file(self.weights).near
        if near is None:
            raise InputError(
                "has no weight near of order; fit it with kilter tune -m order -o near",
                where=self.weights,
            )
        return near

    def signed_options(self) -> dict[str, str]:
        """Return all options, with the weight of neighbours that was fitted."""
        return {**super().signed_options(), "near": str(self._near())}

    def signature(self, context: Mapping[str, str] | None = None) -> str:
        """Return the line that makes a score reproducible, with the version of what was fitted."""
        fitted = weight_file(self.weights).label
        return super().signature({**(context or {}), "weights": fitted})

    def fitted_document(self) -> dict[str, object]:
        """Return the weight of neighbours."""
        return {"near": self._near()}

    def _found(self, evaluation: Evaluation) -> list[PureOrder]:
        return [
            PureOrder.of(
                evaluation, place, encoder=self.encoder, empty=self.empty, weight=self._near()
            )
            for place in range(len(evaluation.references))
        ]

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references; statistics are the weight of the segment times it, and the weight."""
        found = self._found(evaluation)
        every = np.stack([each.scores for each in found])
        places, segments = np.argmax(every, axis=0), np.arange(len(evaluation))
        scores = every[places, segments]
        weights = np.stack([each.weights for each in found])[places, segments]
        return Measure(np.column_stack([scores * weights, weights]), scores)

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of the segments with enough evidence; `empty` without any."""
        total, weights = sums[..., 0], sums[..., 1]
        none = np.full(total.shape, self.empty)
        scores: NDArray[np.float64] = np.divide(total, weights, out=none, where=weights > 0)
        return scores

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the linked words, what of them is out of order, and what that is discounted by."""
        found = self._found(evaluation)
        place = best_reference((each.scores for each in found), segment)
        steps = found[place].steps(evaluation, place, segment)
        score = WorkingStep("score", "order of the segment", steps[-1].value, "order")
        return Working((*steps, score), place)
