"""Judgments of a language pair matched with the scores that metrics give to the same systems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.agreement.scored_metric import ScoredMetric
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.score_file import WHOLE, read_metric_scores, score_matrix
from kilter.formats.stream import ByteSource
from kilter.metrics.registry import metric
from kilter.pipeline.agreement.evaluation_inputs import JudgmentPolicy
from kilter.pipeline.agreement.matched_texts import (
    judged_systems,
    known_judgments,
    match_texts,
    of_judged_systems,
)
from kilter.pipeline.scoring.measurement import Measurement, measure
from kilter.pipeline.scoring.metric_choice import MetricChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kilter.formats.score_file import ScoreRow
    from kilter.metrics.metric import Metric
    from kilter.pipeline.agreement.evaluation_inputs import EvaluationInputs
    from kilter.pipeline.scoring.significance import Measured
    from kilter.structures.judgment.judgments import Judgments


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
    controls: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> MatchedMetrics:
    """Return what is compared: the metrics of the settings, and those that files hold scores of."""
    chosen = policy or JudgmentPolicy()
    files = _score_files(inputs)
    specifications = inputs.settings.specifications
    if not specifications and not files:
        raise OptionError("there is no metric; name one, or give a file of scores")
    if not specifications:
        return _from_scores(inputs, files, chosen)
    matched = match_texts(inputs, chosen)
    texts, judgments = matched.texts, matched.judgments
    wanted = MetricChoice.of(texts, inputs.settings).metrics
    names = _with_controls(wanted) if controls else dict.fromkeys(wanted)
    measurement = measure(texts, replace(inputs.settings, metrics=tuple(names)), progress=progress)
    segments = measurement.segments
    metrics = [
        _scored(measurement, each, _control(measurement, each, names))
        for each in measurement.measured
    ]
    metrics += _external(inputs, files, judgments.systems, segments)
    return MatchedMetrics(
        judgments=judgments,
        segments=segments,
        metrics=tuple(metrics),
        notes=(*measurement.notes, *_passed_over(files, judgments.systems)),
    )


def _with_controls(wanted: Mapping[str, Metric]) -> dict[str, str | None]:
    """Return the names of metrics, each followed by its control, with the control of each."""
    names: dict[str, str | None] = {}
    for name, made in wanted.items():
        control = made.control()
        names[name] = None if control is None else control.specification()
        if control is not None:
            names.setdefault(control.specification(), None)
    return names


def _control(
    measurement: Measurement, measured: Measured, controls: Mapping[str, str | None]
) -> str | None:
    """Return the control of a metric, in the same configuration if it has one."""
    control = controls[measured.metric.specification()]
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
                f"there are no scores of {name!r}, of which less is to be better; there are scores of: "
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
        found.append(
            ScoredMetric.external(
                name,
                matrix,
                systems=score_matrix(whole, systems, 1, where=where)[:, 0] if whole else None,
                lower_is_better=name in inputs.lower_is_better or _falls(name),
            )
        )
    return found


def _falls(name: str) -> bool:
    """Return whether less is better of a metric that Kilter has, such as ter."""
    try:
        return not metric(name).higher_is_better
    except OptionError:
        return False


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


def _from_scores(inputs: EvaluationInputs, files: _Files, policy: JudgmentPolicy) -> MatchedMetrics:
    """Return what score files alone hold: systems and segments are those that they name."""
    systems = list(dict.fromkeys(row.system for _, rows in files.values() for row in rows))
    segments = 1 + max(row.segment for _, rows in files.values() for row in rows)
    if not segments:
        raise InputError(
            "holds scores of whole systems alone; give scores of segments beside it, or the texts",
            where=next(iter(files.values()))[0],
        )
    judgments = known_judgments(inputs, dict.fromkeys(systems, ()), segments, policy)
    names = judged_systems(judgments)
    judgments = of_judged_systems(judgments, names)
    return MatchedMetrics(
        judgments=judgments,
        segments=segments,
        metrics=tuple(_external(inputs, files, names, segments)),
    )
