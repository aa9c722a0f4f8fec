"""Scores that are given and not computed, human ratings among them: systems compared by them. [FRS]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.registry import split_specification
from kilter.core.settings import checked
from kilter.io.score_file import (
    WHOLE,
    Ratings,
    ScoreRow,
    read_ratings,
    score_matrix,
    statistic_rows,
    without_gaps,
)
from kilter.io.stream import ByteSource
from kilter.io.table import LARGEST
from kilter.metrics.metric import MeanMetric
from kilter.metrics.registry import METRICS, metric, metric_class
from kilter.results.comparison import Comparison, SignificanceTest
from kilter.run.scoring.corpus import system_name
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, evidence_note, resample_note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.metrics.metric import Metric

MEAN = "mean({})"
"""How the mean of segment scores is called where that is not the corpus score of its metric."""


@dataclass(frozen=True, kw_only=True)
class GivenScore:
    """What is known of scores that somebody else made: a system has the mean of its segments."""

    name: str
    higher_is_better: bool = True
    range: tuple[float, float] = (-inf, inf)
    purpose: str = ""

    def specification(self) -> str:
        """Return what the scores are called."""
        return self.name

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return total / count, not a number where nothing was scored."""
        return np.asarray(sums[..., 0] / sums[..., 1])


def own_metric(name: str) -> Metric | None:
    """Return the metric of this name that Kilter has, in whatever configuration; None if it has none.

    Files that it was computed with are not looked for: its scores are there, and they may be elsewhere.
    """
    for specification in (name, name.rpartition("@")[0]):
        try:
            return metric(_placeless(specification))
        except OptionError:
            continue
    return None


def _placeless(specification: str) -> str:
    """Return a specification without options that say where files are."""
    name, options = split_specification(specification, METRICS.noun)
    places = metric_class(name).places
    kept = ",".join(f"{key}={value}" for key, value in options.items() if key not in places)
    return ":".join(filter(None, [name, kept]))


def external_name(name: str, rows: Sequence[ScoreRow]) -> str:
    """Return what scores of a file are called: the mean of segments is not what some metrics say of systems."""
    made = own_metric(name)
    exact = made is None or isinstance(made, MeanMetric) or rows[0].statistics is not None
    return name if exact or any(row.segment == WHOLE for row in rows) else MEAN.format(name)


def mean_notes(names: Sequence[str]) -> list[str]:
    """Return which system scores are means that their metric does not take, and what would be exact."""
    before, behind = MEAN.split("{}")
    means = [
        name.removeprefix(before).removesuffix(behind) for name in names if name.startswith(before)
    ]
    if not means:
        return []
    whose = "its" if len(means) == 1 else "their"
    fault = f"system scores are means of segment scores, which is not {whose} corpus score"
    remedy = "files that kilter score --segments FILE --statistics writes are exact"
    return [f"{', '.join(means)}: {fault}; {remedy}"]


@checked
def compare_scores(
    scores: str | Mapping[str, Sequence[float | None]],
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest] = tuple(SignificanceTest),
    marks: MarkRule = MarkRule.CORRECTED,
    lower_is_better: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> Comparison:
    """Return means, intervals and paired tests of given scores, as `compare` does of texts.

    `scores` is a file of human ratings or of any scores by system and segment, or the scores of each
    system's segments, None where one is missing. Several ratings of a translation count as their mean;
    segments are resampled. [FRS] tables 1 and 3

    >>> found = compare_scores({"one": [4, 3, 5, 2] * 9, "other": [5, 4, 5, 4] * 9})
    >>> [interval.value for interval in found.metrics[0].intervals]
    [3.5, 4.5]
    >>> str(found.metrics[0].pairs[0].mark)
    '+**'
    """
    files = _of_file(scores) if isinstance(scores, str) else {"score": Ratings(_rows(scores))}
    unknown = [name for name in lower_is_better if name not in files]
    if unknown:
        raise OptionError(
            f"there are no scores of {unknown[0]!r}, for which lower is better; there are scores of: "
            f"{', '.join(files)}"
        )
    where = scores if isinstance(scores, str) else "scores"
    systems = _systems(files, where)
    rows = without_gaps({name: each.rows for name, each in files.items()}, where=where)
    files = {name: each._replace(rows=rows[name]) for name, each in files.items()}
    segments = 1 + max(row.segment for each in rows.values() for row in each)
    drawn = resampling or Resampling()
    measured, notes = [], []
    for name, ratings in files.items():
        falls = name in lower_is_better
        measured.append(_measured(name, ratings, systems, segments, falls=falls, where=where))
        notes += _rating_notes(name, ratings, measured[-1])
    found = compare_measured(
        systems, measured, baseline=baseline, tests=tests, resampling=drawn, marks=marks
    )
    said = [evidence_note(segments), resample_note(drawn.count)]
    means = mean_notes([each.name for each in measured])
    return replace(found, notes=(*found.notes, *(note for note in said if note), *notes, *means))


Scores = str | Sequence[str] | Mapping[str, Mapping[str, Sequence[float | None]]]
"""Files of scores by system and segment, or the scores of each system's segments by what they are called."""


def beside_scores(
    scores: Scores, systems: Sequence[str], segments: int, *, lower_is_better: Sequence[str] = ()
) -> tuple[list[Measured], list[str]]:
    """Return given scores of these systems as metrics beside others, and what is to be said of them.

    Other systems are passed over; one without any score, and a segment that is not there, is an `InputError`.
    """
    if isinstance(scores, Mapping):
        files = {name: ("scores", Ratings(_rows(each))) for name, each in scores.items()}
    else:
        paths = [scores] if isinstance(scores, str) else scores
        files = {}
        for path in paths:
            for name, ratings in _of_file(path).items():
                if name in files:
                    raise InputError(
                        f"has scores of {name}, as {files[name][0]} has; rename one", where=path
                    )
                files[name] = (path, ratings)
    unknown = [name for name in lower_is_better if name not in files]
    if unknown:
        raise OptionError(
            f"there are no scores of {unknown[0]!r}, for which lower is better; there are scores of: "
            f"{', '.join(files)}"
        )
    measured, notes = list[Measured](), list[str]()
    for name, (where, ratings) in files.items():
        if any(row.segment == WHOLE for row in ratings.rows):
            raise InputError("holds scores of whole systems; give those of segments", where=where)
        falls = name in lower_is_better
        found = _measured(name, ratings, systems, segments, falls=falls, where=where)
        matrix = score_matrix(ratings.rows, systems, segments, where=where)
        measured.append(replace(found, scores=[*matrix]))
        notes += _rating_notes(name, ratings, found)
    return measured, [*notes, *mean_notes([each.name for each in measured])]


def _of_file(path: str) -> dict[str, Ratings]:
    return read_ratings(ByteSource(path), name=Path(path).name.partition(".")[0])


def _rows(scores: Mapping[str, Sequence[float | None]]) -> list[ScoreRow]:
    if not scores or not all(map(len, scores.values())):
        raise InputError("hold no score of a system; give each its segments'", where="scores")
    for system in scores:
        system_name(system, where="scores")
    counts = {system: len(values) for system, values in scores.items()}
    first, count = next(iter(counts.items()))
    for system, other in counts.items():
        if other != count:
            raise InputError(
                f"{system} has {counted(other, 'segment')}, {first} {count}; give None where a score is missing",
                where="scores",
            )
    for system, values in scores.items():
        for segment, value in enumerate(values):
            if value is not None and abs(value) > LARGEST:
                raise InputError(
                    f"score is {float(value):g}; it must lie between -{LARGEST:g} and {LARGEST:g}",
                    where=f"scores: {system}, segment {segment + 1}",
                )
    return [
        ScoreRow(system, segment, None if value is None else float(value), 0)
        for system, values in scores.items()
        for segment, value in enumerate(values)
    ]


def _systems(files: Mapping[str, Ratings], where: str) -> list[str]:
    if any(row.segment == WHOLE for each in files.values() for row in each.rows):
        raise InputError(
            "holds scores of whole systems, which cannot be compared; give those of segments",
            where=where,
        )
    systems = list(dict.fromkeys(row.system for each in files.values() for row in each.rows))
    if len(systems) < 2:
        raise InputError("scores one system; a comparison needs two or more", where=where)
    return systems


def _measured(
    name: str, ratings: Ratings, systems: Sequence[str], segments: int, *, falls: bool, where: str
) -> Measured:
    """Return given scores as what resampling needs; those of a metric with statistics are its own."""
    matrix = score_matrix(ratings.rows, systems, segments, where=where)
    made = own_metric(name)
    if made is not None and ratings.rows[0].statistics is not None:
        given = statistic_rows(ratings.rows, systems, segments, where=where)
        return of_statistics(name, made, given.statistics, given.configurations, where)
    known = ~np.isnan(matrix)
    called = external_name(name, ratings.rows)
    lower = falls or (made is not None and not made.higher_is_better)
    rows = np.stack([np.where(known, matrix, 0.0), known.astype(np.float64)], axis=-1)
    raters = f"|raters:{ratings.raters}" if ratings.raters else ""
    return Measured(
        metric=GivenScore(name=called, higher_is_better=not lower),
        statistics=[*rows],
        signature=f"{called}|external{raters}" + ("|better:lower" if lower else ""),
    )


def of_statistics(
    name: str, made: Metric, statistics: NDArray[np.float64], configurations: int, where: str
) -> Measured:
    """Return a metric as it would be from texts: its system scores are those of the statistics."""
    configuration = _configuration(name, made)
    measured = Measured(
        metric=made,
        statistics=[*statistics],
        signature=f"{name}|external|system:statistics",
        configurations=configurations,
        configuration=configuration,
        called=name.removesuffix(f"@{configuration}") if configuration else name,
    )
    try:
        measured.corpus_score(statistics[:, :1].sum(axis=1))
    except (IndexError, ValueError):
        raise InputError(f"holds statistics that are not those of {name}", where=where) from None
    return measured


def _configuration(name: str, made: Metric) -> str:
    """Return what stands behind the metric in a name; files of options are not part of the metric."""
    before = f"{made.specification()}@"
    return name.removeprefix(before) if name.startswith(before) else name.partition("@")[2]


def _rating_notes(name: str, ratings: Ratings, measured: Measured) -> list[str]:
    notes = []
    if ratings.raters:
        each = counted(ratings.most, "rating")
        if ratings.fewest < ratings.most:
            each = f"{ratings.fewest} to {each}"
        people = counted(ratings.raters, "rater")
        notes.append(f"{name}: {people}; a translation has the mean of {each}")
    if isinstance(measured.metric, GivenScore):
        missing = np.stack([rows[:, 1] == 0 for rows in measured.statistics])
        if (missing != missing[:1]).any():
            lacking = missing.sum(axis=1)
            notes.append(
                f"{name}: systems lack scores of different segments, {lacking.min()} to {lacking.max()} of "
                f"{missing.shape[1]}; their means are not of the same"
            )
    return notes
