"""Comparisons made from their types."""

from typing import Any

from kilter.core.estimate import Estimate
from kilter.results.comparison import (
    Comparison,
    MetricComparison,
    Pair,
    SignificanceTest,
)
from kilter.stats.resampling import Resampling
from kilter.stats.significance import Mark, MarkRule, SegmentEffect
from tests.render.distinct import Book


def compared(book: Book, *names: str) -> Comparison:
    """Return a comparison of systems by two metrics; the first system is the baseline."""
    places = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    metrics = []
    for metric in ("kendall", "bleu"):
        marks = [Mark.BETTER, Mark.SURELY_WORSE, Mark.OPEN]
        pairs = [
            book.make(
                Pair, metric, first, second, first=first, second=second, mark=marks[k % 3],
                mark_baseline=marks[(k + 1) % 3] if first == names[0] else None,
                # Shares of segments that differ also in whole percent.
                effect=book.make(
                    SegmentEffect, metric, first, second, "effect",
                    better=10 + k, equal=20 + k, worse=60 + k,
                ),
                parts=(),  # they have tests of their own, which let them add up
                **({} if first == names[0] else {"holm_baseline": None}), exact=first == names[0],
            )
            for k, (first, second) in enumerate(places)
        ]  # fmt: skip
        metrics.append(
            MetricComparison(
                name=metric, signature=f"{metric}|v", higher_is_better=True, range=(0.0, 1.0),
                intervals=tuple(book.make(Estimate, metric, name) for name in names),
                pairs=tuple(pairs),
            )
        )  # fmt: skip
    return Comparison(
        systems=names, baseline=names[0], segments=99, tests=tuple(SignificanceTest),
        resampling=Resampling(), metrics=tuple(metrics), marks=MarkRule.CORRECTED,
    )  # fmt: skip


def check_pairs(document: dict[str, Any], made: Comparison) -> None:
    """Check of a document that each interval and pair is that of its metric and systems."""
    for system, entry in zip(made.systems, document["systems"], strict=True):
        place = made.systems.index(system)
        for metric in made.metrics:
            found = entry["scores"][metric.name]
            assert (found["score"], found["low"], found["high"]) == metric.intervals[place].triple
    pairs = [(metric, pair) for metric in made.metrics for pair in metric.pairs]
    for (metric, pair), entry in zip(pairs, document["comparisons"], strict=True):
        assert entry["metric"] == metric.name
        for name in ("first", "second", "difference", "low", "high", "share", "mark"):
            assert entry[name] == getattr(pair, name)
