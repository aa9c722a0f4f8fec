"""A search for pre-ordering rules that bring sentences closest to their references: hill climbing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import checked, flag, setting
from kilter.metrics.tied_order import Matching, TiedKendall
from kilter.preordering.condition_topic import condition_topics
from kilter.preordering.rule_change import Topic, changes, estimated_rules, topics
from kilter.preordering.rule_file import as_rule_set, rule_set_digest
from kilter.preordering.rule_set import Method, Rule, RuleSet
from kilter.results.preordering import RuleScores, RuleSearchResult, SearchLevel, SearchStep
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.reordering import Reordering
    from kilter.metrics.frs import Frs

Progress: TypeAlias = Callable[[int, int], None]

GROWN, GROWTH = 2, 2
"""First rules of a category that are tried with their labels, and rounds over these."""
_ALL = "*"
LEVELS = (16, 8, 4, 2, 1)
"""How many times the least gain a change must gain, one level after another."""


class SearchObjective(StrEnum):
    """What a search makes larger."""

    FRS = "frs"
    KENDALL = "kendall"
    MIX = "mix"

    @property
    def weights(self) -> tuple[float, float]:
        """How much the fuzzy reordering score and the Kendall score count."""
        return {
            SearchObjective.FRS: (1.0, 0.0),
            SearchObjective.KENDALL: (0.0, 1.0),
            SearchObjective.MIX: (1.0, 0.5),
        }[self]


MOST_FOLDS = 20


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How far a search goes, and what it looks at."""

    objective: SearchObjective = setting(
        default=SearchObjective.MIX,
        description="Objective to maximise; mix is frs + kendall / 2.",
    )
    conditions: bool = setting(
        "--conditions/--no-conditions",
        default=True,
        description="Try conditions on words and trees.",
    )
    lemmas: bool = flag(description="Use lemmas instead of words in conditions.")
    folds: int = setting(
        default=5,
        low=0,
        high=MOST_FOLDS,
        description="Folds of cross-validation; 0 for none.",
    )
    held_out: float = setting(
        default=0.2,
        low=0,
        high=0.9,
        metavar="SHARE",
        description="Share of the sentences held out at random.",
    )
    fewest: int = setting(
        "--min-count",
        old=("--fewest",),
        default=5,
        low=1,
        description="Ignore words and classes rarer than this.",
    )
    minimum_gain: float = setting(default=0.0001, low=0, description="Minimum gain of a change.")
    caution: float = setting(
        "--min-gain-errors",
        old=("--caution",),
        default=1.0,
        low=0,
        description="Minimum gain of a change, in standard errors.",
    )
    passes: int = setting(
        default=10,
        low=1,
        high=1000,
        description="Maximum number of passes over all questions.",
    )
    seed: int = setting(
        default=1, low=0, description="Random seed of held-out data, folds and resamples."
    )
    matching: Matching = field(default_factory=Matching)


@dataclass(frozen=True, eq=False, kw_only=True)
class Tried:
    """A rule set, what it scores on each sentence (objective, FRS, Kendall), and what was changed for it."""

    rules: RuleSet
    rows: NDArray[np.float64]
    what: str = ""


class ClimbStage(NamedTuple):
    """Where a climb stands at its beginning or after a level: the least gain of a change, and the steps so far."""

    minimum_gain: float | None
    now: Tried
    steps: tuple[SearchStep, ...]
    finished: bool


class _Best(NamedTuple):
    """The best answer to a topic, if one is good enough, and what it gains."""

    tried: Tried | None
    gain: float


class Climb:
    """A climb on the training sentences of a scorer; others are scored and decide nothing."""

    def __init__(
        self,
        scorer: ReorderingScorer,
        training: NDArray[np.bool_],
        settings: SearchSettings,
        metric: Frs,
    ) -> None:
        self._scorer, self._training, self._settings = scorer, training, settings
        self._count = int(training.sum())
        self._metrics = metric, TiedKendall(match=metric.match)
        lookup = scorer.lookup
        words = np.repeat(training, np.diff(scorer.trees.offsets))
        self._segments = np.repeat(np.arange(len(training)), np.diff(scorer.trees.offsets))
        plain = topics(scorer.trees.picked(np.flatnonzero(training)), fewest=settings.fewest)
        held = []
        if settings.conditions:
            held = condition_topics(
                lookup, words, plain, fewest=max(settings.fewest, 2), lemmas=settings.lemmas
            )
        self._topics: Sequence[Topic] = [*plain, *held]
        self._estimates = self._estimated(words)
        self._asked: dict[Topic, tuple[int, int, float]] = {}
        self._versions: Counter[str] = Counter()
        self.tried = 0

    def stages(
        self, begin: RuleSet, *, levels: int = len(LEVELS), progress: Progress | None = None
    ) -> Iterator[ClimbStage]:
        """Yield where the climb begins, and where it stands after each of the first levels; changes gain less and less.

        A level ends with a round over all questions that changes nothing. In between, a question is asked again where a
        rule of its category has changed since; one with a condition, only if it gained at least half of what the level
        asks for.
        """
        now = Tried(rules=begin, rows=self.rows(begin))
        steps = [self._step("where the search begins", now.rows)]
        yield ClimbStage(None, now, tuple(steps), finished=True)
        size = len(self._topics)
        for number, factor in enumerate(LEVELS[:levels]):
            least = factor * self._settings.minimum_gain
            finished, thorough = False, True
            for _ in range(self._settings.passes):
                before = len(steps)
                for place, topic in enumerate(self._topics):
                    if progress is not None:
                        progress(number * size + place + 1, len(LEVELS[:levels]) * size)
                    if not self._is_due(topic, least, thorough=thorough):
                        continue
                    better = self._answer(now, topic, least)
                    if better is not None:
                        now = better
                        steps.append(self._step(now.what, now.rows))
                        self._versions.update([topic.head, _ALL])
                changed = len(steps) > before
                finished = thorough and not changed
                if finished:
                    break
                thorough = not changed
            yield ClimbStage(least, now, tuple(steps), finished)

    def rows(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return objective, FRS and Kendall score of every sentence."""
        return self._rows(self._scorer, self._scorer.ordered(rules))

    def _is_due(self, topic: Topic, least: float, *, thorough: bool) -> bool:
        if topic not in self._asked:
            return True
        own, everything, gain = self._asked[topic]
        changed = own != self._versions[topic.head]
        if topic.when is None:
            changed |= thorough and everything != self._versions[_ALL]
        elif changed:
            changed = gain >= least / 2
        return changed or gain > least

    def _answer(self, now: Tried, topic: Topic, least: float) -> Tried | None:
        """Return the answer to a topic that gains most, if one gains enough."""
        best = self._better(now, topic, least)
        if best.tried is None and self._is_new(now.rules, topic):
            best = self._grown(now, topic.head, least)
        self._asked[topic] = self._versions[topic.head], self._versions[_ALL], best.gain
        return best.tried

    def _better(self, now: Tried, topic: Topic, least: float) -> _Best:
        """Return the answer that gains most; only sentences whose order it can change are scored."""
        touched = np.zeros(len(self._training), dtype=bool)
        touched[self._segments[topic.words(self._scorer.lookup)]] = True
        segments = np.flatnonzero(touched & self._training)
        if not segments.size:
            return _Best(None, -np.inf)
        part = self._scorer.part(segments)
        base = now.rows[segments, 0]
        best, most = None, -np.inf
        seen: set[bytes] = set()
        for change in changes(now.rules, topic, self._estimates):
            order = part.ordered(change.rules)
            # Most places are the same where groups between them have no children.
            key = order.order.tobytes()
            if key in seen:
                continue
            seen.add(key)
            gained = self._rows(part, order)[:, 0] - base
            gain = float(gained.sum()) / self._count
            if gain > max(most, 0.0) and self._is_sure(gained, gain):
                best, most = change, gain
        if best is None or most <= least:
            return _Best(None, most)
        return _Best(Tried(rules=best.rules, rows=self.rows(best.rules), what=best.what), most)

    def _is_sure(self, gained: NDArray[np.float64], gain: float) -> bool:
        """Return whether a mean gain is as many standard errors as caution asks for."""
        spread = float((gained**2).sum()) / self._count - gain**2
        error = float(np.sqrt(max(spread, 0.0) / self._count))
        return gain >= self._settings.caution * error

    def _is_new(self, rules: RuleSet, topic: Topic) -> bool:
        whole = bool(topic.head) and not topic.label and topic.when is None
        return whole and rules.rule_of(topic.head) < 0

    def _grown(self, now: Tried, head: str, least: float) -> _Best:
        """Return a first rule of a category that gains enough once its labels have found their places.

        By itself a first rule mostly loses: it moves children of both sides to one.
        """
        first = [
            Tried(rules=change.rules, rows=self.rows(change.rules))
            for change in changes(now.rules, Topic(head), self._estimates)
        ]
        labels = [topic for topic in self._topics if topic.head == head and topic.label]
        plain = [topic for topic in labels if topic.when is None]
        best, most, start = None, -np.inf, self._value(now)
        for tried in sorted(first, key=lambda each: -self._value(each))[:GROWN]:
            grown = tried
            for _ in range(GROWTH):
                for topic in plain:
                    grown = self._better(grown, topic, self._settings.minimum_gain).tried or grown
            gained = (grown.rows - now.rows)[self._training, 0]
            gain = self._value(grown) - start
            if gain > most and self._is_sure(gained, gain):
                rule = grown.rules.rules[grown.rules.rule_of(head)]
                what = f"{head}: {' '.join(map(str, rule.groups))}"
                best, most = replace(grown, what=what), gain
        return _Best(best if most > least else None, most)

    def _estimated(self, training: NDArray[np.bool_]) -> list[dict[str, Rule]]:
        """Return rules as training references, and as the sentences themselves, suggest them."""
        there = self._scorer.score(RuleSet(name="none", method=Method.NONE)).match.groups
        return [
            estimated_rules(
                self._scorer.trees,
                places.astype(np.float64),
                training,
                fewest=self._settings.fewest,
            )
            for places in (there, self._scorer.lookup.positions)
        ]

    def _rows(self, scorer: ReorderingScorer, order: Reordering) -> NDArray[np.float64]:
        self.tried += 1
        match = scorer.matched(order)
        frs, kendall = (each.corpus_score(each.match_statistics(match)) for each in self._metrics)
        one, other = self._settings.objective.weights
        return np.column_stack([one * frs + other * kendall, frs, kendall])

    def _value(self, tried: Tried) -> float:
        return float(tried.rows[self._training, 0].mean())

    def _step(self, what: str, rows: NDArray[np.float64]) -> SearchStep:
        held = None if self._training.all() else mean_scores(rows[~self._training])
        return SearchStep(what, mean_scores(rows[self._training]), held)


def mean_scores(rows: NDArray[np.float64]) -> RuleScores:
    """Return the means of objective, FRS and Kendall score."""
    return RuleScores(*(float(each) for each in rows.mean(axis=0)))


__all__ = ["MOST_FOLDS", "Progress", "SearchObjective", "SearchSettings", "search_rules"]

FEWEST_SENTENCES = 10
"""Sentences below which rules would fit their accidents."""


@checked
def search_rules(
    trees: DependencyTreeColumn,
    reference: PrintedOrder,
    *,
    start: RuleSet | str | None = None,
    settings: SearchSettings | None = None,
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
    used = chosen.matching.frs()
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
