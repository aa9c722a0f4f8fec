"""Every picture of a report as SVG, for papers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption
from kilter.render.chart.mark import Bar, Dot, Histogram
from kilter.render.chart.row_chart import Row, RowGroup, rank_chart, row_chart
from kilter.results.explanation import ErrorKind
from kilter.results.reported_systems import WordGrouping
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.results.reported_systems import ReportedSystems

_NO_SCORE = Undefined("no segment has a score")


def report_pictures(report: ReportedSystems) -> Iterator[tuple[str, str]]:
    """Yield the name of each picture, without an ending, and the picture.

    Names of metrics are spelled with letters, digits and hyphens.
    """
    metrics = list(report.metrics)
    names = _file_names(metrics)
    for metric, name in zip(metrics, names, strict=True):
        yield f"systems-{name}", _systems(report, metric)
        yield f"distribution-{name}", _distribution(report, metric)
        yield f"length-{name}", _lengths(report, metric)
        if report.pair is not None:
            yield f"pair-{name}", _pair(report, metric, *report.pair)
            yield f"differences-{name}", _differences(report, metric, *report.pair)
    if len(report.systems) > 1:
        yield "ranks", _ranks(report)
    if report.errors:
        yield "order-errors", _errors(report)
    for grouping in report.word_accuracy:
        yield f"word-accuracy-{grouping}", _word_accuracy(report, grouping)
    yield "length-difference", _length_difference(report)


def _file_names(metrics: Sequence[str]) -> list[str]:
    """Return names that any file system takes, all different."""
    found: list[str] = []
    for metric in metrics:
        plain = re.sub(r"[^a-z0-9]+", "-", metric.lower()).strip("-") or "metric"
        name, number = plain, 2
        while name in found:
            name, number = f"{plain}-{number}", number + 1
        found.append(name)
    return found


def _systems(report: ReportedSystems, metric: str) -> str:
    place = list(report.metrics).index(metric)
    intervals = report.comparison.metrics[place].intervals
    rows = [
        Row(system, [_dot(interval)])
        for system, interval in zip(report.systems, intervals, strict=True)
    ]
    level = f"{100 * report.comparison.resampling.level:g}%"
    title = f"Corpus scores by {metric} with {level} intervals"
    return row_chart([RowGroup("", rows)], caption=Caption(title=title), axis=metric)


def _dot(interval: Estimate) -> Dot | Undefined:
    if interval.value is None:
        return _NO_SCORE
    text = f"{interval.value:.4f}"
    if interval.low is not None and interval.high is not None:
        text += f" [{interval.low:.4f}, {interval.high:.4f}]"
    return Dot(value=interval.value, low=interval.low, high=interval.high, text=text)


def _distribution(report: ReportedSystems, metric: str) -> str:
    found = report.distributions[metric]
    rows = [
        Row(
            system,
            [
                _NO_SCORE
                if np.isnan(median)
                else Histogram(
                    edges=found.edges.tolist(),
                    counts=counts.tolist(),
                    median=float(median),
                    text=f"median {median:.4f}",
                )
            ],
        )
        for system, counts, median in zip(report.systems, found.counts, found.medians, strict=True)
    ]
    caption = Caption(title=f"Segments by {metric}", notes=["The triangle is the median."])
    return row_chart([RowGroup("", rows)], caption=caption, axis=metric)


def _lengths(report: ReportedSystems, metric: str) -> str:
    lengths = report.lengths
    return _bucket_chart(
        report,
        lengths.labels,
        lengths.counts,
        lengths.scores[metric],
        title=f"{metric} against the length of the reference",
        axes=("words of the reference", metric),
    )


_WORDS = {
    WordGrouping.FREQUENCY: (
        "frequency of the word in the reference",
        "frequency in the reference",
    ),
    WordGrouping.LETTERS: ("length of the word", "characters of the word"),
    WordGrouping.TAG: ("part of speech", "tag"),
}


def _word_accuracy(report: ReportedSystems, grouping: WordGrouping) -> str:
    words, (by, axis) = report.word_accuracy[grouping], _WORDS[grouping]
    return _bucket_chart(
        report,
        words.labels,
        words.wanted,
        words.f1,
        title=f"Word accuracy by {by}",
        axes=(axis, "F1"),
        joined=grouping is not WordGrouping.TAG,
    )


def _length_difference(report: ReportedSystems) -> str:
    found = report.length_differences
    return _bucket_chart(
        report,
        found.labels,
        found.counts.sum(axis=0),
        found.counts.astype(np.float64),
        title="Segments by difference in length",
        axes=("words more than the reference", "segments"),
        joined=False,  # buckets of different width
    )


def _bucket_chart(
    report: ReportedSystems,
    labels: Sequence[str],
    counts: NDArray[np.int64],
    values: NDArray[np.float64],
    *,
    title: str,
    axes: tuple[str, str],
    joined: bool = True,
) -> str:
    """Return a line for each system over the buckets that hold anything; its points alone if not `joined`."""
    used = np.flatnonzero(counts)
    curves = [
        Curve(
            name=system,
            points=[
                (float(at), float(row[bucket]))
                for at, bucket in enumerate(used.tolist())
                if not np.isnan(row[bucket])
            ],
            joined=joined,
        )
        for system, row in zip(report.systems, values, strict=True)
    ]
    return curve_chart(
        curves,
        caption=Caption(title=title),
        x=axes[0],
        y=axes[1],
        labels=[labels[place] for place in used.tolist()],
    )


def _pair(report: ReportedSystems, metric: str, first: str, second: str) -> str:
    one, other = report.scores[metric, first], report.scores[metric, second]
    known = np.isfinite(one) & np.isfinite(other)
    lengths = report.corpus.references[0].tokens.lengths[known]
    points = list(zip(one[known].tolist(), other[known].tolist(), strict=True))
    dots = Curve(
        name="a segment, larger for longer references",
        points=points,
        joined=False,
        sizes=(1.0 + 0.5 * np.sqrt(lengths)).tolist(),
    )
    ends = [end for points in (one[known], other[known]) for end in (points.min(), points.max())] if known.any() else [0.0, 1.0]  # fmt: skip
    line = Curve(
        name="equal scores",
        points=[(float(end), float(end)) for end in (min(ends), max(ends))],
        marked=False,
    )
    title = f"Segments of {first} and {second} by {metric}"
    return curve_chart([dots, line], caption=Caption(title=title), x=first, y=second)


def _differences(report: ReportedSystems, metric: str, first: str, second: str) -> str:
    differences = report.scores[metric, second] - report.scores[metric, first]
    known = np.sort(differences[np.isfinite(differences)]).tolist()
    curve = Curve(
        name=f"{second} less {first}",
        points=[(float(place), value) for place, value in enumerate(known, start=1)],
        marked=False,
    )
    title = f"{second} less {first} by {metric}, segment by segment, sorted"
    return curve_chart([curve], caption=Caption(title=title), x="segments", y=metric, rule=0.0)


def _errors(report: ReportedSystems) -> str:
    groups = [
        RowGroup(
            system,
            [
                Row(str(kind), [Bar(value=float(counts[kind]), text=str(counts[kind]))])
                for kind in ErrorKind
            ],
        )
        for system, counts in zip(report.systems, report.error_counts, strict=True)
    ]
    caption = Caption(title="Order errors by kind")
    return row_chart(groups, caption=caption, axis="order errors", whole=True)


def _ranks(report: ReportedSystems) -> str:
    by_metric = [report.ranks(metric) for metric in report.metrics]
    ranks = {
        system: [row[place] for row in by_metric] for place, system in enumerate(report.systems)
    }
    caption = Caption(title="Places of systems by metric", notes=["1 is the best."])
    return rank_chart(ranks, caption=caption, columns=list(report.metrics))
