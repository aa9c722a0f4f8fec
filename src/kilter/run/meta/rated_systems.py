"""Ratings of several systems' translations, and scores against them: what `kilter preorder ratings` computes.

[FRS] tables 1, 3, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.estimate import Estimate
from kilter.core.judgments import JudgedScores, Judgments
from kilter.core.settings import checked
from kilter.io.judgments.segment_scores import mean_scores
from kilter.io.score_file import WHOLE, read_rater_scores
from kilter.io.stream import ByteSource, is_folder
from kilter.results.comparison import SignificanceTest
from kilter.results.meta_result import RATING_MEASURES, SYSTEM_LEVEL
from kilter.results.rated_systems import (
    MetricDifference,
    RatedMetric,
    RatedSystem,
    RatedSystems,
    RaterAgreement,
    RaterSummary,
)
from kilter.results.score_result import ScoreResult
from kilter.run.meta.agreement import JudgedMetrics
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_metrics import scored_files
from kilter.run.meta.metric_test import compare_metrics
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.run.scoring.given_score import compare_scores
from kilter.run.scoring.settings import Settings
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha, pearson
from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums
from kilter.stats.significance import LEAST_SEGMENTS, decision_note, holm, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from kilter.io.score_file import ScoreRow
    from kilter.results.comparison import Comparison
    from kilter.results.meta_result import Agreement, AgreementMeasure

    Floats = NDArray[np.float64]

_MOST_LEVELS = 1000
"""Different ratings beyond which the order of all pairs of them takes too much room."""
_LEAST_SHARED = 3
"""Translations that two sides must have rated: two points always lie on a line."""
_ROUNDING = 1e-9
_NOBODY_TWICE = "no translation has two ratings"
_NO_SPREAD = "all ratings are the same"


class _AgreementSum(IntEnum):
    """What adds up over segments; ratings, their sum and squares are of translations with several."""

    RATINGS = 0
    SUM = 1
    SQUARES = 2
    DISAGREEMENT = 3
    PAIRS = 4
    EXACT = 5
    NEAR = 6
    DISTANCE = 7


class Rating(NamedTuple):
    """A rating that was given: system and segment by number, rater by name."""

    system: int
    segment: int
    rater: str
    score: float


def rater_agreement(
    ratings: Sequence[Rating], segments: int, *, resampling: Resampling | None = None
) -> RaterAgreement:
    """Return how far ratings of one translation agree; segments are drawn for the intervals."""
    shared = [each for each in _by_translation(ratings).values() if len(each) > 1]
    if not shared:
        nothing = Estimate(None, reason=_NOBODY_TWICE)
        return RaterAgreement(
            translations=0,
            pairs=0,
            alpha=nothing,
            ordinal=nothing,
            exact=nothing,
            near=nothing,
            distance=nothing,
        )
    drawn = resampling or Resampling()
    middle = float(np.median([each.score for each in ratings]))
    rows = np.zeros((segments, len(_AgreementSum)))
    for unit in shared:
        rows[unit[0].segment] += _statistics(np.array([each.score - middle for each in unit]))
    totals = column_sums(rows)
    resampled = bootstrap_sums(rows[np.newaxis], drawn).resampled()[0]
    if len({unit[0].segment for unit in shared}) < LEAST_SEGMENTS:
        resampled = np.full(resampled.shape, np.nan)

    def estimate(formula: Callable[[Floats], Floats]) -> Estimate:
        value = float(formula(totals))
        if np.isnan(value):
            return Estimate(None, reason=_NO_SPREAD)
        ends = percentile_intervals(formula(resampled)[np.newaxis], level=drawn.level)[0]
        low, high = (None if np.isnan(end) else float(end) for end in ends)
        return Estimate(value, low, high)

    return RaterAgreement(
        translations=len(shared),
        pairs=int(totals[_AgreementSum.PAIRS]),
        alpha=estimate(_alpha),
        ordinal=_ordinal(shared),
        exact=estimate(lambda sums: _share(sums, _AgreementSum.EXACT)),
        near=estimate(lambda sums: _share(sums, _AgreementSum.NEAR)),
        distance=estimate(lambda sums: _share(sums, _AgreementSum.DISTANCE)),
    )


def _by_translation(ratings: Iterable[Rating]) -> dict[tuple[int, int], list[Rating]]:
    found: dict[tuple[int, int], list[Rating]] = {}
    for each in ratings:
        found.setdefault((each.system, each.segment), []).append(each)
    return found


def _statistics(scores: Floats) -> Floats:
    """Return what the ratings of one translation add to the columns."""
    count = len(scores)
    apart = np.abs(scores[:, np.newaxis] - scores)[np.triu_indices(count, k=1)]
    row = np.zeros(len(_AgreementSum))
    row[_AgreementSum.RATINGS] = count
    row[_AgreementSum.SUM] = scores.sum()
    row[_AgreementSum.SQUARES] = (scores**2).sum()
    # Both orders of each pair, as the matrix of coincidences counts them.
    row[_AgreementSum.DISAGREEMENT] = 2.0 * float((apart**2).sum()) / (count - 1)
    row[_AgreementSum.PAIRS] = len(apart)
    row[_AgreementSum.EXACT] = np.count_nonzero(apart == 0.0)
    row[_AgreementSum.NEAR] = np.count_nonzero(apart <= 1.0 + _ROUNDING)
    row[_AgreementSum.DISTANCE] = apart.sum()
    return row


def _alpha(sums: Floats) -> Floats:
    """Return 1 - observed / expected squared difference, NaN where there is none to expect."""
    count, total, squares = (
        sums[..., column]
        for column in (_AgreementSum.RATINGS, _AgreementSum.SUM, _AgreementSum.SQUARES)
    )
    expected = 2.0 * (count * squares - total**2)
    flat = (expected <= _ROUNDING * count * squares) | (count < 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = 1.0 - (count - 1.0) * sums[..., _AgreementSum.DISAGREEMENT] / expected
    return np.where(flat, np.nan, alpha)


def _share(sums: Floats, column: _AgreementSum) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., column] / sums[..., _AgreementSum.PAIRS])


def _ordinal(shared: Sequence[Sequence[Rating]]) -> Estimate:
    """Return alpha for the order of ratings; of so many resamples it would take too long."""
    levels = {
        score: place
        for place, score in enumerate(sorted({r.score for unit in shared for r in unit}))
    }
    if len(levels) > _MOST_LEVELS:
        return Estimate(None, reason=f"there are more than {_MOST_LEVELS} different ratings")
    units = [[levels[each.score] for each in unit] for unit in shared]
    found = krippendorff_alpha(units, values=range(len(levels)), scale=ScaleLevel.ORDINAL)
    return Estimate(found, reason=_NO_SPREAD if found is None else "")


def rater_summaries(ratings: Sequence[Rating]) -> list[RaterSummary]:
    """Return each rater in the order of their first rating."""
    translations = _by_translation(ratings)
    rated = len({each.segment for each in ratings})
    names = list(dict.fromkeys(each.rater for each in ratings))
    return [
        _summary(name, [each for each in ratings if each.rater == name], translations, rated)
        for name in names
    ]


def _summary(
    name: str,
    own: Sequence[Rating],
    translations: Mapping[tuple[int, int], Sequence[Rating]],
    rated: int,
) -> RaterSummary:
    mine, others = [], []
    for each in own:
        beside = [
            other.score
            for other in translations[each.system, each.segment]
            if other.rater != each.rater
        ]
        if beside:
            mine.append(each.score)
            others.append(fsum(beside) / len(beside))
    segments = len({each.segment for each in own})
    return RaterSummary(
        name=name,
        ratings=len(own),
        segments=segments,
        share=segments / rated,
        mean=fsum(each.score for each in own) / len(own),
        correlation=_correlation(mine, others),
    )


def _correlation(mine: Sequence[float], others: Sequence[float]) -> Estimate:
    if len(mine) < _LEAST_SHARED:
        return Estimate(
            None, reason=f"fewer than {_LEAST_SHARED} translations that others rated too"
        )
    value = float(pearson(np.array(mine), np.array(others)))
    return (
        Estimate(None, reason="a side gives the same rating to all")
        if np.isnan(value)
        else Estimate(value)
    )


_LEAST_SYSTEMS = 3
_TABLES = "ratings_*.csv"
"""What an export of a survey calls its tables of ratings."""


@checked
def rated_systems(
    ratings: str,
    *,
    orders: Mapping[str, ScoreResult] | None = None,
    scores: Mapping[str, str] | None = None,
    lower_is_better: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> RatedSystems:
    """Return what ratings say of systems, how far raters agree, and how scores correlate with ratings.

    `ratings` is a table of system, segment, rater and rating, or the folder of a survey's export. `orders` are
    scores of the systems' reordered sources, by the name of the references that they were scored against, and
    `scores` files of any segment scores by the name of their metric.
    """
    path = rating_path(ratings)
    given = read_rater_scores(ByteSource(path))
    systems, segments, judged = _judged(given, path)
    drawn = resampling or Resampling()
    inputs = EvaluationInputs(
        ratings=path,
        scores=scores or {},
        lower_is_better=tuple(lower_is_better),
        settings=Settings(metrics=()),
    )
    of_files, notes = scored_files(inputs, systems, segments)
    metrics = [*_of_orders(orders or {}, systems, segments), *of_files]
    _refuse_twice(metrics, path)
    # One number for all tables: as many as the larger family of tests takes.
    several = max(len(systems), len(metrics))
    drawn = drawn.for_comparisons(several * (several - 1) // 2)
    judged, metrics = _on_rated_segments(judged, metrics)
    notes = [*notes, *_unscored_notes(judged, metrics)]
    few = decision_note(len(metrics) * (len(metrics) - 1) // 2, drawn.count)
    notes += [f"metrics: {few}"] if few else []
    segments = 1 + max(each.segment for each in judged)
    matrix = _means(judged).matrix(len(systems), segments)
    comparison = _compared(systems, matrix, drawn)
    correlated, differences = _correlated(
        _judgments(path, systems, judged, given), metrics, segments, drawn
    )
    return RatedSystems(
        source=path,
        comparison=comparison,
        systems=[
            RatedSystem(
                name=name,
                translations=int(np.count_nonzero(~np.isnan(matrix[place]))),
                ratings=sum(each.system == place for each in judged),
                scores={metric.name: _number(metric.system_scores()[place]) for metric in metrics},
            )
            for place, name in enumerate(systems)
        ],
        raters=rater_summaries(judged) if given[0].rater else [],
        agreement=rater_agreement(judged, segments, resampling=drawn),
        metrics=correlated,
        differences=differences,
        notes=(
            *comparison.notes,
            *_missing_notes(given),
            *_unrated_notes(orders or {}, systems),
            *notes,
        ),
    )


def rating_path(path: str) -> str:
    """Return the table of ratings that is meant: a file, or the one in the folder of a survey's export."""
    if not is_folder(path):
        return path
    found = sorted(each.name for each in Path(path).glob(_TABLES))
    if len(found) == 1:
        return str(Path(path) / found[0])
    if found:
        raise InputError(
            f"holds several tables of ratings: {', '.join(found)}; name one of these files",
            where=path,
        )
    raise InputError(
        f"holds no table of ratings ({_TABLES}); export them with 'kilter survey export STUDY --ratings'",
        where=path,
    )


def _judged(given: Sequence[ScoreRow], where: str) -> tuple[list[str], int, list[Rating]]:
    """Return the systems in their order, how many segments there are, and what was rated."""
    for each in given:
        if each.segment == WHOLE:
            raise InputError(
                "holds scores of whole systems; give ratings of segments",
                where=f"{where}:{each.line}",
            )
    systems = list(dict.fromkeys(each.system for each in given))
    if len(systems) < 2:
        raise InputError(
            f"rates one system, {systems[0]}; ratings are compared between two or more", where=where
        )
    places = {name: place for place, name in enumerate(systems)}
    known = [
        Rating(places[each.system], each.segment, each.rater, each.score)
        for each in given
        if each.score is not None
    ]
    silent = [name for name in systems if places[name] not in {each.system for each in known}]
    if silent:
        line = next(each.line for each in given if each.system == silent[0])
        raise InputError(
            f"every rating of {silent[0]} is missing; leave its rows out", where=f"{where}:{line}"
        )
    return systems, 1 + max(each.segment for each in given), known


def _on_rated_segments(
    judged: Sequence[Rating], metrics: Sequence[ScoredMetric]
) -> tuple[list[Rating], list[ScoredMetric]]:
    """Return ratings and scores of the segments that somebody rated; what nobody rated is no evidence."""
    rated = sorted({each.segment for each in judged})
    places = {segment: place for place, segment in enumerate(rated)}
    return (
        [each._replace(segment=places[each.segment]) for each in judged],
        [
            replace(each, scores=each.scores[:, rated], statistics=each.statistics[:, rated])
            for each in metrics
        ],
    )


def _means(judged: Sequence[Rating]) -> JudgedScores:
    return mean_scores(
        np.array([each.segment for each in judged], dtype=np.int64),
        np.array([each.system for each in judged], dtype=np.int64),
        np.array([each.score for each in judged], dtype=np.float64),
        np.zeros(len(judged), dtype=np.int64),
    )


def _judgments(
    path: str, systems: Sequence[str], judged: Sequence[Rating], given: Sequence[ScoreRow]
) -> Judgments:
    return Judgments(
        source=path,
        systems=tuple(systems),
        scores=_means(judged),
        counts={"rows": len(given), "scores": len(judged)},
    )


def _compared(systems: Sequence[str], matrix: NDArray[np.float64], drawn: Resampling) -> Comparison:
    rows = {
        name: [_number(value) for value in row] for name, row in zip(systems, matrix, strict=True)
    }
    found = compare_scores(
        rows, tests=[SignificanceTest.BOOTSTRAP, SignificanceTest.PERMUTATION], resampling=drawn
    )
    (metric,) = found.metrics
    renamed = replace(found, metrics=(replace(metric, name="rating", signature="rating|external"),))
    others = [note for note in found.notes if note not in found.common_notes]
    return replace(
        renamed,
        notes=(*renamed.common_notes, *(note.removeprefix("score: ") for note in others)),
    )


def _of_orders(
    orders: Mapping[str, ScoreResult], systems: Sequence[str], segments: int
) -> list[ScoredMetric]:
    """Return what was measured of the systems' orders, one metric for each kind of references."""
    found = []
    for reference, result in orders.items():
        _check_orders(result, systems, segments, reference)
        for name, facts in result.metrics.items():
            rows = np.stack([result.segment_arrays[name, system][:segments] for system in systems])
            made = ScoredMetric.external(f"{name}@{reference}" if len(orders) > 1 else name, rows)
            found.append(replace(made, signature=facts.signature))
    return found


def _unrated_notes(orders: Mapping[str, ScoreResult], systems: Sequence[str]) -> list[str]:
    """Say which systems have orders and no rating: nothing is said of them."""
    unrated = dict.fromkeys(name for found in orders.values() for name in found.systems)
    left = [name for name in unrated if name not in systems]
    return [f"nobody rated {', '.join(left)}, whose orders are left out"] if left else []


def _unscored_notes(judged: Sequence[Rating], metrics: Sequence[ScoredMetric]) -> list[str]:
    """Say of which metrics rated translations have no score: correlations leave these out."""
    rated = sorted({(each.system, each.segment) for each in judged})
    systems, segments = np.array(rated).T
    missing = [int(np.isnan(each.scores[systems, segments]).sum()) for each in metrics]
    return [
        f"{metric.name}: {counted(count, 'rated translation')} of {len(rated)} {'has' if count == 1 else 'have'} "
        "no score and count for nothing in correlations"
        for metric, count in zip(metrics, missing, strict=True)
        if count
    ]


def _check_orders(
    result: ScoreResult, systems: Sequence[str], segments: int, reference: str
) -> None:
    absent = [name for name in systems if name not in result.systems]
    if absent:
        raise InputError(
            f"there is no order of {absent[0]}, which was rated; there are orders of "
            f"{', '.join(result.systems)}: files are called as their systems",
            where=reference,
        )
    if result.count < segments:
        raise InputError(
            f"segment {segments} was rated, but there {'is' if result.count == 1 else 'are'} "
            f"{counted(result.count, 'sentence')}; ratings count lines of the same text from 1",
            where=reference,
        )


def _refuse_twice(metrics: Sequence[ScoredMetric], where: str) -> None:
    names = [metric.name for metric in metrics]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"there are two kinds of scores called {name}; leave one of them out", where=where
            )


def _correlated(
    judgments: Judgments, metrics: Sequence[ScoredMetric], segments: int, drawn: Resampling
) -> tuple[list[RatedMetric], list[MetricDifference]]:
    if not metrics:
        return [], []
    judged = JudgedMetrics(
        judgments=judgments, segments=segments, metrics=tuple(metrics), resampling=drawn
    )
    few = len(judgments.systems) < _LEAST_SYSTEMS
    measures = [each for each in RATING_MEASURES if not (few and each in SYSTEM_LEVEL)]
    found = {measure: judged.agreement(measure) for measure in measures}
    correlated = [
        _rated_metric(metric, {measure: rows[place] for measure, rows in found.items()})
        for place, metric in enumerate(metrics)
    ]
    differences = []
    for measure in measures:
        pairs = compare_metrics(judged, measure)
        corrected = holm([pair.p for pair in pairs])
        differences += [
            MetricDifference(measure=measure, pair=pair, holm=p)
            for pair, p in zip(pairs, corrected, strict=True)
        ]
    return correlated, differences


def _rated_metric(metric: ScoredMetric, found: Mapping[AgreementMeasure, Agreement]) -> RatedMetric:
    reasons = {
        measure: "fewer than three systems: two points always lie on a line"
        for measure in RATING_MEASURES
        if measure not in found
    }
    reasons |= {
        measure: "the scores or the ratings are all the same, or too few"
        for measure, each in found.items()
        if each.value is None
    }
    return RatedMetric(
        name=metric.name, signature=metric.signature, correlations=found, reasons=reasons
    )


def _missing_notes(given: Sequence[ScoreRow]) -> list[str]:
    missing = sum(each.score is None for each in given)
    return [f"{counted(missing, 'rating')} missing of {len(given)}"] if missing else []


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
