"""A small metric that looks at word vectors, for tests of what brings them to metrics."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.meaning import MeaningOptions
from kilter.core.registry import option
from kilter.metrics.metric import MeanMetric
from kilter.metrics.registry import METRICS
from kilter.results.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import pytest
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.meaning import MeaningBatch


@dataclass(frozen=True, kw_only=True)
class MetWords(MeanMetric):
    """The mean recall of a reference's words times the share of soft links in order; 1 without a model."""

    name: ClassVar[str] = "met-words"
    summary: ClassVar[str] = "words that are met"
    formula: ClassVar[str] = "recall x concordant / (concordant + discordant)"
    citations: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ("words",)

    encoder: str = option("", "model of word vectors; empty: that of the language, none: none")
    floor: float = option(0.6, "similarity at which links fade", low=-1.0, high=2.0)

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        return {"encoder": "en"} if language == "en" else {}

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:  # noqa: ARG002
        return (*self.needs, "meaning") if self.encoder == "en" else self.needs

    def meaning_options(self) -> MeaningOptions | None:
        return MeaningOptions(floor=self.floor) if self.encoder == "en" else None

    def measure(self, evaluation: Evaluation) -> Measure:
        options = self.meaning_options()
        if options is None:
            return Measure.mean(np.ones(len(evaluation)))
        places = range(len(evaluation.references))
        return Measure.best([_scores(evaluation.meaning(place, options)) for place in places])


def _scores(found: MeaningBatch) -> NDArray[np.float64]:
    starts, sizes = found.second_offsets[:-1], np.diff(found.second_offsets)
    sums = np.array(
        [found.recall[a : a + n].sum(dtype=np.float64) for a, n in zip(starts, sizes, strict=True)]
    )
    pairs = found.concordant + found.discordant
    order = np.divide(found.concordant, pairs, out=np.ones(len(found)), where=pairs > 0)
    recall = np.divide(sums, sizes, out=np.zeros(len(found)), where=sizes > 0)
    scores: NDArray[np.float64] = recall * order
    return scores


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the metric known under its name until a test ends."""
    entry = EntryPoint("met-words", f"{__name__}:MetWords", METRICS.group)
    monkeypatch.setitem(METRICS._registered, "met-words", entry)
