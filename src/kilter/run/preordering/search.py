"""A search for pre-ordering rules that bring sentences closest to their references: hill climbing."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.argument import checked
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.printed_order import PrintedOrder
from kilter.metrics.frs import Frs
from kilter.preordering.rule_file import as_rule_set, rule_set_digest
from kilter.preordering.rule_set import Method, RuleSet
from kilter.results.rule_search import RuleSearchResult, SearchLevel
from kilter.run.preordering.climb import (
    LEVELS,
    Climb,
    ClimbStage,
    Progress,
    SearchObjective,
    SearchSettings,
    mean_scores,
)
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_FOLDS", "Progress", "SearchObjective", "SearchSettings", "search_rules"]

FEWEST_SENTENCES = 10
"""Sentences below which rules would fit their accidents."""
MOST_FOLDS = 20


@checked
def search_rules(
    trees: DependencyTreeColumn,
    reference: PrintedOrder,
    *,
    start: RuleSet | str | None = None,
    settings: SearchSettings | None = None,
    metric: Frs | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[RuleSet, RuleSearchResult]:
    """Return the best rules that small changes lead to, and the steps to them.

    Starts from a rule set, or from none. One question after another is asked, the most frequent first: where do
    children of this label, or those of them of which a condition holds, stand below heads of this category? The answer
    that gains most on the training sentences is taken, large gains first, until nothing gains enough. With `folds`, how
    small a gain may be is decided by cross-validation on the training sentences. Held-out sentences are scored and
    decide nothing.
    """
    chosen = settings or SearchSettings()
    _check(chosen)
    column = trees.first_parses()
    if chosen.lemmas:
        _check_lemmas(column)
    used = metric or Frs()
    scorer = ReorderingScorer(column, reference, match=used.match, jobs=jobs)
    held = _drawn(len(column), chosen)
    training = int((~held).sum())
    # Without one fold there must be as many.
    needed = FEWEST_SENTENCES
    if chosen.folds:
        needed = -(-FEWEST_SENTENCES * chosen.folds // (chosen.folds - 1))
    if training < needed:
        raise InputError(
            f"there are {counted(training, 'sentence')} to learn from; at least {needed} are needed"
            + (f" for {chosen.folds} folds" if chosen.folds else ""),
            where=reference.name,
        )
    begin = _beginning(start)
    share = _Shares(progress, chosen.folds + 1)
    validated, tried = _validated(scorer, ~held, begin, chosen, used, share)
    levels = len(LEVELS)
    if validated:
        levels = max(range(len(validated)), key=lambda k: validated[k].held_out.objective)
    climb = Climb(scorer, ~held, chosen, used)
    stages = list(climb.stages(begin, levels=levels, progress=share.next()))
    found, result = _result(begin, climb, stages, held, validated, chosen)
    return found, replace(result, tried=result.tried + tried)


def _beginning(start: RuleSet | str | None) -> RuleSet:
    if start is None:
        return RuleSet(name="none", rules=(), keep_final_punctuation=True)
    found = as_rule_set(start)
    if found.method is Method.NONE:
        return replace(found, method=Method.PRECEDENCE, rules=())
    if found.method is not Method.PRECEDENCE:
        raise OptionError(
            f"{found.name} has the method {found.method}, of which there is nothing to change; "
            "start from precedence rules, or from none"
        )
    return found


def _check(settings: SearchSettings) -> None:
    if not 0.0 <= settings.held_out <= 0.9:
        raise OptionError(f"held_out is {settings.held_out}; it must lie between 0 and 0.9")
    for name, value in (("minimum_gain", settings.minimum_gain), ("caution", settings.caution)):
        if not (isfinite(value) and value >= 0.0):
            raise OptionError(f"{name} is {value}; it must be a number from 0 on")
    if settings.folds != 0 and not 2 <= settings.folds <= MOST_FOLDS:
        raise OptionError(
            f"folds is {settings.folds}; it must be 0 for none, or lie between 2 and {MOST_FOLDS}"
        )


def _check_lemmas(trees: DependencyTreeColumn) -> None:
    nothing = trees.vocabulary.number(NO_NAME)
    if trees.lemmas is None or (trees.lemmas == nothing).all():
        raise InputError(
            "has no lemmas (column LEMMA); leave lemmas out, and conditions name words",
            where="the trees" if trees.origin is None else trees.origin.name,
        )


class _Shares:
    """A progress that several climbs share, each a part of it."""

    def __init__(self, progress: Progress | None, parts: int) -> None:
        self._progress, self._parts, self._begun = progress, parts, -1

    def next(self) -> Progress | None:
        """Return the progress of the next climb."""
        self._begun += 1
        shown, begun = self._progress, self._begun
        if shown is None:
            return None
        return lambda done, total: shown(begun * total + done, self._parts * total)


def _validated(
    scorer: ReorderingScorer,
    training: NDArray[np.bool_],
    begin: RuleSet,
    settings: SearchSettings,
    metric: Frs,
    share: _Shares,
) -> tuple[list[SearchLevel], int]:
    """Return what each level scores on sentences of which its climb saw nothing, and the number of rule sets tried."""
    if not settings.folds:
        return [], 0
    chance = np.random.default_rng(settings.seed)
    fold = np.full(len(training), -1)
    fold[training] = chance.permutation(int(training.sum())) % settings.folds
    rows = np.zeros((len(LEVELS) + 1, len(training), 3))
    steps = np.zeros(len(LEVELS) + 1)
    least: list[float | None] = []
    tried = 0
    for number in range(settings.folds):
        left_out = fold == number
        climb = Climb(scorer, training & ~left_out, settings, metric)
        stages = list(climb.stages(begin, progress=share.next()))
        least = [stage.minimum_gain for stage in stages]
        tried += climb.tried
        for place, stage in enumerate(stages):
            rows[place, left_out] = stage.now.rows[left_out]
            steps[place] += (len(stage.steps) - 1) / settings.folds
    levels = [
        SearchLevel(
            minimum_gain=least[place],
            steps=float(steps[place]),
            held_out=mean_scores(rows[place, training]),
            gain=_gain((rows[place] - rows[0])[training, 0], settings),
        )
        for place in range(len(LEVELS) + 1)
    ]
    return levels, tried


def _result(
    begin: RuleSet,
    climb: Climb,
    stages: list[ClimbStage],
    held: NDArray[np.bool_],
    validated: list[SearchLevel],
    settings: SearchSettings,
) -> tuple[RuleSet, RuleSearchResult]:
    last = stages[-1]
    name = f"{begin.name}-searched" if begin.rules else "searched"
    rules = replace(last.now.rules, name=name, description="")
    gain = None
    if held.any():
        gain = _gain((last.now.rows - stages[0].now.rows)[held, 0], settings)
    result = RuleSearchResult(
        start=begin.name,
        objective=str(settings.objective),
        sentences=int((~held).sum()),
        held_out=int(held.sum()),
        tried=climb.tried,
        finished=last.finished,
        steps=last.steps,
        gain=gain,
        folds=settings.folds,
        levels=tuple(validated),
        level=len(stages) - 1,
        digest=rule_set_digest(rules),
    )
    return rules, result


def _gain(gained: NDArray[np.float64], settings: SearchSettings) -> tuple[float, float, float]:
    sums = bootstrap_sums(gained[None, :, None], Resampling(seed=settings.seed))
    means = sums.resampled()[:, :, 0] / len(gained)
    low, high = percentile_intervals(means)[0]
    return float(gained.mean()), float(low), float(high)


def _drawn(count: int, settings: SearchSettings) -> NDArray[np.bool_]:
    held = np.zeros(count, dtype=np.bool_)
    chance = np.random.default_rng(settings.seed)
    held[chance.permutation(count)[: round(settings.held_out * count)]] = True
    return held
