"""The tasks of WMT's metrics campaigns, computed as mt-metrics-eval computes them. Specification, section 21.4"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked
from kilter.results.preset_result import MetaPreset, PresetResult, PresetTask, TaskValue
from kilter.run.engine.engine import Engine
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_metrics import MatchedMetrics, match_metrics
from kilter.run.meta.meta import MetaSettings
from kilter.stats.resampling import Resampling
from kilter.stats.wmt_correlation import (
    Grouping,
    SoftPairwiseAccuracy,
    grouped_correlation,
    pair_permutation_p_value,
    pairwise_accuracy,
    pairwise_difference_pearson,
    pearson,
    permutation_p_value,
    significance_ranks,
    system_means,
    tie_calibrated,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SYSTEM_PEARSON, PEARSON, ACCURACY_ITEM = "system_pearson", "pearson", "accuracy_item"
PAIRWISE_ACCURACY, SPA, PDP = "pairwise_accuracy", "soft_accuracy", "pairwise_difference_pearson"
MEASURES = {
    MetaPreset.WMT23: (SYSTEM_PEARSON, PEARSON, ACCURACY_ITEM),
    MetaPreset.WMT24: (SPA, ACCURACY_ITEM),
    MetaPreset.WMT25: (SPA, ACCURACY_ITEM, PDP),
}
"""What is computed of each language pair; WMT 2023 has pairwise accuracy over all pairs besides."""
_CORRELATIONS = frozenset({SYSTEM_PEARSON, PEARSON, PDP})
"""Measures from -1 to 1, which a mean takes as (r + 1) / 2."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Scores:
    """Scores of people, and of each metric, systems x segments; a NaN of either side is one of people."""

    gold: Floats
    metrics: Mapping[str, Floats]
    systems: Mapping[str, Floats]
    """System scores of each metric."""


@checked
def meta_preset(
    inputs: EvaluationInputs | Mapping[str, EvaluationInputs],
    preset: MetaPreset | str,
    settings: MetaSettings | None = None,
    *,
    ranks: bool = False,
    engine: Engine | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> PresetResult:
    """Return the tasks of a campaign on one language pair, or several by name; with `ranks`, clusters of metrics.

    Of `settings` it takes what judgments count and whether there are controls. Resamples and seed are those of the first
    pair. Only metrics that all language pairs have are ranked. Pairwise accuracy over all pairs weighs as many tasks as there
    are language pairs, any other task 1.
    """
    chosen, kind = settings or MetaSettings(), MetaPreset(preset)
    named = {"": inputs} if isinstance(inputs, EvaluationInputs) else inputs
    if not named:
        raise OptionError("there is no language pair to evaluate metrics on")
    matched = {
        name: match_metrics(
            files,
            chosen.policy,
            shared=len(named) > 1,
            controls=chosen.controls,
            engine=engine,
            progress=progress,
        )
        for name, files in named.items()
    }
    drawn = next(iter(named.values())).settings.resampling
    return preset_result(matched, kind, ranks=ranks, resampling=drawn)


def preset_result(
    matched: Mapping[str, MatchedMetrics],
    preset: MetaPreset,
    *,
    ranks: bool = False,
    resampling: Resampling | None = None,
) -> PresetResult:
    """Return the tasks of a campaign on what is already matched."""
    drawn = resampling or Resampling()
    every = [_names(each) for each in matched.values()]
    shared = [name for name in every[0] if all(name in names for names in every)]
    if not shared:
        raise InputError("no metric has scores in all language pairs")
    notes = list(dict.fromkeys(note for each in matched.values() for note in each.notes))
    scores = {name: _scores(name, each, shared, notes) for name, each in matched.items()}
    tasks = []
    if preset is MetaPreset.WMT23:
        tasks.append(_pairwise(scores, shared, drawn, ranks=ranks))
    tasks += [
        _task(name, measure, own, shared, drawn, ranks=ranks)
        for name, own in scores.items()
        for measure in MEASURES[preset]
    ]
    average = {name: _average(name, tasks) for name in shared}
    ordered = sorted(average, key=lambda name: (-(average[name] or 0.0), name))
    return PresetResult(
        preset=str(preset),
        tasks=tuple(tasks),
        average={name: average[name] for name in ordered},
        permutations=drawn.count if ranks else None,
        seed=drawn.seed,
        notes=tuple(notes),
    )


def _names(matched: MatchedMetrics) -> list[str]:
    return [each.name for each in matched.metrics]


def _scores(name: str, matched: MatchedMetrics, shared: Sequence[str], notes: list[str]) -> _Scores:
    gold = np.array(matched.judgments.score_matrix(matched.segments))
    judged = ~np.isnan(gold).all(axis=1)
    own = {each.name: each for each in matched.metrics}
    called = f"{name}: " if name else ""
    for metric in shared:
        missing = np.isnan(own[metric].scores) & ~np.isnan(gold)
        if missing.any():
            notes.append(
                f"{called}{metric} lacks {counted(int(missing.sum()), 'judged score')}, left out for all metrics"
            )
    for metric in shared:
        gold[np.isnan(own[metric].scores)] = np.nan
    asked = ~np.isnan(gold[judged]).all(axis=0)
    uneven = np.isnan(gold[judged][:, asked]).any(axis=0)
    if uneven.any():
        notes.append(
            f"{called}{counted(int(uneven.sum()), 'segment')} not judged for every system: not in soft_accuracy, which "
            "mt-metrics-eval misaligns there"
        )
    return _Scores(
        gold=gold[judged],
        metrics={each: own[each].scores[judged] for each in shared},
        systems={each: own[each].system_scores()[judged] for each in shared},
    )


def _coefficient(
    measure: str, scores: _Scores
) -> tuple[Callable[[Floats, Floats], float], Floats, Mapping[str, Floats], Grouping]:
    """Return what is computed of which scores, and how they are grouped."""
    if measure == SYSTEM_PEARSON:
        columns = {name: own[:, np.newaxis] for name, own in scores.systems.items()}
        gold = system_means(scores.gold)[:, np.newaxis]
        return (lambda x, y: grouped_correlation(x, y, pearson).value), gold, columns, Grouping.NONE
    if measure == PEARSON:
        found = lambda x, y: grouped_correlation(x, y, pearson).value  # noqa: E731
        return found, scores.gold, scores.metrics, Grouping.NONE
    if measure == PDP:
        return pairwise_difference_pearson, scores.gold, scores.metrics, Grouping.ITEM
    if measure == SPA:
        spa = SoftPairwiseAccuracy(scores.gold)
        return (lambda _, y: spa.of(y)), scores.gold, scores.metrics, Grouping.NONE
    return (lambda x, y: tie_calibrated(x, y).value), scores.gold, scores.metrics, Grouping.ITEM


def _task(
    pair: str,
    measure: str,
    scores: _Scores,
    names: Sequence[str],
    drawn: Resampling,
    *,
    ranks: bool,
) -> PresetTask:
    coefficient, gold, metrics, by = _coefficient(measure, scores)
    thresholds: dict[str, float] = {}
    values = {}
    for name in names:
        if measure == ACCURACY_ITEM:
            values[name], thresholds[name] = tie_calibrated(gold, metrics[name])
        else:
            values[name] = coefficient(gold, metrics[name])

    def p_value(better: str, worse: str, rng: np.random.RandomState) -> float:
        sides = gold, metrics[better], metrics[worse]
        if measure == ACCURACY_ITEM:
            return pair_permutation_p_value(*sides, rng=rng, permutations=drawn.count)
        return permutation_p_value(*sides, coefficient, by, rng=rng, permutations=drawn.count)

    return _ranked(pair, measure, values, thresholds, p_value if ranks else None, drawn)


def _pairwise(
    scores: Mapping[str, _Scores], names: Sequence[str], drawn: Resampling, *, ranks: bool
) -> PresetTask:
    """Return the share of pairs of systems of all language pairs that people and metric order alike."""
    sizes = [len(own.gold) for own in scores.values()]
    parts = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    gold = np.concatenate([system_means(own.gold) for own in scores.values()])[:, np.newaxis]
    metrics = {
        name: np.concatenate([own.systems[name] for own in scores.values()])[:, np.newaxis]
        for name in names
    }

    def accuracy(people: Floats, own: Floats) -> float:
        found = [pairwise_accuracy(people[part, 0], own[part, 0]) for part in parts]
        pairs = sum(each.groups for each in found)
        same = sum(each.value * each.groups for each in found if each.groups)
        return same / pairs if pairs else np.nan

    def p_value(better: str, worse: str, rng: np.random.RandomState) -> float:
        return permutation_p_value(
            gold, metrics[better], metrics[worse], accuracy, Grouping.NONE,
            rng=rng, permutations=drawn.count,
        )  # fmt: skip

    values = {name: accuracy(gold, metrics[name]) for name in names}
    task = _ranked("", PAIRWISE_ACCURACY, values, {}, p_value if ranks else None, drawn)
    return PresetTask(pair="all" if len(scores) > 1 else "", measure=task.measure, weight=float(len(scores)),
                      values=task.values, p_values=task.p_values)  # fmt: skip


def _ranked(
    pair: str,
    measure: str,
    values: Mapping[str, float],
    thresholds: Mapping[str, float],
    p_value: Callable[[str, str, np.random.RandomState], float] | None,
    drawn: Resampling,
) -> PresetTask:
    order = sorted(
        values, key=lambda name: (-values[name] if not np.isnan(values[name]) else np.inf, name)
    )
    ranks: list[int | None] = [None] * len(order)
    table: list[tuple[float | None, ...]] = []
    if p_value is not None:
        # The stream of numpy's global generator, which the tool draws from after np.random.seed.
        rng = np.random.RandomState(drawn.seed)
        found = np.zeros((len(order), len(order)))
        for one, other in combinations(range(len(order)), 2):
            found[one, other] = p_value(order[one], order[other], rng)
        ranks = [*significance_ranks(found)]
        table = [
            tuple(float(each) if column > row else None for column, each in enumerate(own))
            for row, own in enumerate(found)
        ]
    return PresetTask(
        pair=pair,
        measure=measure,
        weight=1.0,
        values=tuple(
            TaskValue(
                metric=name,
                value=None if np.isnan(values[name]) else float(values[name]),
                rank=rank,
                threshold=thresholds.get(name),
            )
            for name, rank in zip(order, ranks, strict=True)
        ),
        p_values=tuple(table),
    )


def _average(name: str, tasks: Sequence[PresetTask]) -> float | None:
    """Return the weighted mean over tasks; None where one has no value."""
    total = weights = 0.0
    for task in tasks:
        value = task.of(name).value
        if value is None:
            return None
        total += task.weight * ((value + 1) / 2 if task.measure in _CORRELATIONS else value)
        weights += task.weight
    return total / weights
