"""Parsers x rule sets against reference reorderings: no translation is run. [FRS]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import TokenColumn
from kilter.core.counted import counted
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.reordering import (
    OrderMatch,
    PrintedOrder,
    mismatch,
    sorted_groups,
)
from kilter.core.settings import checked
from kilter.metrics.frs import Frs
from kilter.metrics.reordering_metric import ReorderingMetric, WordMatch
from kilter.metrics.tied_order import TiedKendall
from kilter.preordering.analysis import check_words, parser_accuracy
from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup
from kilter.preordering.dependency_tree_order import reordered
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import RuleSet
from kilter.results.comparison import SignificanceTest
from kilter.results.preordering import (
    ParserAccuracy,
    PreorderEvaluation,
    PreorderSystem,
)
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.core.reordering import Reordering


class ScoredOrder(NamedTuple):
    """Trees reordered by rules, and how that relates to the reference."""

    order: Reordering
    match: OrderMatch


class ReorderingScorer:
    """One reference, and the trees of one parser over the same words."""

    def __init__(
        self,
        trees: DependencyTreeColumn,
        reference: PrintedOrder,
        *,
        match: WordMatch = WordMatch.FORM,
        jobs: int = 1,
    ) -> None:
        self.trees = trees
        self.group = reference.group
        self.match = match
        self.jobs = jobs
        name = "the trees" if trees.origin is None else trees.origin.name
        if len(trees) != len(reference):
            raise InputError(
                f"has trees for {counted(len(trees), 'sentence')}, but {reference.name} has "
                f"{counted(len(reference), 'line')}; both need one for each sentence, in the same order"
                f"{_hint(trees) if len(trees) > len(reference) else ''}",
                where=name,
            )
        self.lookup = DependencyTreeLookup(trees)
        self.starts = self.lookup.starts
        self.reference = self._column(reference)
        if match is WordMatch.IDENTITY:
            reference.check_source(trees.sentences(), trees.where)
        source = np.arange(len(trees.words)) - self.starts
        self._check(self._words(source.astype(np.int32)), reference)
        self.sorted_groups = sorted_groups(self.reference, self.group)

    def score(self, rules: RuleSet) -> ScoredOrder:
        """Return the trees in the order of the rules, matched with the reference."""
        order = self.ordered(rules)
        return ScoredOrder(order, self.matched(order))

    def ordered(self, rules: RuleSet) -> Reordering:
        """Return the trees in the order of the rules."""
        return reordered(self.lookup, rules, jobs=self.jobs)

    def matched(self, order: Reordering) -> OrderMatch:
        """Return reordered trees matched with the reference."""
        words = self._words(order.order)
        return OrderMatch.of_sorted(words, self.sorted_groups, jobs=self.jobs)

    def part(self, segments: NDArray[np.int64]) -> ReorderingScorer:
        """Return the scorer of some segments, rising, so that what touches few is scored on these."""
        made = copy(self)
        made.trees = self.trees.picked(segments)
        chosen = np.zeros(len(self.trees), dtype=bool)
        chosen[segments] = True
        rows = np.repeat(chosen, np.diff(self.trees.offsets))
        made.lookup = DependencyTreeLookup(made.trees, whole=(self.lookup, rows))
        made.starts = made.lookup.starts
        # Words are sorted inside their segments, so that groups stay in their order.
        made.sorted_groups = self.sorted_groups[rows]
        return made

    def _words(self, order: NDArray[np.int32]) -> TokenColumn:
        if self.match is WordMatch.IDENTITY:
            return TokenColumn(order, self.trees.offsets)
        return TokenColumn(self.trees.words[self.starts + order], self.trees.offsets)

    def _column(self, reference: PrintedOrder) -> TokenColumn:
        if self.match is WordMatch.IDENTITY:
            if reference.order is None:
                raise InputError(
                    "gives words, but match=identity needs their places in the source; give it as jsonl "
                    "or positions",
                    where=reference.name,
                )
            return TokenColumn(reference.order, reference.offsets)
        words = _words_of(reference, self.trees) if reference.words is None else reference.words
        numbers = self.trees.vocabulary.numbers(word for line in words for word in line)
        return TokenColumn(numbers, reference.offsets)

    def _check(self, source: TokenColumn, reference: PrintedOrder) -> None:
        difference = mismatch(self.reference, source)
        if difference is None:
            return
        by_place = self.match is WordMatch.IDENTITY
        word = (
            f"position {difference.word}"
            if by_place
            else repr(self.trees.vocabulary.words[difference.word])
        )
        dropped = (
            ", so make them with a rule that drops none"
            if difference.here < difference.there
            else ""
        )
        raise InputError(
            f"{difference.reason(word, self.trees.where(difference.segment))}; references and trees must hold the "
            f"same words{dropped}",
            where=reference.where(difference.segment),
        )


def _hint(trees: DependencyTreeColumn) -> str:
    """Return how parses are numbered, if there are some that look like parses of one sentence."""
    if not any(one == other for one, other in pairwise(trees.sentences())):
        return ""
    return "; parses of one sentence are numbered by comments, '# parse = 1', '# parse = 2', ..."


def check_rule_names(rule_sets: Iterable[RuleSet]) -> None:
    """Raise an `InputError` if two rule sets have one name; results tell them apart by it."""
    seen = set()
    for rules in rule_sets:
        if rules.name in seen:
            raise InputError(
                f"two rule sets are called {rules.name!r}; give each of them once, and a name of its own "
                'with name = "..." in its file'
            )
        seen.add(rules.name)


def check_one_source(columns: Iterable[DependencyTreeColumn]) -> None:
    """Raise an `InputError` for the first trees over other words than those that come first."""
    first, *others = columns
    for trees in others:
        check_words(trees, first, noun="first trees")


def _words_of(reference: PrintedOrder, trees: DependencyTreeColumn) -> list[list[str]]:
    sentences = trees.sentences()
    found = []
    for segment, words in enumerate(sentences):
        places = reference.positions(segment)
        if max(places, default=-1) >= len(words):
            raise InputError(
                f"position {max(places)} lies outside the {counted(len(words), 'word')} of {trees.where(segment)}, "
                "counted from 0",
                where=reference.where(segment),
            )
        found.append([words[place] for place in places])
    return found


@checked
def evaluate_preorder(
    parses: Mapping[str, DependencyTreeColumn],
    rule_sets: Sequence[RuleSet | str],
    reference: PrintedOrder,
    *,
    metrics: Sequence[ReorderingMetric] | None = None,
    gold: DependencyTreeColumn | None = None,
    resampling: Resampling | None = None,
    marks: MarkRule = MarkRule.CORRECTED,
    jobs: int = 1,
) -> PreorderEvaluation:
    """Return the scores of all parsers x rule sets, with intervals and all pairs compared. Section 11.3

    `parses` are trees of one source by the name of their parser, read from files or made by any back-end;
    of several parses of a sentence the first counts. Rule sets may be given by name, or by the path of
    their file.
    """
    if not parses or not rule_sets:
        raise OptionError("give trees of at least one parser and at least one rule set")
    sets = list(map(as_rule_set, rule_sets))
    check_rule_names(sets)
    check_one_source(parses.values())
    chosen = [Frs(), TiedKendall()] if metrics is None else list(metrics)
    if not chosen:
        raise OptionError("there is no metric; name at least one, or give None")
    systems: list[PreorderSystem] = []
    matches: list[OrderMatch] = []
    accuracies: dict[str, ParserAccuracy] = {}
    for number, (parser, trees) in enumerate(parses.items(), start=1):
        first = trees.first_parses()
        if gold is not None:
            accuracies[parser] = parser_accuracy(first, gold.first_parses())
        scorer = ReorderingScorer(first, reference, match=chosen[0].match, jobs=jobs)
        for place, rules in enumerate(sets, start=1):
            systems.append(
                PreorderSystem(name=f"P{number}R{place}", parser=parser, rules=rules.name)
            )
            matches.append(scorer.score(rules).match)
    measured = [
        Measured(
            metric=metric,
            statistics=[metric.match_statistics(match) for match in matches],
            signature=metric.signature(),
        )
        for metric in chosen
    ]
    names = [system.name for system in systems]
    return PreorderEvaluation(
        systems=tuple(systems),
        comparison=compare_measured(
            names,
            measured,
            tests=[SignificanceTest.BOOTSTRAP],
            resampling=resampling,
            marks=marks,
        ),
        accuracies=accuracies,
        scores={
            (entry.name, name): entry.metric.corpus_score(rows)
            for entry in measured
            for name, rows in zip(names, map(np.asarray, entry.statistics), strict=True)
        },
    )
