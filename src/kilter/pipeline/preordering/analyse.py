"""Why a parser and a rule set score as they do: the four analyses of pre-ordering. [FRS]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import OptionError
from kilter.formats.reordering import reordering_text
from kilter.metrics.frs import Frs
from kilter.options.argument import checked
from kilter.pipeline.preordering.evaluate import ReorderingScorer, ScoredOrder, check_one_source
from kilter.preordering.analysis import Misordering, kind_rows, tree_text, word_rows
from kilter.preordering.dependency_tree_order import heads_above, tree_slots
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import Method, RuleSet
from kilter.statistics.resampling import Resampling, bootstrap_sums
from kilter.statistics.significance import LEAST_SEGMENTS, percentile_intervals
from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn
from kilter.structures.reordering.printed_order import PrintedOrder
from kilter.structures.result.analysis_result import (
    AnalysedSentence,
    Analysis,
    AnalysisResult,
    OtherSentence,
    RuleCost,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.structures.result.analysis_result import AnalysisRow


@checked
def analyse_preorder(  # noqa: PLR0913 - every knob of a run
    parses: Mapping[str, DependencyTreeColumn],
    rules: RuleSet | str,
    reference: PrintedOrder,
    *,
    analyses: Sequence[Analysis] = tuple(Analysis),
    metric: Frs | None = None,
    gold: DependencyTreeColumn | None = None,
    minimum: int = 5,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> AnalysisResult:
    """Return the analyses of the first parser's trees; with a second, sentences by their difference.

    `minimum` is how often a word or class must occur. Rule sets without rules have no analysis of rules.
    The set may be given by name, or by the path of its file.
    """
    if not 1 <= len(parses) <= 2:
        raise OptionError("analyses look at one parser, or compare two")
    if not analyses:
        raise OptionError(f"there is no analysis; name at least one of {', '.join(Analysis)}")
    rules = as_rule_set(rules)
    check_one_source(parses.values())
    chosen = metric or Frs()
    drawn = resampling or Resampling()
    columns = {name: trees.first_parses() for name, trees in parses.items()}
    scorers = [
        ReorderingScorer(trees, reference, match=chosen.match, jobs=jobs)
        for trees in columns.values()
    ]
    scored = [scorer.score(rules) for scorer in scorers]
    trees = scorers[0].trees
    misordered = Misordering.of(scored[0].order, scored[0].match, ties=chosen.ties)
    scores = chosen.match_scores(scored[0].match)
    found: dict[Analysis, Sequence[AnalysisRow]] = {}
    for analysis in analyses:
        if analysis is Analysis.WORDS:
            found[analysis] = word_rows(trees, misordered, minimum=minimum)
        elif analysis is Analysis.CLASSES:
            first_gold = None if gold is None else gold.first_parses()
            found[analysis] = kind_rows(trees, misordered, gold=first_gold, minimum=minimum)
        elif analysis is Analysis.SENTENCES:
            found[analysis] = _sentence_rows(columns, scored, chosen, reference)
        elif rules.method is Method.PRECEDENCE:
            costs = [*_rule_costs(scorers[0], rules, scores, chosen, drawn)]
            costs.sort(key=_cost)
            found[analysis] = costs
        else:
            found[analysis] = []
    return AnalysisResult(
        parser=next(iter(parses)),
        rules=rules.name,
        segments=len(trees),
        score=float(chosen.corpus_score(chosen.match_statistics(scored[0].match).sum(axis=0))),
        signature=chosen.signature(),
        analyses=found,
    )


def _cost(row: RuleCost) -> tuple[bool, float]:
    """Return what sorts the costliest rules first, and those that never fire last."""
    return row.fires == 0, (row.difference or 0.0) * row.sentences


def _sentence_rows(
    columns: Mapping[str, DependencyTreeColumn],
    scored: Sequence[ScoredOrder],
    metric: Frs,
    reference: PrintedOrder,
) -> list[AnalysedSentence]:
    """Return the worst sentences, or those that differ most between two parsers."""
    trees = next(iter(columns.values()))
    sentences = trees.sentences()
    scores = [metric.match_scores(each.match) for each in scored]
    chunks = [each.match.lengths - each.match.joins(ties=metric.ties) for each in scored]
    if len(scored) == 1:
        order = np.lexsort((-chunks[0], scores[0]))
    else:
        order = np.argsort(-np.abs(scores[1] - scores[0]), kind="stable")
    rows = []
    for segment in order.tolist():
        other = None
        if len(scored) == 2:
            first, second = columns.values()
            other = OtherSentence(
                score=float(scores[1][segment]),
                difference=float(scores[1][segment] - scores[0][segment]),
                system=_reordered(sentences[segment], scored[1], segment),
                tree=tree_text(first, segment),
                other_tree=tree_text(second, segment),
            )
        rows.append(
            AnalysedSentence(
                segment=segment + 1,
                score=float(scores[0][segment]),
                chunks=int(chunks[0][segment]),
                source=" ".join(sentences[segment]),
                system=_reordered(sentences[segment], scored[0], segment),
                reference=reference_text(reference, sentences[segment], segment),
                other=other,
            )
        )
    return rows


def _reordered(words: Sequence[str], scored: ScoredOrder, segment: int) -> str:
    return reordering_text(words, scored.order.groups(segment))


def reference_text(reference: PrintedOrder, words: Sequence[str], segment: int) -> str:
    """Return a sentence in the order of the reference, tied words in brackets."""
    if reference.words is None:
        return reordering_text(words, reference.groups(segment))
    rows = slice(int(reference.offsets[segment]), int(reference.offsets[segment + 1]))
    numbers = reference.group[rows].tolist()
    groups: list[list[int]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for place, number in enumerate(numbers):
        groups[number].append(place)
    return reordering_text(reference.words[segment], groups)


def _rule_costs(
    scorer: ReorderingScorer,
    rules: RuleSet,
    whole: NDArray[np.float64],
    metric: Frs,
    drawn: Resampling,
) -> Iterator[RuleCost]:
    """Yield a row for each rule, and for each of its groups but OTHER and HEAD."""
    firing = _Firing(scorer.trees, rules)

    def scores(changed: RuleSet) -> NDArray[np.float64]:
        return metric.match_scores(scorer.score(changed).match)

    for place, rule in enumerate(rules.rules):
        others = rules.without_rule(place), rules.with_only_rule(rule)
        yield _rule_cost(
            rule.name, None, firing.rule(place), whole, tuple(map(scores, others)), drawn
        )
        for number, group in enumerate(rule.groups):
            if group.is_special:
                continue
            without = rules.with_rule(place, rule.without_group(number))
            only = rules.with_only_rule(rule.with_only_group(number))
            pair = scores(without), scores(only)
            yield _rule_cost(rule.name, str(group), firing.group(place, number), whole, pair, drawn)


class _Firing:
    """Which heads a rule orders, and which of them have a child of a group."""

    def __init__(self, trees: DependencyTreeColumn, rules: RuleSet) -> None:
        slots = tree_slots(trees, rules)
        self.offsets = trees.offsets
        self.heads = heads_above(trees)
        self.rules = slots.rule[self.heads]
        self.slots = slots.child[trees.heads >= 0]

    def rule(self, place: int) -> NDArray[np.int64]:
        """Return the number of heads with children in each tree that a rule orders."""
        return self._per_tree(self.rules == place)

    def group(self, place: int, number: int) -> NDArray[np.int64]:
        """Return the number of those with a child of this group."""
        return self._per_tree((self.rules == place) & (self.slots == number))

    def _per_tree(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        heads = np.unique(self.heads[chosen])
        trees = np.searchsorted(self.offsets, heads, side="right") - 1
        return np.bincount(trees, minlength=len(self.offsets) - 1)


def _rule_cost(
    rule: str,
    group: str | None,
    fires: NDArray[np.int64],
    whole: NDArray[np.float64],
    others: tuple[NDArray[np.float64], ...],
    drawn: Resampling,
) -> RuleCost:
    without, alone = others
    fired = fires > 0
    difference, low, high = _interval((whole - without)[fired], drawn)
    return RuleCost(
        rule=rule,
        group=group,
        fires=int(fires.sum()),
        sentences=int(fired.sum()),
        whole=_mean(whole),
        without=_mean(without),
        alone=_mean(alone),
        difference=difference,
        low=low,
        high=high,
    )


def _mean(scores: NDArray[np.float64]) -> float | None:
    return float(scores.mean()) if len(scores) else None


def _interval(
    differences: NDArray[np.float64], drawn: Resampling
) -> tuple[float | None, float | None, float | None]:
    """Return the mean and its bootstrap interval; one sentence has no interval, nothing has neither."""
    if not len(differences):
        return None, None, None
    if len(differences) < LEAST_SEGMENTS:
        return float(differences.mean()), None, None
    sums = bootstrap_sums(differences[np.newaxis, :, np.newaxis], drawn)
    means = sums.resampled()[:, :, 0] / len(differences)
    ((low, high),) = percentile_intervals(means, level=drawn.level).tolist()
    return float(differences.mean()), low, high
