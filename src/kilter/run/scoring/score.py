"""Scores of systems: measured, and resampled for their intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from kilter.core.settings import taken, takes
from kilter.results.comparison import missing_note
from kilter.results.score_result import ByMetric, MetricScore, ScoreResult
from kilter.run.scoring.corpus import Texts, texts_from_api
from kilter.run.scoring.difference_parts import corpus_parts
from kilter.run.scoring.links import GivenLinks, Links
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.resampled import resample
from kilter.run.scoring.saved import scored_texts
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.text_note import transposition_note
from kilter.run.scoring.trees import Trees
from kilter.stats.significance import resample_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.measurement import Measurement

    Floats = NDArray[np.float64]


@takes(Settings)
def score(
    hypotheses: object,
    references: object,
    *,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    settings: Settings | None = None,
    **keywords: object,
) -> ScoreResult:
    """Return the scores of one system (a list of strings) or several (a mapping of such lists).

    `references` holds one string, or a list of strings, per hypothesis; where the words say that it is
    the other way round, `notes` of the result say so. `links` of one system and one reference may be given
    as `align` returns them. The options are those of `Settings`.

    >>> result = score(["the mat sat on the cat"], ["the cat sat on the mat"], metrics=["kendall"])
    >>> f"{result.system['kendall'].score:.4f}"
    '0.2000'
    """
    options = taken(Settings, settings, keywords)
    chosen = options
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    result = score_texts(texts, chosen)
    note = transposition_note(texts)
    return replace(result, notes=(note, *result.notes)) if note else result


def score_texts(
    texts: Texts, settings: Settings, *, progress: Callable[[int, int], None] | None = None
) -> ScoreResult:
    """Return the scores of texts that are already read; see `score`."""
    result = summarise(measure(texts, settings, progress=progress), settings)
    return replace(result, texts=scored_texts(texts, settings))


def summarise(
    measurement: Measurement,
    settings: Settings,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreResult:
    """Return the scores of what was measured, with their intervals.

    `progress` is called with (done, total) of the segments that intervals are drawn from.
    """
    systems = {name: ByMetric[MetricScore]() for name in measurement.systems}
    resampled = resample(measurement.measured, settings.resampling, progress)
    for entry, own in zip(measurement.measured, resampled, strict=True):
        scored = metric_scores(entry, own.intervals(), segments=measurement.segments)
        for name, each in zip(measurement.systems, scored, strict=True):
            systems[name][entry.name] = each
    return ScoreResult(
        systems=systems,
        metrics=ByMetric((entry.name, entry.facts()) for entry in measurement.measured),
        count=measurement.segments,
        seed=settings.resampling.seed,
        segment_arrays=_by_system(measurement, "scores"),
        margin_arrays=_by_system(measurement, "margins"),
        statistic_arrays=_by_system(measurement, "statistics"),
        part_arrays={
            (entry.name, system): parts
            for entry in measurement.measured
            for system, parts in zip(measurement.systems, entry.parts, strict=False)
        },
        notes=(
            *measurement.notes,
            *zero_notes(measurement),
            *missing_notes(systems),
            *resampling_notes(settings),
        ),
    )


def _by_system(measurement: Measurement, kind: str) -> dict[tuple[str, str], Floats]:
    """Return numbers of all segments by metric and system; those on disk slice as arrays do."""
    found = {
        (entry.name, system): rows
        for entry in measurement.measured
        for system, rows in zip(measurement.systems, getattr(entry, kind) or (), strict=False)
    }
    return cast("dict[tuple[str, str], Floats]", found)


def resampling_notes(settings: Settings) -> list[str]:
    """Return what is to be said of intervals."""
    alone = resample_note(settings.resampling.count)
    return [alone] if alone else []


def metric_scores(
    entry: Measured, intervals: Sequence[Estimate], *, segments: int
) -> Iterator[MetricScore]:
    """Yield the score of each system by a metric, with the parts that it is made of."""
    listed = [corpus_parts(each) for each in entry.parts] or [{} for _ in intervals]
    added = all(part.added for each in entry.parts for part in each)
    for interval, own in zip(intervals, listed, strict=True):
        yield MetricScore(
            value=interval.value,
            low=interval.low,
            high=interval.high,
            segments=segments,
            signature=entry.signature,
            parts=own,
            parts_add_up=bool(own) and added,
            reason=interval.reason,
        )


def zero_notes(measurement: Measurement) -> list[str]:
    """Return which systems score 0 for want of something that a score needs."""
    return [
        note for entry in measurement.measured for note in entry.zero_notes(measurement.systems)
    ]


def missing_notes(systems: Mapping[str, ByMetric[MetricScore]]) -> list[str]:
    """Return why scores or intervals are missing, a note for each system and metric."""
    return [
        missing_note(system, metric, scored)
        for system, scores in systems.items()
        for metric, scored in scores.items()
        if scored.reason
    ]
