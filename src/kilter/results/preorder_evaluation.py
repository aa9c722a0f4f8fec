"""Parsers x rule sets against reference reorderings: what `kilter preorder evaluate` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.results.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.results.comparison import Comparison
    from kilter.results.document import Document

SCHEMA = "kilter.preorder/1"


class ParserAccuracy(NamedTuple):
    """Shares of all words: head and label right, head right, tag right; 1 where there is no word.

    A label is right if it is the same to the last letter, subtype included. None where it is not known.
    """

    las: float | None
    uas: float | None
    tags: float | None


@dataclass(frozen=True, kw_only=True)
class PreorderSystem:
    """A parser and a rule set, both by their index and name: `P2R5` is the second and the fifth that were given."""

    name: str
    parser: str
    rules: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PreorderEvaluation:
    """Every parser x rule set: intervals, comparisons, scores of segments; parsers against gold trees."""

    systems: tuple[PreorderSystem, ...]
    comparison: Comparison
    accuracies: Mapping[str, ParserAccuracy]
    scores: Mapping[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """By metric and system, one score per segment."""

    def accuracy(self, system: PreorderSystem) -> ParserAccuracy:
        """Return the accuracy of a system's parser, of which nothing is known without gold trees."""
        return self.accuracies.get(system.parser, ParserAccuracy(None, None, None))

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.preorder/1`."""
        compared = self.comparison.to_dict()
        return {
            "schema": SCHEMA,
            **{
                key: compared[key]
                for key in ("version", "segments", "seed", "resamples", "level", "metrics")
            },
            "systems": [
                {
                    "name": system.name,
                    "parser": system.parser,
                    "rules": system.rules,
                    "scores": scores["scores"],
                    **self.accuracy(system)._asdict(),
                }
                for system, scores in zip(self.systems, compared["systems"], strict=True)
            ],
            "comparisons": [
                {
                    key: pair[key]
                    for key in (
                        "metric",
                        "first",
                        "second",
                        "difference",
                        "low",
                        "high",
                        "share",
                        "mark",
                    )
                }
                for pair in compared["comparisons"]
            ],
        }

    def segments(self) -> ScoreTable:
        """Return every metric x system x segment (from 1) as a long table."""
        count = self.comparison.segments
        return ScoreTable(
            {
                "system": np.repeat([system for _, system in self.scores], count).astype(object),
                "segment": np.tile(np.arange(1, count + 1), len(self.scores)),
                "metric": np.repeat([metric for metric, _ in self.scores], count).astype(object),
                "score": np.concatenate(list(self.scores.values())),
            }
        )
