"""The search for the options of a metric that agree best with people. Section 7.1"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import OptionError, Setting
from kilter.core.judgments import rounding
from kilter.core.registry import split_specification
from kilter.core.settings import Choice, check_fields, like, setting
from kilter.io.output import written_text
from kilter.metrics.fitted_weight import SCHEMA
from kilter.metrics.registry import METRICS, metric, metric_class
from kilter.results.tune_result import TunedOption
from kilter.run.meta.evaluation_inputs import JudgmentPolicy
from kilter.run.meta.pair_count import differences
from kilter.run.meta.tuning import (
    RESTARTS,
    Objective,
    PairObjective,
    best_of,
    check_grid,
    check_restarts,
    exact_alpha,
    grid_points,
    hill_climb,
)
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.judgments import JudgedPairs
    from kilter.metrics.metric import Metric
    from kilter.results.tune_result import TunedMetrics, TuneFold, TuneResult
    from kilter.run.meta.tuning import Point

    Floats = NDArray[np.float64]
    Rows = NDArray[np.bool_]


def tuned_option(start: Metric, text: str) -> TunedOption:
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
    if plain in owner.idle_options():
        raise OptionError(f"{plain} has no effect on {owner.decided()}; leave it out")
    low, high = float(entry.metadata["low"]), float(entry.metadata["high"])
    if equals:
        given = _spread(text, spread)
        if not given[0] < given[1]:
            raise OptionError(f"{text!r}: the range must rise; write {name}=LOW..HIGH")
        if not low <= given[0] or not given[1] <= high:
            raise OptionError(f"{text!r}: the range must lie within {low:g}..{high:g}")
        low, high = given
    return TunedOption(name=name, low=low, high=high, whole=kind is int)


def has_option(start: Metric, name: str) -> bool:
    """Return whether a metric, or its order part, has a numeric option of this name."""
    try:
        tuned_option(start, name)
    except OptionError:
        return False
    return True


def _spread(text: str, spread: str) -> tuple[float, float]:
    low, dots, high = spread.partition("..")
    try:
        bounds = float(low), float(high)
    except ValueError:
        bounds = nan, nan
    if not dots or isnan(bounds[0]) or isnan(bounds[1]):
        raise OptionError(f"{text!r}: write NAME or NAME=LOW..HIGH")
    return bounds


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


def option_value(made: Metric, name: str) -> float:
    """Return the value that an option of a metric, or of its order part, has."""
    owner, plain = _owner(made, name)
    return float(getattr(owner, plain))


def with_option(made: Metric, option: TunedOption, value: float) -> Metric:
    """Return the metric with another value of an option."""
    owner, plain = _owner(made, option.name)
    changes: dict[str, object] = {plain: int(value) if option.whole else value}
    changed = replace(owner, **changes)
    if owner is made:
        return changed
    part: dict[str, object] = {"order": changed.specification().replace(",", "+")}
    return replace(made, **part)


# Scores are linear in an option if the middle lies on the line between its ends, up to rounding.
_LINEAR = 1e-9


class SearchMethod(Choice):
    """How the best options are found.

    `exact`: the true optimum of one option in which scores are linear. `hill-climbing`: as published,
    from random starts. `grid`: every point of a grid.
    """

    EXACT = "exact"
    HILL_CLIMBING = "hill-climbing"
    GRID = "grid"


@dataclass(frozen=True, kw_only=True)
class TuneSettings:
    """How options are searched for; the metric is that of the inputs' settings."""

    options: tuple[str, ...] = setting(
        "-o",
        "--option",
        metavar="NAME[=LOW..HIGH]",
        description="Option to tune, such as alpha; repeatable.",
    )
    method: SearchMethod = setting(default=SearchMethod.EXACT, description="Search method.")
    objective: Objective = setting(
        default=Objective.CONSISTENCY, description="Objective to maximise."
    )
    restarts: int = setting(default=RESTARTS, description="Random restarts of hill climbing.")
    steps: int = setting(default=20, description="Steps of the grid and of curves.")
    folds: int = setting(default=5, description="Folds of cross-validation; 0 for none.")
    seed: int = like(Resampling, "seed")
    policy: JudgmentPolicy = field(default_factory=JudgmentPolicy)

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.options:
            raise OptionError("there is no option to tune; name at least one, such as alpha")
        if self.restarts != RESTARTS and self.method is not SearchMethod.HILL_CLIMBING:
            raise OptionError(
                f"restarts has no effect with the method {self.method}; leave it out, or choose hill-climbing"
            )
        check_restarts(self.restarts)
        # Elsewhere steps are those of the curves, of one option each.
        check_grid(self.steps, len(self.options) if self.method is SearchMethod.GRID else 1)


class OptionSearch:
    """A metric, its options, and its agreement at any point."""

    def __init__(
        self,
        start: Metric,
        options: Sequence[TunedOption],
        systems: Sequence[Sequence[Evaluation]],
        pairs: JudgedPairs,
        settings: TuneSettings,
    ) -> None:
        self.systems = systems
        self._base = start
        self.options = options
        self.pairs = pairs
        self.settings = settings
        self.segments = len(systems[0][0])
        self.start = tuple(float(option_value(start, option.name)) for option in options)
        self.bounds = [(option.low, option.high) for option in options]
        self._ends = self._line()
        if settings.method is SearchMethod.EXACT and self._ends is None:
            raise OptionError(
                f"the exact search needs one option in which {start.name} is linear, such as alpha; for "
                f"{', '.join(settings.options)} use",
                advice=Setting("method", SearchMethod.HILL_CLIMBING.value),
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
                made = with_option(made, option, option.valid(value))
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
        return sign * np.stack(
            [
                np.mean([made.measure(each).scores for each in configurations], axis=0)
                for configurations in self.systems
            ]
        )

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

    @property
    def start_in_range(self) -> bool:
        """Whether the values that the options have lie where they are searched for."""
        return all(
            low <= value <= high for value, (low, high) in zip(self.start, self.bounds, strict=True)
        )

    def grid(self) -> list[Point]:
        """Return the points of the grid, those of the options as they are among them."""
        points = grid_points(self.bounds, self.settings.steps, start=self.start)
        return list(dict.fromkeys(map(self._valid, points)))

    def best(self, rows: Rows) -> Point:
        """Return the best point on some segments; the options as they are unless one is better."""
        point = self._searched(rows)
        if not self.start_in_range:
            return point
        worth, given = self.value(point, rows), self.value(self.start, rows)
        return self.start if isnan(worth) or given > worth else point

    def _searched(self, rows: Rows) -> Point:
        settings = self.settings

        def evaluate(point: Point) -> float:
            return self.value(point, rows)

        if settings.method is SearchMethod.EXACT:
            return self._exact(rows)
        if settings.method is SearchMethod.GRID:
            return best_of(self.grid(), evaluate).point
        climbed = hill_climb(evaluate, self.bounds, restarts=settings.restarts, seed=settings.seed)
        return self._valid(climbed.point)

    def _exact(self, rows: Rows) -> Point:
        assert self._ends is not None  # noqa: S101 - checked on construction
        chosen = self.pairs.chosen(rows[self.pairs.segment])
        at_low, at_high = (differences(scores, chosen) for scores in self._ends)
        optimum = exact_alpha(
            at_high, at_low, chosen.outcome, objective=self.settings.objective, tie=self._tie
        )
        ((low, high),) = self.bounds
        return self.start if isnan(optimum.alpha) else (low + optimum.alpha * (high - low),)

    def held_out(
        self, parts: Sequence[tuple[TuneFold, Rows]], *, tuned: bool = True
    ) -> float | None:
        """Return the agreement of all held-out segments together, each with what was found without it.

        Not `tuned`, the options are as they were.
        """
        searched = [part for part in parts if part[0].training is not None]
        if not searched:
            return None
        total = sum(
            self.objective.counts(fold.values if tuned else self._valid(self.start))[rows].sum(
                axis=0
            )
            for fold, rows in searched
        )
        return known(self.objective.of_counts(np.asarray(total)))


def known(value: float) -> float | None:
    """Return a value, None where it is undefined."""
    return None if isnan(value) else value


VERSION = "tuned"


def check_fitted(specifications: Sequence[str]) -> None:
    """Raise an `OptionError` for metrics that take no file of weights."""
    for specification in specifications:
        name, _ = split_specification(specification, METRICS.noun)
        if "weights" not in metric_class(name).places:
            raise OptionError(
                f"{specification} takes no file of weights; kilter does, so leave out --weights"
            )


def weight_document(tuned: TunedMetrics) -> dict[str, object]:
    """Return the document: what was found of each metric, and on how many judgments."""
    weights: dict[str, object] = {}
    document: dict[str, object] = {
        "schema": SCHEMA,
        "version": VERSION,
        "fitted_on": "; ".join(_fitted_on(each) for each in tuned.metrics),
    }
    for each in tuned.metrics:
        found = metric(each.specification).fitted_document() or {}
        for key, value in found.items():
            own = value if isinstance(value, dict) else {}
            if (key in document and key != "weights") or own.keys() & weights.keys():
                raise OptionError(
                    f"{each.start} is tuned twice for one file of weights; choose one of the two"
                )
            weights |= own
            document[key] = weights if own else value
    return document


def write_weights(tuned: TunedMetrics, path: str) -> None:
    """Write the document; the file appears complete or not at all."""
    with written_text(path) as out:
        out.write(json.dumps(weight_document(tuned), ensure_ascii=False, indent=1) + "\n")


def _fitted_on(result: TuneResult) -> str:
    figures = [
        f"{name} {value:.4f}"
        for name, value in (("training", result.training), ("held out", result.held_out))
        if value is not None
    ]
    judged = f"{counted(result.systems, 'system')} on {counted(result.segments, 'segment')}"
    said = f"{result.start}: judgments of {judged}"
    return f"{said}, {result.objective} {', '.join(figures) or 'undefined'}"
