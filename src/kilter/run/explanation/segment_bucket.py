"""Segments in buckets: by score, by length of the reference, by difference in length."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.results.reported_systems import (
    Distribution,
    LengthBuckets,
    LengthDifferences,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.run.scoring.measured import Measured

# The buckets that compare-mt has made known.
_LENGTHS = (10, 20, 30, 40, 50, 60)
_DIFFERENCES = (-20, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 21)
_BINS = 20


def distribution(
    scores: Sequence[NDArray[np.float64]], bounds: tuple[float, float]
) -> Distribution:
    """Return how the segment scores of systems are distributed over the range of their metric.

    Where the range has no end, or a score lies beyond it, bins end at the last score.
    """
    known = [each[np.isfinite(each)] for each in scores]
    ends = [end for end in bounds if np.isfinite(end)]
    every = np.concatenate([*known, ends])
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    if high <= low:
        high = low + 1.0
    edges = np.linspace(low, high, _BINS + 1)
    return Distribution(
        edges=edges,
        counts=np.array([np.histogram(each, edges)[0] for each in known], dtype=np.int64),
        medians=np.array([np.median(each) if each.size else np.nan for each in known]),
    )


def length_buckets(lengths: NDArray[np.int64], measured: Sequence[Measured]) -> LengthBuckets:
    """Return the corpus scores of segments by the length of their reference, in words."""
    places = np.searchsorted(_LENGTHS, lengths, side="right")
    labels = tuple(bucket_labels(_LENGTHS, least=0))
    counts = np.bincount(places, minlength=len(labels))
    scores = {}
    for each in measured:
        table = np.full((len(each.statistics), len(labels)), np.nan)
        for bucket in np.flatnonzero(counts):
            rows = places == bucket
            sums = np.stack([statistics[rows].sum(axis=0) for statistics in each.statistics])
            with np.errstate(divide="ignore", invalid="ignore"):
                found = each.corpus_score(sums)
            table[:, bucket] = np.where(np.isfinite(found), found, np.nan)
        scores[each.name] = table
    return LengthBuckets(labels=labels, counts=counts, scores=scores)


def length_differences(
    systems: Sequence[NDArray[np.int64]], reference: NDArray[np.int64]
) -> LengthDifferences:
    """Return how many segments of each system are longer or shorter than the reference, and how far."""
    labels = tuple(bucket_labels(_DIFFERENCES))
    counts = [
        np.bincount(
            np.searchsorted(_DIFFERENCES, lengths - reference, side="right"), minlength=len(labels)
        )
        for lengths in systems
    ]
    return LengthDifferences(labels=labels, counts=np.array(counts, dtype=np.int64))


def bucket_labels(borders: Sequence[int], least: int | None = None) -> list[str]:
    """Return the buckets between whole numbers, each border the first of its bucket, in words."""
    first = f"below {borders[0]}" if least is None else _span(least, borders[0] - 1)
    between = [_span(low, high - 1) for low, high in pairwise(borders)]
    return [first, *between, f"{borders[-1]} or more"]


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
