"""Options of a metric that agree best with people: what `kilter tune` computes. Section 7.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.agreement.tuning import folds, grid_points
from kilter.counted import counted
from kilter.errors import OptionError
from kilter.options.argument import checked
from kilter.pipeline.agreement.evaluation_inputs import EvaluationInputs
from kilter.pipeline.agreement.matched_texts import match_texts
from kilter.pipeline.agreement.note import left_out
from kilter.pipeline.agreement.option_search import OptionSearch, TuneSettings, known
from kilter.pipeline.agreement.tuned_option import tuned_option
from kilter.pipeline.scoring.metric_choice import MetricChoice
from kilter.pipeline.scoring.run import Run
from kilter.statistics.significance import evidence_note
from kilter.structures.result.tune_result import CurvePoint, TuneFold, TuneResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.agreement.tuning import Point
    from kilter.structures.judgment.judgments import JudgedPairs

    Rows = NDArray[np.bool_]


@checked
def tune(inputs: EvaluationInputs, settings: TuneSettings) -> TuneResult:
    """Return the options of the one metric of the inputs' settings with which it agrees best with people."""
    matched = match_texts(inputs, settings.policy)
    specifications = inputs.settings.specifications
    if len(specifications) != 1:
        raise OptionError(f"tune takes one metric; the settings name {len(specifications)}")
    if specifications == ("all",):
        raise OptionError("tune takes one metric, not all")
    (start,) = MetricChoice.of(matched.texts, inputs.settings).metrics.values()
    options = tuple(tuned_option(start, text) for text in settings.options)
    names = [option.name for option in options]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} is to be tuned twice; name it once")
    run = Run.of(matched.texts, inputs.settings)
    systems = run.evaluations_for(start)
    search = OptionSearch(start, options, systems, matched.judgments.pairs, settings)
    everything = np.ones(search.segments, dtype=np.bool_)
    best = search.best(everything)
    parts = _cross_validated(search, settings) if settings.folds else []
    training = known(search.value(best))
    return TuneResult(
        specification=search.metric(best).specification(),
        signature=run.signature(search.metric(best), systems[0][0], run.uses(search.metric(best))),
        systems=len(matched.judgments.systems),
        segments=search.segments,
        start=start.specification(),
        method=settings.method,
        objective=settings.objective,
        seed=settings.seed,
        options=options,
        values=best,
        training=training,
        held_out=search.held_out(parts),
        start_value=known(search.value(search.start)),
        folds=tuple(fold for fold, _ in parts),
        curves={
            option.name: _curve(search, best, place, settings.steps)
            for place, option in enumerate(options)
        },
        counts=dict(matched.judgments.counts),
        notes=(
            *_evidence(matched.judgments.pairs),
            *_undefined(settings, training, [fold for fold, _ in parts]),
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
    points = dict.fromkeys(
        search.options[place].valid(at) for (at,) in grid_points([search.bounds[place]], steps)
    )
    return [
        CurvePoint(at, known(search.value((*best[:place], at, *best[place + 1 :]))))
        for at in points
    ]
