"""Options of a metric that agree best with people: what `kilter tune` computes. Section 7.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.judgments import TIE
from kilter.core.settings import checked
from kilter.metrics.registry import is_group
from kilter.results.tune_result import CurvePoint, TunedMetrics, TuneFold, TuneResult
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_texts import match_texts
from kilter.run.meta.note import left_out
from kilter.run.meta.option_search import (
    OptionSearch,
    TuneSettings,
    has_option,
    known,
    tuned_option,
)
from kilter.run.meta.tuning import Objective, folds, grid_points
from kilter.run.scoring.metric_choice import MetricChoice
from kilter.run.scoring.run import Run, effect_notes
from kilter.run.scoring.text_note import run_language_notes
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.judgments import JudgedPairs
    from kilter.metrics.metric import Metric
    from kilter.results.tune_result import TunedOption
    from kilter.run.meta.matched_texts import MatchedTexts
    from kilter.run.meta.tuning import Point

    Rows = NDArray[np.bool_]


@checked
def tune(inputs: EvaluationInputs, settings: TuneSettings) -> TuneResult:
    """Return the options of the one metric of the inputs' settings with which it agrees best with people."""
    specifications = inputs.settings.specifications
    if len(specifications) != 1:
        raise OptionError(
            f"tune takes one metric; the settings name {len(specifications)}, which tune_metrics takes"
        )
    (result,) = tune_metrics(inputs, settings).metrics
    return result


@checked
def tune_metrics(inputs: EvaluationInputs, settings: TuneSettings) -> TunedMetrics:
    """Return what `tune` does of every metric of the inputs' settings, along those options that it has."""
    specifications = inputs.settings.specifications
    if not specifications or any(map(is_group, specifications)):
        raise OptionError("name the metrics to tune one by one, not a group such as all")
    matched = match_texts(inputs, settings.policy)
    starts = list(MetricChoice.of(matched.texts, inputs.settings).metrics.values())
    chosen = [_options(start, settings.options, alone=len(starts) == 1) for start in starts]
    for text in settings.options:
        name = text.partition("=")[0]
        if not any(option.name == name for options in chosen for option in options):
            raise OptionError(f"none of the metrics has a numeric option {name!r}")
    run = Run.of(matched.texts, inputs.settings)
    notes = (
        *run_language_notes(run, inputs.settings.language, run.texts.target_texts()),
        *effect_notes(run, inputs.settings),
    )
    return TunedMetrics(
        metrics=tuple(
            _tuned(start, options, matched, run, settings, notes)
            for start, options in zip(starts, chosen, strict=True)
        )
    )


def _options(start: Metric, texts: Sequence[str], *, alone: bool) -> tuple[TunedOption, ...]:
    """Return the options of a metric that are tuned: all that are asked for, or of several metrics its own."""
    own = texts if alone else [text for text in texts if has_option(start, text.partition("=")[0])]
    if not own:
        raise OptionError(
            f"{start.specification()} has no numeric option with an effect among {', '.join(texts)}"
        )
    options = tuple(tuned_option(start, text) for text in own)
    names = [option.name for option in options]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} is to be tuned twice; name it once")
    return options


def _tuned(
    start: Metric,
    options: tuple[TunedOption, ...],
    matched: MatchedTexts,
    run: Run,
    settings: TuneSettings,
    of_run: tuple[str, ...],
) -> TuneResult:
    systems = run.evaluations_for(start)
    search = OptionSearch(start, options, systems, matched.judgments.pairs, settings)
    everything = np.ones(search.segments, dtype=np.bool_)
    best = search.best(everything)
    parts = _cross_validated(search, settings) if settings.folds else []
    training, given = known(search.value(best)), known(search.value(search.start))
    held_out, as_given = search.held_out(parts), search.held_out(parts, tuned=False)
    return TuneResult(
        specification=search.metric(best).specification(),
        signature=run.signature(
            search.metric(best), systems[0][0], run.use(search.metric(best)).configurations
        ),
        systems=len(matched.judgments.systems),
        segments=search.segments,
        start=start.specification(),
        method=settings.method,
        objective=settings.objective,
        seed=settings.seed,
        options=options,
        values=best,
        training=training,
        held_out=held_out,
        start_value=given,
        start_held_out=as_given,
        start_values=search.start,
        folds=tuple(fold for fold, _ in parts),
        curves={
            option.name: _curve(search, best, place, settings.steps)
            for place, option in enumerate(options)
        },
        counts=dict(matched.judgments.counts),
        notes=(
            *of_run,
            *_evidence(matched.judgments.pairs),
            *_undefined(settings, training, [fold for fold, _ in parts]),
            *_worse(search, "in training", training, given),
            *_worse(search, "on held-out segments", held_out, as_given),
            *left_out(matched.judgments.counts),
        ),
    )


def _evidence(pairs: JudgedPairs) -> list[str]:
    note = evidence_note(len(np.unique(pairs.segment)), noun="judged segment")
    return [note] if note else []


def _undefined(
    settings: TuneSettings, training: float | None, parts: Sequence[TuneFold]
) -> list[str]:
    """Return what could not be searched for: without any pair to agree on, options are as good as any."""
    if training is None:
        fault = "people decided no pair, or the metric ties all; options are left as they were"
        return [f"{settings.objective} is undefined everywhere: {fault}"]
    idle = sum(fold.training is None for fold in parts)
    if not idle:
        return []
    fault = f"without {'it' if idle == 1 else 'them'} nothing is left to search on"
    return [f"{idle} of {counted(len(parts), 'fold')} left out of the held-out figure: {fault}"]


def _worse(search: OptionSearch, where: str, tuned: float | None, given: float | None) -> list[str]:
    """Return that what was found agrees less than the options as they were given, if it does."""
    if tuned is None or given is None or tuned >= given:
        return []
    name = search.metric(search.start).specification()
    objective = search.settings.objective
    digits = 2 if objective is Objective.CONSISTENCY else 4
    reason = (
        "" if search.start_in_range else ", whose options lie outside the range that was searched"
    )
    figures = f"{objective} {tuned:.{digits}f} against {given:.{digits}f}"
    return [f"{where} what was found agrees less than {name}{reason}: {figures}"]


def _cross_validated(search: OptionSearch, settings: TuneSettings) -> list[tuple[TuneFold, Rows]]:
    """Return what is found without each fold of segments, and the segments of the fold."""
    which = folds(search.segments, settings.folds, seed=settings.seed)
    held_out_folds = []
    for number in range(settings.folds):
        rows = which == number
        best = search.best(~rows)
        fold = TuneFold(
            values=best,
            training=known(search.value(best, ~rows)),
            held_out=known(search.value(best, rows)),
        )
        held_out_folds.append((fold, rows))
    return held_out_folds


def _curve(search: OptionSearch, best: Point, place: int, steps: int) -> list[CurvePoint]:
    """Return agreement along an option: on the grid, with its value as given, and the best one."""
    bounds, option = [search.bounds[place]], search.options[place]
    points = {
        option.valid(at)
        for value in (search.start[place], best[place])
        for (at,) in grid_points(bounds, steps, start=[value])
    }
    # The grid beside the best value may hold the value as given but for rounding, and beside that the best.
    grid = [
        at for at in sorted(points) if not _beside(at, (search.start[place], best[place]), bounds)
    ]
    return [
        CurvePoint(at, known(search.value((*best[:place], at, *best[place + 1 :])))) for at in grid
    ]


def _beside(at: float, values: Sequence[float], bounds: Sequence[tuple[float, float]]) -> bool:
    """Return whether a point is one of some values but for rounding."""
    ((low, high),) = bounds
    return any(0 < abs(at - value) <= TIE * (high - low) for value in values)
