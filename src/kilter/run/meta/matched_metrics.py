"""Judgments of a language pair matched with the scores that metrics give to the same systems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.io.score_file import WHOLE, read_metric_scores, score_matrix, statistic_rows
from kilter.io.stream import ByteSource
from kilter.run.meta.evaluation_inputs import JudgmentPolicy
from kilter.run.meta.matched_texts import (
    judged_systems,
    known_judgments,
    match_texts,
    of_judged_systems,
)
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.run.scoring.given_score import (
    external_name,
    mean_notes,
    of_statistics,
    own_metric,
)
from kilter.run.scoring.measurement import Measurement, measure
from kilter.run.scoring.metric_choice import MetricChoice, metric_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.judgments import Judgments
    from kilter.io.score_file import ScoreRow, StatisticRows
    from kilter.metrics.metric import Metric
    from kilter.run.engine.engine import Engine
    from kilter.run.meta.evaluation_inputs import EvaluationInputs
    from kilter.run.scoring.measured import Measured


_MOST_SEGMENTS = 10_000_000
"""Of files of scores alone, where a number may as well be the name of a segment."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedMetrics:
    """Judgments and the metrics' scores of the same systems and segments."""

    judgments: Judgments = field(repr=False)
    segments: int
    metrics: tuple[ScoredMetric, ...] = field(repr=False)
    notes: tuple[str, ...] = ()


def match_metrics(
    inputs: EvaluationInputs,
    policy: JudgmentPolicy | None = None,
    *,
    shared: bool = False,
    controls: bool = True,
    engine: Engine | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> MatchedMetrics:
    """Return what is compared: the metrics of the settings, and those that files hold scores of.

    An `engine` measures systems apart from one another; without one they are measured here, which is the same.
    A policy that other language pairs share may say something that is nothing to this one.
    """
    chosen = policy or JudgmentPolicy()
    files = _score_files(inputs)
    specifications = inputs.settings.specifications
    if not specifications and not files:
        raise OptionError("there is no metric; name one, or give a file of scores")
    if not specifications:
        return _from_scores(inputs, files, chosen, shared=shared)
    matched = match_texts(inputs, chosen, shared=shared)
    texts, judgments = matched.texts, matched.judgments
    wanted = MetricChoice.of(texts, inputs.settings).metrics
    language = inputs.settings.language
    names = _with_controls(wanted, language) if controls else dict.fromkeys(wanted)
    settings = replace(inputs.settings, metrics=tuple(names))
    measurement = measure(texts, settings, engine=engine, progress=progress)
    segments = measurement.segments
    metrics = [
        _scored(measurement, each, _control(measurement, each, names))
        for each in measurement.measured
    ]
    _refuse_twice(files, {each.name for each in metrics})
    external = _external(inputs, files, judgments.systems, segments)
    return MatchedMetrics(
        judgments=judgments,
        segments=segments,
        metrics=(*metrics, *external),
        notes=(
            *measurement.notes,
            *_passed_over(files, judgments.systems),
            *mean_notes([each.name for each in external]),
        ),
    )


def _refuse_twice(files: _Files, measured: Collection[str]) -> None:
    """Raise an `InputError` for scores of a metric that texts are scored by as well."""
    for name, (where, rows) in files.items():
        if external_name(name, rows) in measured:
            raise InputError(
                f"holds scores of {name}, by which the texts are scored too; leave one of them out",
                where=where,
            )


def _with_controls(wanted: Mapping[str, Metric], language: str | None) -> dict[str, str | None]:
    """Return the names of metrics, each followed by its control, with the control of each."""
    names: dict[str, str | None] = {}
    for name, made in wanted.items():
        control = made.control()
        names[name] = None
        if control is not None:
            beside = metric_name(control, control.specification(), language=language)
            names[name] = beside
            names.setdefault(beside, None)
    return names


def _control(
    measurement: Measurement, measured: Measured, controls: Mapping[str, str | None]
) -> str | None:
    """Return the control of a metric, in the same configuration if it has one."""
    control = controls[measured.asked]
    configured = f"{control}@{measured.configuration}"
    known = {each.name for each in measurement.measured}
    return configured if measured.configuration and configured in known else control


def _scored(measurement: Measurement, measured: Measured, control: str | None) -> ScoredMetric:
    made, name = measured.metric, measured.name
    scores = np.stack([measurement.scores[name, system] for system in measurement.systems])
    sign = 1.0 if made.higher_is_better else -1.0
    return ScoredMetric(
        name=name,
        signature=measured.signature,
        scores=sign * np.where(np.isfinite(scores), scores, np.nan),
        statistics=np.stack(measured.statistics),
        corpus_score=lambda sums: sign * measured.corpus_score(sums),
        control=control,
    )


_Files = dict[str, tuple[str, list["ScoreRow"]]]


def scored_files(
    inputs: EvaluationInputs, systems: Sequence[str], segments: int
) -> tuple[list[ScoredMetric], list[str]]:
    """Return the metrics that files of scores hold of these systems, and what is to be known of them.

    They may have scores of more segments than these; what is behind is left out.
    """
    files = _score_files(inputs)
    last = max((row.segment for _, rows in files.values() for row in rows), default=-1)
    found = [
        replace(each, scores=each.scores[:, :segments], statistics=each.statistics[:, :segments])
        for each in _external(inputs, files, systems, max(segments, last + 1))
    ]
    return found, [*_passed_over(files, systems), *mean_notes([each.name for each in found])]


def _score_files(inputs: EvaluationInputs) -> _Files:
    """Return the rows of every metric of every file, with the file."""
    files: _Files = {}
    for name, path in inputs.scores.items():
        source = ByteSource(path)
        for called, rows in read_metric_scores(source, name=name, pair=inputs.pair).items():
            if called in files and _of_systems(rows) != _of_systems(files[called][1]):
                where, others = files[called]
                files[called] = (where, [*others, *rows])
                continue
            if called in files:
                raise InputError(
                    f"holds scores of {called}, and so does {files[called][0]}", where=source.name
                )
            files[called] = (source.name, rows)
    return files


def _of_systems(rows: Sequence[ScoreRow]) -> bool:
    """Return whether rows score whole systems."""
    return rows[0].segment == WHOLE


def _external(
    inputs: EvaluationInputs, files: _Files, systems: Sequence[str], segments: int
) -> list[ScoredMetric]:
    for name in inputs.lower_is_better:
        if name not in files:
            raise OptionError(
                f"there are no scores of {name!r}, for which lower is better; there are scores of: "
                f"{', '.join(files) or 'nothing'}"
            )
    found = []
    for name, (where, rows) in files.items():
        of_segments = [row for row in rows if row.segment != WHOLE]
        whole = [row._replace(segment=0) for row in rows if row.segment == WHOLE]
        matrix = (
            score_matrix(of_segments, systems, segments, where=where)
            if of_segments
            else np.full((len(systems), segments), np.nan)
        )
        made = own_metric(name)
        if made is not None and not whole and rows[0].statistics is not None:
            given = statistic_rows(of_segments, systems, segments, where=where)
            found.append(_of_statistics(name, made, matrix, given, where))
            continue
        falls = made is not None and not made.higher_is_better
        found.append(
            ScoredMetric.external(
                external_name(name, rows),
                matrix,
                systems=score_matrix(whole, systems, 1, where=where)[:, 0] if whole else None,
                lower_is_better=name in inputs.lower_is_better or falls,
            )
        )
    return found


def _of_statistics(
    name: str, made: Metric, matrix: NDArray[np.float64], given: StatisticRows, where: str
) -> ScoredMetric:
    """Return a metric as it would be from texts: its system scores are those of the statistics."""
    sign = 1.0 if made.higher_is_better else -1.0
    measured = of_statistics(name, made, given.statistics, given.configurations, where)
    return ScoredMetric(
        name=name,
        signature=measured.signature,
        scores=sign * matrix,
        statistics=given.statistics,
        corpus_score=lambda sums: sign * measured.corpus_score(sums),
    )


def _passed_over(files: _Files, systems: Sequence[str]) -> list[str]:
    """Return how many systems of each file nobody judged, or have no output."""
    notes = []
    for where, rows in dict(files.values()).items():
        others = {row.system for row in rows} - set(systems)
        if others:
            notes.append(
                f"{where}: scores of {counted(len(others), 'system')} left out: nobody judged "
                f"{'it' if len(others) == 1 else 'them'}"
            )
    return notes


def _from_scores(
    inputs: EvaluationInputs, files: _Files, policy: JudgmentPolicy, *, shared: bool
) -> MatchedMetrics:
    """Return what score files alone hold: systems and segments are those that they name."""
    systems = list(dict.fromkeys(row.system for _, rows in files.values() for row in rows))
    segments = 1 + max(row.segment for _, rows in files.values() for row in rows)
    if not segments:
        raise InputError(
            "holds scores of whole systems alone; give scores of segments beside it, or the texts",
            where=next(iter(files.values()))[0],
        )
    if segments > _MOST_SEGMENTS:
        where, row = next(
            (name, row)
            for name, rows in files.values()
            for row in rows
            if row.segment >= _MOST_SEGMENTS
        )
        raise InputError(
            f"scores segment {row.segment + 1}; without texts segments are numbered up to {_MOST_SEGMENTS}",
            where=f"{where}:{row.line}",
        )
    judgments = known_judgments(inputs, dict.fromkeys(systems, ()), segments, policy, shared=shared)
    names = judged_systems(judgments)
    judgments = of_judged_systems(judgments, names)
    external = _external(inputs, files, names, segments)
    return MatchedMetrics(
        judgments=judgments,
        segments=segments,
        metrics=tuple(external),
        notes=tuple(mean_notes([each.name for each in external])),
    )
