"""What a reader of agreement should know: rough intervals, undefined values, judgments left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.judgments import rounding
from kilter.io.published import printed_metrics
from kilter.run.meta.pair_count import PairKind
from kilter.stats.significance import FEW_RESAMPLES, evidence_note, resample_note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.results.meta_result import Agreement, AgreementMeasure, PublishedValue
    from kilter.run.meta.agreement import JudgedMetrics
    from kilter.run.meta.matched_metrics import MatchedMetrics

_COARSE = 1e-6
_LEFT_OUT = {
    "unscored": ("judgment left out", "judgments left out", " because a system has no output"),
    "repeated_left_out": ("repeated pair left out", "repeated pairs left out", ""),
    "judged_once_left_out": ("pair left out", "pairs left out", ": judged once"),
    "disagreed_left_out": (
        "judgment left out",
        "judgments left out",
        ": people do not agree on the pair",
    ),
    "missing": ("missing rank or score", "missing ranks or scores", ""),
    "identical_in_task": ("pair of systems judged as one", "pairs of systems judged as one", ""),
    "systems_without_judgment": ("system left out", "systems left out", ": without judgment"),
}


def evidence_notes(judged: JudgedMetrics, matched: MatchedMetrics) -> list[str]:
    """Return how rough intervals are, and what scoring said of anything else."""
    drawn = judged.resampling.count
    few = f"{counted(drawn, 'resample')} are few: intervals and tests"
    notes = [
        evidence_note(judged.judged_segments, noun="judged segment"),
        resample_note(drawn)
        or (f"{few} are rough below {FEW_RESAMPLES}" if drawn < FEW_RESAMPLES else None),
    ]
    # Judged segments are among all: what scoring says of their number is said here.
    said = [note for note in matched.notes if note != evidence_note(matched.segments)]
    return [*(note for note in notes if note), *said]


def undefined_notes(
    names: Sequence[str], agreements: Mapping[AgreementMeasure, Sequence[Agreement]], resamples: int
) -> list[str]:
    """Return which metrics have no value, and how many resamples have none."""
    notes = []
    for measure, rows in agreements.items():
        without = [name for name, row in zip(names, rows, strict=True) if row.value is None]
        if without:
            listed = ", ".join(without)
            notes.append(f"{measure} is undefined for {listed}: all is tied, or nothing is left")
        most = max((row.undefined for row in rows if row.low is not None), default=0)
        if most:
            notes.append(
                f"{measure} is undefined in up to {most} of {counted(resamples, 'resample')}; they are "
                "left out of its intervals"
            )
    return notes


def unscored_notes(judged: JudgedMetrics) -> list[str]:
    """Return of each metric how many pairs have no score, and once of which systems lack different ones."""
    notes = []
    segments = np.unique(judged.judgments.pairs.segment)
    apart: dict[str, NDArray[np.int64]] = {}
    for metric, kinds in zip(judged.metrics, judged.kinds, strict=True):
        left = int(np.count_nonzero(kinds == PairKind.UNSCORED))
        if left:
            notes.append(
                f"{metric.name}: {left} of {counted(len(kinds), 'pair')} left out: a score is missing"
            )
        missing = np.isnan(metric.scores[judged.judged_systems][:, segments])
        if (missing != missing[:1]).any():
            apart[metric.name] = missing.sum(axis=1)
    if apart:
        each = np.concatenate(list(apart.values()))
        notes.append(
            f"{', '.join(apart)}: systems lack scores of different segments, {each.min()} to "
            f"{each.max()} of {len(segments)} judged ones; their system scores are not of the same"
        )
    return notes


def coarse_notes(judged: JudgedMetrics) -> list[str]:
    """Return which scores have one so large that beside it differences of others are rounding."""
    columns = {"human scores": judged.judgments.scores.value}
    columns |= {metric.name: metric.scores for metric in judged.metrics}
    notes = []
    for name, scores in columns.items():
        size = np.abs(scores[~np.isnan(scores) & (scores != 0)])
        if len(size) and rounding(scores) > _COARSE * float(np.median(size)):
            notes.append(
                f"{name}: differences up to {rounding(scores):.2g} are ties, because one score is as "
                f"large as {size.max():.2g}"
            )
    return notes


def left_out(counts: Mapping[str, int]) -> list[str]:
    """Return what of the judgments and systems was not used, a note for each reason."""
    return [
        counted(counts[key], one, plural=several) + reason
        for key, (one, several, reason) in _LEFT_OUT.items()
        if counts.get(key)
    ]


def unprinted_notes(
    data_set: str | None,
    printed: Mapping[str, Mapping[str, PublishedValue]],
    measures: Sequence[AgreementMeasure],
) -> list[str]:
    """Return a note if nothing that is shown is printed about the data set."""
    if data_set is None or any(printed.get(measure) for measure in measures):
        return []
    listed = "; ".join(
        f"{measure} of {', '.join(names)}" for measure, names in printed_metrics(data_set).items()
    )
    return [f"none of this is printed about {data_set}; printed are {listed}"]
