"""Options of a metric that agree best with people: what `kilter tune` computes. Section 7.1"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.agreement.pairwise import differences
from kilter.agreement.tuning import (
    RESTARTS,
    Objective,
    PairObjective,
    best_of,
    exact_alpha,
    folds,
    grid_points,
    hill_climb,
)
from kilter.counted import counted
from kilter.errors import OptionError, Setting
from kilter.metrics.registry import metric
from kilter.options.argument import check_fields, checked
from kilter.options.choice import Choice
from kilter.pipeline.agreement.evaluation_pair import JudgmentPolicy, StudyInputs, match_texts
from kilter.pipeline.agreement.meta import left_out
from kilter.pipeline.scoring.metric_choice import available, choose_metrics
from kilter.pipeline.scoring.run import Run
from kilter.pipeline.scoring.settings import Settings
from kilter.statistics.rounding import rounding
from kilter.statistics.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.agreement.tuning import Point
    from kilter.metrics.metric import Metric
    from kilter.structures.evaluation import Evaluation
    from kilter.structures.judgment.judgments import JudgedPairs

    Floats = NDArray[np.float64]
    Rows = NDArray[np.bool_]

# Scores are linear in an option if the middle lies on the line between its ends, up to rounding.
_LINEAR = 1e-9


class Method(Choice):
    """How the best options are found.

    `exact`: the true optimum of one option in which scores are linear. `hill-climbing`: as published,
    from random starts. `grid`: every point of a grid.
    """

    EXACT = "exact"
    HILL_CLIMBING = "hill-climbing"
    GRID = "grid"


@dataclass(frozen=True, kw_only=True)
class TunedOption:
    """A numeric option and the range that is searched; `order.beta` is beta of the order part."""

    name: str
    low: float
    high: float
    whole: bool
    """Whether only whole numbers make sense."""

    def valid(self, value: float) -> float:
        """Return the value as the option takes it."""
        return float(round(value)) if self.whole else value


@dataclass(frozen=True, kw_only=True)
class TuneSettings:
    """Every knob of a search that is not a file."""

    metric: str
    options: tuple[str, ...]
    """Names, or `NAME=LOW..HIGH` for a part of the range."""
    method: Method = Method.EXACT
    objective: Objective = Objective.CONSISTENCY
    restarts: int = RESTARTS
    steps: int = 20
    folds: int = 5
    seed: int = 1
    jobs: int = 1
    policy: JudgmentPolicy = field(default_factory=JudgmentPolicy)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class TuneFold:
    """What was found without a fold, and what it is worth on the other segments and on the fold's."""

    values: tuple[float, ...]
    training: float | None
    held_out: float | None


@dataclass(frozen=True, kw_only=True)
class TuneResult:
    """The best options as a metric specification, with agreement in training and on held-out segments."""

    settings: TuneSettings
    specification: str
    signature: str
    systems: int
    segments: int
    start: str
    options: tuple[TunedOption, ...]
    values: tuple[float, ...]
    training: float | None
    held_out: float | None
    start_value: float | None
    """Agreement with the options as they were given."""
    folds: tuple[TuneFold, ...]
    curves: dict[str, list[tuple[float, float | None]]]
    """Agreement along each option, the others at their best."""
    counts: dict[str, int]
    notes: tuple[str, ...] = ()
    """What a reader should know: undefined values, judgments left out."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document `kilter.tune/1`."""
        names = [option.name for option in self.options]
        return {
            "schema": "kilter.tune/1",
            "version": __version__,
            "metric": self.specification,
            "signature": self.signature,
            "systems": self.systems,
            "segments": self.segments,
            "start": self.start,
            "method": str(self.settings.method),
            "objective": str(self.settings.objective),
            "seed": self.settings.seed,
            "options": dict(zip(names, self.values, strict=True)),
            "training": self.training,
            "held_out": self.held_out,
            "start_value": self.start_value,
            "folds": [
                {
                    "options": dict(zip(names, fold.values, strict=True)),
                    "training": fold.training,
                    "held_out": fold.held_out,
                }
                for fold in self.folds
            ],
            "curves": {
                name: [{"value": at, "agreement": found} for at, found in curve]
                for name, curve in self.curves.items()
            },
            "judgments": dict(self.counts),
            "notes": list(self.notes),
        }


@checked
def tune(inputs: StudyInputs, settings: TuneSettings) -> TuneResult:
    """Return the options of a metric with which it agrees best with the judgments."""
    matched = match_texts(inputs, settings.policy)
    if settings.metric == "all":
        raise OptionError("tune takes one metric, not all")
    if not settings.options:
        raise OptionError("there is no option to tune; name at least one, such as alpha")
    (start,) = choose_metrics([settings.metric], available(matched.texts)).values()
    options = tuple(_option(start, text) for text in settings.options)
    names = [option.name for option in options]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice} is to be tuned twice; name it once")
    run = Run.of(
        matched.texts,
        Settings(
            metrics=settings.metric,
            aligner=inputs.aligner,
            tokenize=inputs.tokenize,
            language=inputs.language,
            lowercase=inputs.lowercase,
            jobs=settings.jobs,
        ),
    )
    systems = run.single_evaluations()
    search = _Search(start, options, systems, matched.judgments.pairs, settings)
    everything = np.ones(search.segments, dtype=np.bool_)
    best = search.best(everything)
    parts = _cross_validated(search, settings) if settings.folds else []
    held_out = search.held_out(parts)
    training = _known(search.value(best))
    return TuneResult(
        settings=settings,
        specification=search.metric(best).specification(),
        signature=run.signature(search.metric(best), systems[0], run.uses(search.metric(best))),
        systems=len(matched.judgments.systems),
        segments=search.segments,
        start=start.specification(),
        options=options,
        values=best,
        training=training,
        held_out=held_out,
        start_value=_known(search.value(search.start)),
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


class _Search:
    """A metric, its options, and its agreement at any point."""

    def __init__(
        self,
        start: Metric,
        options: Sequence[TunedOption],
        made: Sequence[Evaluation],
        pairs: JudgedPairs,
        settings: TuneSettings,
    ) -> None:
        self._made = made
        self._base = start
        self.options = options
        self.pairs = pairs
        self.settings = settings
        self.segments = len(made[0])
        self.start = tuple(float(_value(start, option.name)) for option in options)
        self.bounds = [(option.low, option.high) for option in options]
        self._ends = self._line()
        if settings.method is Method.EXACT and self._ends is None:
            raise OptionError(
                f"the exact search needs one option in which {start.name} is linear, such as alpha; for "
                f"{', '.join(settings.options)} use",
                advice=Setting("method", Method.HILL_CLIMBING.value),
            )
        # One threshold along the whole line, so that all searches see the same ties.
        self._tie = max(map(rounding, self._ends)) if self._ends is not None else 0.0
        self.objective = PairObjective.of(
            pairs, self.segments, self.scores, objective=settings.objective, tie=self._tie
        )

    def metric(self, point: Point) -> Metric:
        """Return the metric with the options of a point."""
        made = self._base
        for option, value in zip(self.options, point, strict=True):
            try:
                made = _with_option(made, option, option.valid(value))
            except OptionError as error:
                raise OptionError(
                    f"{error}, and the range of {option.name} holds {value:g}; leave it out: "
                    f"{option.name}=LOW..HIGH"
                ) from None
        return made

    def scores(self, point: Point) -> Floats:
        """Return systems x segments at a point, more for better."""
        if self._ends is not None:
            ((low, high),) = self.bounds
            share = (point[0] - low) / (high - low)
            return (1.0 - share) * self._ends[0] + share * self._ends[1]
        return self._computed(point)

    def _computed(self, point: Point) -> Floats:
        made = self.metric(point)
        sign = 1.0 if made.higher_is_better else -1.0
        return sign * np.stack([made.measure(each).scores for each in self._made])

    def _line(self) -> tuple[Floats, Floats] | None:
        """Return the scores at both ends of the range if all between lie on a line."""
        if len(self.options) != 1 or self.options[0].whole:
            return None
        ((low, high),) = self.bounds
        ends = self._computed((low,)), self._computed((high,))
        for share in (0.3, 0.5):
            middle = self._computed((low + share * (high - low),))
            straight = (1.0 - share) * ends[0] + share * ends[1]
            if np.abs(middle - straight).max() > _LINEAR:
                return None
        return ends

    def value(self, point: Point, rows: Rows | None = None) -> float:
        """Return the agreement at a point, on all segments or some."""
        return self.objective.value(self._valid(point), rows)

    def _valid(self, point: Point) -> Point:
        return tuple(option.valid(value) for option, value in zip(self.options, point, strict=True))

    def best(self, rows: Rows) -> Point:
        """Return the best point on some segments."""
        settings = self.settings

        def evaluate(point: Point) -> float:
            return self.value(point, rows)

        if settings.method is Method.EXACT:
            return self._exact(rows)
        if settings.method is Method.GRID:
            points = dict.fromkeys(map(self._valid, grid_points(self.bounds, settings.steps)))
            return best_of(list(points), evaluate).point
        found = hill_climb(evaluate, self.bounds, restarts=settings.restarts, seed=settings.seed)
        return self._valid(found.point)

    def _exact(self, rows: Rows) -> Point:
        assert self._ends is not None  # noqa: S101 - checked on construction
        chosen = self.pairs.chosen(rows[self.pairs.segment])
        at_low, at_high = (differences(scores, chosen) for scores in self._ends)
        found = exact_alpha(
            at_high, at_low, chosen.outcome, objective=self.settings.objective, tie=self._tie
        )
        ((low, high),) = self.bounds
        return self.start if isnan(found.alpha) else (low + found.alpha * (high - low),)

    def held_out(self, parts: Sequence[tuple[TuneFold, Rows]]) -> float | None:
        """Return the agreement of all held-out segments together, each with what was found without it."""
        searched = [part for part in parts if part[0].training is not None]
        if not searched:
            return None
        total = sum(self.objective.counts(fold.values)[rows].sum(axis=0) for fold, rows in searched)
        return _known(self.objective.of_counts(np.asarray(total)))


def _cross_validated(search: _Search, settings: TuneSettings) -> list[tuple[TuneFold, Rows]]:
    """Return what is found without each fold of segments, and the segments of the fold."""
    which = folds(search.segments, settings.folds, seed=settings.seed)
    found = []
    for number in range(settings.folds):
        rows = which == number
        best = search.best(~rows)
        fold = TuneFold(
            values=best,
            training=_known(search.value(best, ~rows)),
            held_out=_known(search.value(best, rows)),
        )
        found.append((fold, rows))
    return found


def _curve(
    search: _Search, best: Point, place: int, steps: int
) -> list[tuple[float, float | None]]:
    points = dict.fromkeys(
        search.options[place].valid(at) for (at,) in grid_points([search.bounds[place]], steps)
    )
    return [(at, _known(search.value((*best[:place], at, *best[place + 1 :])))) for at in points]


def _option(start: Metric, text: str) -> TunedOption:
    """Return the option behind `alpha`, `alpha=0.2..0.8` or `order.beta`."""
    name, equals, spread = text.partition("=")
    owner, plain = _owner(start, name)
    entry = next((entry for entry in fields(owner) if entry.name == plain), None)
    kind = type(owner).option_type(plain) if entry else None
    if entry is None or kind not in (int, float):
        numeric = [f.name for f in fields(owner) if type(owner).option_type(f.name) in (int, float)]
        raise OptionError(
            f"{owner.name} has no numeric option {plain!r}; it has {', '.join(numeric) or 'none'}"
        )
    low, high = float(entry.metadata["low"]), float(entry.metadata["high"])
    if equals:
        given = _spread(text, spread)
        if not given[0] < given[1]:
            raise OptionError(f"{text!r}: the range must rise; write {name}=LOW..HIGH")
        if not low <= given[0] or not given[1] <= high:
            raise OptionError(f"{text!r}: the range must lie within {low:g}..{high:g}")
        low, high = given
    return TunedOption(name=name, low=low, high=high, whole=kind is int)


def _spread(text: str, spread: str) -> tuple[float, float]:
    low, dots, high = spread.partition("..")
    try:
        found = float(low), float(high)
    except ValueError:
        found = nan, nan
    if not dots or isnan(found[0]) or isnan(found[1]):
        raise OptionError(f"{text!r}: write NAME or NAME=LOW..HIGH")
    return found


def _owner(made: Metric, name: str) -> tuple[Metric, str]:
    """Return the metric that an option belongs to: the outer one, or its order part."""
    outer, dot, inner = name.partition(".")
    if not dot:
        return made, name
    specification = getattr(made, outer, None)
    if outer != "order" or not isinstance(specification, str) or not _is_plain(made):
        raise OptionError(f"{made.name} has no part {outer!r}; order.NAME is for full and sen")
    return metric(specification.replace("+", ",")), inner


def _is_plain(made: Metric) -> bool:
    return type(made).option_type("order") is str


def _value(made: Metric, name: str) -> float:
    owner, plain = _owner(made, name)
    return float(getattr(owner, plain))


def _with_option(made: Metric, option: TunedOption, value: float) -> Metric:
    owner, plain = _owner(made, option.name)
    changes: dict[str, Any] = {plain: int(value) if option.whole else value}
    changed = replace(owner, **changes)
    if owner is made:
        return changed
    part: dict[str, Any] = {"order": changed.specification().replace(",", "+")}
    return replace(made, **part)


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def curve_points(
    curve: Sequence[tuple[float, float | None]],
) -> list[tuple[float, float]]:
    """Return the points of a curve that are defined."""
    return [(at, found) for at, found in curve if found is not None]
