"""A search for pre-ordering rules that bring sentences closest to their references: hill climbing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.metrics.frs import Frs
from kilter.metrics.tied_order import TiedKendall
from kilter.options.argument import checked
from kilter.pipeline.preordering.evaluate import ReorderingScorer
from kilter.preordering.rule_change import Topic, changes, estimated_rules, topics
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import Method, Rule, RuleSet
from kilter.statistics.resampling import Resampling, bootstrap_sums
from kilter.statistics.significance import percentile_intervals
from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn
from kilter.structures.reordering.printed_order import PrintedOrder
from kilter.structures.result.rule_search import RuleScores, RuleSearchResult, SearchStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

Progress: TypeAlias = Callable[[int, int], None]

GROWN, GROWTH = 2, 2
"""First rules of a category that are tried with their labels, and rounds over these."""
FEWEST_SENTENCES = 10
"""Sentences below which rules would fit their accidents."""


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


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How far a search goes, and what it looks at."""

    objective: SearchObjective = SearchObjective.MIX
    held_out: float = 0.2
    fewest: int = 5
    minimum_gain: float = 0.0001
    passes: int = 10
    seed: int = 1


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
    children of this label below heads of this category stand? The answer that gains most on the training
    sentences is taken, until a round of all questions gains nothing. Held-out sentences are scored and decide
    nothing.
    """
    chosen = settings or SearchSettings()
    if not 0.0 <= chosen.held_out <= 0.9:
        raise OptionError(f"held_out is {chosen.held_out}; it must lie between 0 and 0.9")
    climb = _Climb(trees.first_parses(), reference, chosen, metric or Frs(), jobs)
    begin = _beginning(start)
    return climb.found(begin, progress)


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


@dataclass(frozen=True, eq=False)
class _Tried:
    """A rule set, what it scores on each sentence, and what was changed for it."""

    rules: RuleSet
    rows: NDArray[np.float64]
    what: str = ""


class _Climb:
    """The sentences of a search, and what rule sets score on them."""

    def __init__(
        self,
        trees: DependencyTreeColumn,
        reference: PrintedOrder,
        settings: SearchSettings,
        metric: Frs,
        jobs: int,
    ) -> None:
        self._settings = settings
        self._frs = metric
        self._kendall = TiedKendall(match=metric.match)
        self._scorer = ReorderingScorer(trees, reference, match=metric.match, jobs=jobs)
        self._held = _drawn(len(trees), settings)
        training = int((~self._held).sum())
        if training < FEWEST_SENTENCES:
            raise InputError(
                f"there are {counted(training, 'sentence')} to learn from; at least {FEWEST_SENTENCES} are needed",
                where=reference.name,
            )
        self._topics = topics(trees, fewest=settings.fewest)
        self._estimates = self._estimated(trees)
        self._tried = 0

    def found(self, begin: RuleSet, progress: Progress | None) -> tuple[RuleSet, RuleSearchResult]:
        """Return the rules at the top, and the way there."""
        rules, rows = begin, self._rows(begin)
        first = rows
        steps = [self._step("where the search begins", rows)]
        total = self._settings.passes * len(self._topics)
        finished = False
        for round_ in range(self._settings.passes):
            before = len(steps)
            for place, topic in enumerate(self._topics):
                better = self._better(_Tried(rules, rows), topic)
                if better is None and self._is_new(rules, topic):
                    better = self._grown(_Tried(rules, rows), topic.head)
                if better is not None:
                    rules, rows = better.rules, better.rows
                    steps.append(self._step(better.what, rows))
                if progress is not None:
                    progress(round_ * len(self._topics) + place + 1, total)
            if len(steps) == before:
                finished = True
                break
        if progress is not None:
            progress(total, total)
        name = f"{begin.name}-searched" if begin.rules else "searched"
        result = RuleSearchResult(
            start=begin.name,
            objective=str(self._settings.objective),
            sentences=int((~self._held).sum()),
            held_out=int(self._held.sum()),
            tried=self._tried,
            finished=finished,
            steps=tuple(steps),
            gain=self._gain(first, rows),
        )
        return replace(rules, name=name, description=""), result

    def _better(self, now: _Tried, topic: Topic) -> _Tried | None:
        """Return the answer to a topic that gains most, if one gains enough."""
        best, least = None, self._value(now.rows) + self._settings.minimum_gain
        for change in changes(now.rules, topic, self._estimates):
            tried = _Tried(change.rules, self._rows(change.rules), change.what)
            if self._value(tried.rows) > least:
                best, least = tried, self._value(tried.rows)
        return best

    def _is_new(self, rules: RuleSet, topic: Topic) -> bool:
        return bool(topic.head) and not topic.label and rules.rule_of(topic.head) < 0

    def _grown(self, now: _Tried, head: str) -> _Tried | None:
        """Return a first rule of a category that gains enough once its labels have found their places.

        By itself a first rule mostly loses: it moves children of both sides to one.
        """
        first = [
            _Tried(change.rules, self._rows(change.rules))
            for change in changes(now.rules, Topic(head), self._estimates)
        ]
        labels = [topic for topic in self._topics if topic.head == head and topic.label]
        best, least = None, self._value(now.rows) + self._settings.minimum_gain
        for tried in sorted(first, key=lambda each: -self._value(each.rows))[:GROWN]:
            grown = tried
            for _ in range(GROWTH):
                for topic in labels:
                    grown = self._better(grown, topic) or grown
            if self._value(grown.rows) > least:
                rule = grown.rules.rules[grown.rules.rule_of(head)]
                what = f"{head}: {' '.join(map(str, rule.groups))}"
                best, least = replace(grown, what=what), self._value(grown.rows)
        return best

    def _estimated(self, trees: DependencyTreeColumn) -> list[dict[str, Rule]]:
        """Return rules as training references, and as the sentences themselves, suggest them."""
        lengths = np.diff(trees.offsets)
        seen = np.repeat(~self._held, lengths)
        here = np.arange(len(seen)) - np.repeat(trees.offsets[:-1], lengths)
        there = self._scorer.score(RuleSet(name="none", method=Method.NONE)).match.groups
        return [
            estimated_rules(trees, places.astype(np.float64), seen, fewest=self._settings.fewest)
            for places in (there, here)
        ]

    def _rows(self, rules: RuleSet) -> NDArray[np.float64]:
        """Return objective, FRS and Kendall score of every sentence."""
        self._tried += 1
        match = self._scorer.score(rules).match
        frs = self._frs.corpus_score(self._frs.match_statistics(match))
        kendall = self._kendall.corpus_score(self._kendall.match_statistics(match))
        one, other = self._settings.objective.weights
        return np.column_stack([one * frs + other * kendall, frs, kendall])

    def _value(self, rows: NDArray[np.float64]) -> float:
        return float(rows[~self._held, 0].mean())

    def _step(self, what: str, rows: NDArray[np.float64]) -> SearchStep:
        held = _mean(rows[self._held]) if self._held.any() else None
        return SearchStep(what, _mean(rows[~self._held]), held)

    def _gain(
        self, first: NDArray[np.float64], last: NDArray[np.float64]
    ) -> tuple[float, float, float] | None:
        if not self._held.any():
            return None
        gained = (last - first)[self._held, 0]
        sums = bootstrap_sums(gained[None, :, None], Resampling(seed=self._settings.seed))
        means = sums.resampled()[:, :, 0] / len(gained)
        low, high = percentile_intervals(means)[0]
        return float(gained.mean()), float(low), float(high)


def _mean(rows: NDArray[np.float64]) -> RuleScores:
    return RuleScores(*(float(each) for each in rows.mean(axis=0)))


def _drawn(count: int, settings: SearchSettings) -> NDArray[np.bool_]:
    held = np.zeros(count, dtype=np.bool_)
    chance = np.random.default_rng(settings.seed)
    held[chance.permutation(count)[: round(settings.held_out * count)]] = True
    return held
