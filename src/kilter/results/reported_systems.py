"""What a report on systems shows: scores, comparison, texts with links, buckets and n-grams."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter import __version__
from kilter.results.document import Document, document
from kilter.results.explanation import ErrorKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import Corpus
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.links import LinkBatch
    from kilter.results.comparison import Comparison
    from kilter.results.explanation import ErrorSummary, OrderErrors
    from kilter.results.score_result import ByMetric, MetricFacts

SCHEMA = "kilter.report/1"
_TOP = 25
"""Groups of errors that are told; those of least loss are left out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Distribution:
    """How many segments of each system score between each two edges of a metric, and the median.

    The last bin holds its upper edge. Segments without a score are in no bin; a system with none has no
    median, which is not a number then.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    """A row for each system."""
    medians: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class LengthBuckets:
    """Corpus scores of the segments whose first reference has about the same length.

    `scores` has a table for each metric, a row a system and a column a bucket; what is undefined, or has
    no segment, is not a number.
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    scores: dict[str, NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True, eq=False)
class LengthDifferences:
    """How many segments of each system are so many words longer or shorter than the first reference."""

    labels: tuple[str, ...]
    counts: NDArray[np.int64]


class WordGrouping(StrEnum):
    """What words have in common: how often they are in the reference text, how long they are, or their tag."""

    FREQUENCY = "frequency"
    LETTERS = "letters"
    TAG = "tag"


@dataclass(frozen=True, kw_only=True, eq=False)
class WordAccuracy:
    """Words of the first reference that systems have, in buckets.

    `wanted` counts words of the reference in each bucket, `produced` those of each system; `matched` are those of the
    system that the reference has in the same segment, each at most as often as there, and `recalled` the words of
    the reference that these match: a word may have another tag there.
    """

    labels: tuple[str, ...]
    wanted: NDArray[np.int64]
    produced: NDArray[np.int64]
    matched: NDArray[np.int64]
    recalled: NDArray[np.int64]

    @property
    def f1(self) -> NDArray[np.float64]:
        """The harmonic mean of precision and recall, a row for each system; not a number for 0 words."""
        parts = self.matched * self.wanted + self.recalled * self.produced
        with np.errstate(invalid="ignore"):
            found = np.where(parts > 0, 2 * self.matched * self.recalled / parts, 0.0)
        return np.where(self.produced + self.wanted > 0, found, np.nan)

    def to_dict(self) -> Document:
        """Return the counts and F1 as JSON."""
        return {
            "labels": list(self.labels),
            "wanted": self.wanted.tolist(),
            "produced": self.produced.tolist(),
            "matched": self.matched.tolist(),
            "recalled": self.recalled.tolist(),
            "f1": _numbers(self.f1),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramCount:
    """Words in a row, and how often each of two systems has them where the reference has them."""

    words: tuple[str, ...]
    first: int
    second: int

    @property
    def share(self) -> float:
        """The share of the first system in all matches, where each has one more than it has."""
        return (self.first + 1) / (self.first + self.second + 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramDifference:
    """The n-grams of the reference that the first of two systems matches more often, and the second."""

    first: str
    second: str
    better_first: tuple[NgramCount, ...]
    better_second: tuple[NgramCount, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportedSystems:
    """Everything that a report on systems shows; links are those to the first reference."""

    title: str
    pair: tuple[str, str] | None
    """The two systems that are looked at first; none where there is only one."""
    comparison: Comparison
    metrics: ByMetric[MetricFacts]
    corpus: Corpus = field(repr=False)
    links: tuple[LinkBatch, ...] = field(repr=False)
    scores: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """Scores of all segments by metric and system."""
    distributions: dict[str, Distribution] = field(repr=False)
    lengths: LengthBuckets = field(repr=False)
    length_differences: LengthDifferences = field(repr=False)
    word_accuracy: dict[WordGrouping, WordAccuracy] = field(repr=False)
    """By frequency and length of the words, and by tag where there are trees."""
    ngrams: tuple[NgramDifference, ...] = field(repr=False)
    errors: tuple[OrderErrors, ...] = field(default=(), repr=False)
    """The order errors of each system; none at all where links give no order."""
    summaries: tuple[ErrorSummary, ...] = field(default=(), repr=False)
    """What the order errors of each system have in common."""
    trees: tuple[DependencyTreeColumn | None, ...] = field(default=(), repr=False)
    """Dependency trees of references and then systems that were looked at; nothing is parsed for the report."""
    notes: tuple[str, ...] = ()
    of_source: bool = False
    """Whether there is no reference: the source stands in its place, and links are those with the source."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.comparison.systems

    @property
    def count(self) -> int:
        """The number of segments."""
        return self.comparison.segments

    def ranks(self, metric: str) -> tuple[int | None, ...]:
        """Return the place of each system by the corpus score of a metric, 1 for the best.

        Systems that are equal share the better place; one without a score has none.
        """
        place = list(self.metrics).index(metric)
        compared = self.comparison.metrics[place]
        sign = 1.0 if compared.higher_is_better else -1.0
        scores = [None if i.value is None else sign * i.value for i in compared.intervals]
        return tuple(
            None
            if score is None
            else 1 + sum(other is not None and other > score for other in scores)
            for score in scores
        )

    @property
    def error_counts(self) -> NDArray[np.int64]:
        """How many order errors of each kind each system has, a row a system; no rows where none are known."""
        rows = [np.bincount(each.kinds, minlength=len(ErrorKind)) for each in self.errors]
        return np.array(rows, dtype=np.int64).reshape(-1, len(ErrorKind))

    def to_dict(self) -> Document:
        """Return the document of the schema `kilter.report/1`: all numbers but those of single segments."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "title": self.title,
            "comparison": self.comparison.to_dict(),
            "ranks": {name: list(self.ranks(name)) for name in self.metrics},
            "distributions": {
                name: {
                    "edges": each.edges.tolist(),
                    "counts": each.counts.tolist(),
                    "medians": _numbers(each.medians),
                }
                for name, each in self.distributions.items()
            },
            "lengths": {
                "labels": list(self.lengths.labels),
                "counts": self.lengths.counts.tolist(),
                "scores": {name: _numbers(each) for name, each in self.lengths.scores.items()},
            },
            "length_differences": {
                "labels": list(self.length_differences.labels),
                "counts": self.length_differences.counts.tolist(),
            },
            "word_accuracy": {str(key): each.to_dict() for key, each in self.word_accuracy.items()},
            "ngrams": [
                {
                    "first": each.first,
                    "second": each.second,
                    "better_first": [_ngram(row) for row in each.better_first],
                    "better_second": [_ngram(row) for row in each.better_second],
                }
                for each in self.ngrams
            ],
            "errors": {
                str(kind): self.error_counts[:, kind].tolist() for kind in ErrorKind if self.errors
            },
            "errors_left_out": [int(each.left_out.sum()) for each in self.errors],
            "error_groups": [
                {
                    str(grouping): document(groups[:_TOP])
                    for grouping, groups in summary.groups.items()
                }
                for summary in self.summaries
            ],
            "notes": list(self.notes),
        }


def _ngram(row: NgramCount) -> Document:
    return {"words": list(row.words), "first": row.first, "second": row.second}


def _numbers(values: NDArray[np.float64]) -> list[object]:
    """Return numbers as JSON has them: what is not a number is null."""
    return np.where(np.isnan(values), None, values).tolist()  # type: ignore[no-any-return, call-overload]
