"""Scores of systems: what `kilter score` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from kilter import __version__
from kilter.results.by_metric import ByMetric
from kilter.results.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.results.document import Document

SCHEMA = "kilter.score/1"


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """One metric's score of one system, with its bootstrap interval and signature."""

    score: float | None
    """None where the metric is undefined; the bounds also where there is only one segment."""
    low: float | None
    high: float | None
    segments: int
    signature: str
    parts: Mapping[str, float | None] = field(default_factory=dict)
    """Means of what the score is made of, such as order and coverage, where the metric tells."""
    parts_add_up: bool = False
    """Whether parts are what each adds to the score; else they are factors, or means of what is weighed."""
    reason: str = ""
    """Why the score is missing, where the metric tells."""


@dataclass(frozen=True, kw_only=True)
class MetricFacts:
    """What is to be known of a metric whose scores one reads."""

    name: str
    """The specification, and the configuration behind an @ where there are several."""
    tool: str
    """The registered name of the metric."""
    variant: str
    """Its options that are not default."""
    configuration: str
    """Which of several configurations; empty for the only one, or for the mean of them."""
    configurations: int
    """Of how many configurations this is the mean."""
    signature: str
    higher_is_better: bool
    range: tuple[float, float]
    citations: tuple[str, ...]
    purpose: str = ""
    """What a reader learns from it, in a few words; empty for most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreResult:
    """Everything that was measured: corpus scores of every system, and segment scores on request."""

    systems: dict[str, ByMetric[MetricScore]]
    metrics: ByMetric[MetricFacts]
    count: int
    seed: int
    segment_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """Scores of all segments by metric and system."""
    statistic_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(
        default_factory=dict, repr=False
    )
    """Additive statistics of all segments, a row each, by metric and system; none for reorderings."""
    margin_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(
        default_factory=dict, repr=False
    )
    """How far two outputs for a segment must be apart for three of four judges to agree, by metric and system; of
    metrics that were fitted on judgments."""
    notes: tuple[str, ...] = ()

    @property
    def signatures(self) -> ByMetric[str]:
        """The signature of each metric."""
        return ByMetric({name: facts.signature for name, facts in self.metrics.items()})

    @property
    def system(self) -> ByMetric[MetricScore]:
        """The scores of the first system, for the common case of only one."""
        return next(iter(self.systems.values()))

    @property
    def segments(self) -> ScoreTable:
        """Every metric x system x segment (one-based) as a long table."""
        names, systems, arrays = [], [], []
        for name in self.metrics:
            for system in self.systems:
                array = self.segment_arrays[name, system]
                names.append(np.full(len(array), name, dtype=object))
                systems.append(np.full(len(array), system, dtype=object))
                arrays.append(array)
        total = len(self.metrics) * len(self.systems)
        return ScoreTable(
            {
                "system": np.concatenate(systems),
                "segment": np.tile(np.arange(1, self.count + 1), total),
                "metric": np.concatenate(names),
                "score": np.concatenate(arrays),
            }
        )

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.score/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "segments": self.count,
            "seed": self.seed,
            "metrics": {
                name: {
                    "signature": facts.signature,
                    "higher_is_better": facts.higher_is_better,
                    # JSON has no infinity: a bound that does not exist is null.
                    "range": [bound if isfinite(bound) else None for bound in facts.range],
                }
                for name, facts in self.metrics.items()
            },
            "systems": [
                {
                    "name": system,
                    "scores": {
                        name: {
                            "score": scored.score,
                            "low": scored.low,
                            "high": scored.high,
                            "segments": scored.segments,
                            **({"reason": scored.reason} if scored.reason else {}),
                            **(
                                {"parts": dict(scored.parts), "parts_add_up": scored.parts_add_up}
                                if scored.parts
                                else {}
                            ),
                        }
                        for name, scored in scores.items()
                    },
                }
                for system, scores in self.systems.items()
            ],
        }
