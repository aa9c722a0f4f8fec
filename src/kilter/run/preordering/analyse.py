"""Why a parser and a rule set score as they do: the four analyses of pre-ordering. [FRS]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import check_fields, checked, flag, setting, taken, takes
from kilter.io.reordering import reordering_text
from kilter.metrics.tied_order import Matching
from kilter.preordering.analysis import Misordering, kind_rows, tree_text, word_rows
from kilter.preordering.dependency_tree_order import heads_above, tree_slots
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import Method, RuleSet
from kilter.results.preordering import (
    AnalysedSentence,
    Analysis,
    AnalysisResult,
    OtherSentence,
    RowOrder,
    RuleCost,
)
from kilter.run.preordering.evaluate import (
    ReorderingScorer,
    ScoredOrder,
    check_one_source,
    check_rule_names,
)
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.metrics.frs import Frs
    from kilter.results.preordering import (
        AnalysisRow,
        MisorderedClass,
    )


@dataclass(frozen=True, kw_only=True)
class AnalyseSettings:
    """What is looked at, and how much of it."""

    analyses: tuple[Analysis, ...] = setting(
        "--analysis",
        default=tuple(Analysis),
        description="Analysis to show; repeatable.  [default: all]",
    )
    minimum: int = setting(default=5, low=1, description="Minimum count of a word or class.")
    sort: RowOrder = setting(
        default=RowOrder.WRONG_PAIRS,
        description="Sort words and classes by this column.",
    )
    trees: bool = flag(description="Draw the trees of sentences.")
    top: int = setting(default=10, low=0, description="Rows per analysis; 0 for all.")
    matching: Matching = field(default_factory=Matching)

    def __post_init__(self) -> None:
        check_fields(self)


@checked
@takes(AnalyseSettings)
def analyse_preorder(
    parses: Mapping[str, DependencyTreeColumn],
    rules: RuleSet | str | Sequence[RuleSet | str],
    reference: PrintedOrder,
    *,
    gold: DependencyTreeColumn | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    settings: AnalyseSettings | None = None,
    **keywords: object,
) -> AnalysisResult:
    """Return the analyses of the first parser's trees; with a second, sentences by their difference.

    There are at most `top` rows of each analysis, and of each kind of class; 0 is all of them. Rule sets without rules have no analysis of rules. A set may be given by name, or by the path of its
    file. Two sets, such as a file before and after an edit, are compared: words, classes and sentences by what changed
    most, and the rules of both.
    """
    options = taken(AnalyseSettings, settings, keywords)
    analyses = tuple(dict.fromkeys(options.analyses))
    sets = [as_rule_set(each) for each in _listed(rules)]
    _check(parses, sets, analyses)
    check_one_source(parses.values())
    chosen = options.matching.frs()
    columns = {name: column.first_parses() for name, column in parses.items()}
    scorers = [
        ReorderingScorer(column, reference, match=chosen.match, jobs=jobs)
        for column in columns.values()
    ]
    scored = [scorer.score(each) for scorer in scorers for each in sets]
    looked = _Looked(
        columns=columns,
        sets=sets,
        scorer=scorers[0],
        scored=scored,
        metric=chosen,
        reference=reference,
        drawn=resampling or Resampling(),
    )
    found: dict[Analysis, Sequence[AnalysisRow]] = {}
    for analysis in analyses:
        if analysis is Analysis.WORDS:
            found[analysis] = looked.words(options.minimum, options.sort)
        elif analysis is Analysis.CLASSES:
            found[analysis] = looked.classes(options.minimum, options.sort, gold)
        elif analysis is Analysis.SENTENCES:
            found[analysis] = looked.sentences(drawn=options.trees)
        else:
            found[analysis] = looked.rules()
    compared = len(sets) == 2
    result = AnalysisResult(
        parser=next(iter(parses)),
        rules=sets[0].name,
        segments=len(scorers[0].trees),
        score=looked.score(0),
        signature=chosen.signature(),
        analyses=found,
        sort=options.sort,
        after_rules=sets[1].name if compared else None,
        after_score=looked.score(1) if compared else None,
    )
    return result.top(options.top) if options.top else result


def _listed(rules: RuleSet | str | Sequence[RuleSet | str]) -> list[RuleSet | str]:
    return [rules] if isinstance(rules, (RuleSet, str)) else list(rules)


def _check(
    parses: Mapping[str, DependencyTreeColumn],
    sets: Sequence[RuleSet],
    analyses: Sequence[Analysis],
) -> None:
    if not 1 <= len(parses) <= 2:
        raise OptionError("analyses look at one parser, or compare two")
    if not 1 <= len(sets) <= 2:
        raise OptionError("analyses look at one rule set, or compare two")
    if len(parses) == len(sets) == 2:
        raise OptionError("analyses compare two parsers or two rule sets, not both at once")
    if len(sets) == 2:
        check_rule_names(sets)
    if not analyses:
        raise OptionError(f"there is no analysis; name at least one of {', '.join(Analysis)}")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Looked:
    """What was scored: one parser and rule set, two parsers, or two rule sets."""

    columns: Mapping[str, DependencyTreeColumn]
    sets: Sequence[RuleSet]
    scorer: ReorderingScorer
    scored: Sequence[ScoredOrder]
    metric: Frs
    reference: PrintedOrder
    drawn: Resampling

    def score(self, place: int) -> float:
        """Return the score of all sentences."""
        statistics = self.metric.match_statistics(self.scored[place].match)
        return float(self.metric.corpus_score(statistics.sum(axis=0)))

    def words(self, minimum: int, sort: RowOrder) -> list[MisorderedClass]:
        """Return the analysis of words."""
        first, after = self._misordered()
        return word_rows(self.scorer.trees, first, minimum=minimum, sort=sort, after=after)

    def classes(
        self, minimum: int, sort: RowOrder, gold: DependencyTreeColumn | None
    ) -> list[MisorderedClass]:
        """Return the analysis of classes of words."""
        first, after = self._misordered()
        return kind_rows(
            self.scorer.trees,
            first,
            gold=None if gold is None else gold.first_parses(),
            minimum=minimum,
            sort=sort,
            after=after,
        )

    def sentences(self, *, drawn: bool) -> list[AnalysedSentence]:
        """Return the analysis of sentences."""
        return _sentence_rows(self.columns, self.scored, self.metric, self.reference, drawn=drawn)

    def rules(self) -> list[RuleCost]:
        """Return the analysis of rules, those of the first set before those of the second."""
        found = []
        for rules, scored in zip(self.sets, self.scored, strict=False):
            if rules.method is not Method.PRECEDENCE:
                continue
            whole = self.metric.match_scores(scored.match)
            costs = [*_rule_costs(self.scorer, rules, whole, self.metric, self.drawn)]
            costs.sort(key=_cost)
            named = rules.name if len(self.sets) == 2 else None
            found += [replace(row, rules=named) for row in costs]
        return found

    def _misordered(self) -> tuple[Misordering, Misordering | None]:
        made = [
            Misordering.of(each.order, each.match, ties=self.metric.ties)
            for each in self.scored[: len(self.sets)]
        ]
        return made[0], made[1] if len(made) == 2 else None


def _cost(row: RuleCost) -> tuple[bool, float]:
    """Return what sorts the costliest rules first, and those that never fire last."""
    return row.fires == 0, (row.value or 0.0) * row.sentences


def _sentence_rows(
    columns: Mapping[str, DependencyTreeColumn],
    scored: Sequence[ScoredOrder],
    metric: Frs,
    reference: PrintedOrder,
    *,
    drawn: bool,
) -> list[AnalysedSentence]:
    """Return the worst sentences, or those that differ most between two parsers or two rule sets."""
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
            lines = [tree_text(column, segment) for column in columns.values()]
            other = OtherSentence(
                score=float(scores[1][segment]),
                difference=float(scores[1][segment] - scores[0][segment]),
                system=_reordered(sentences[segment], scored[1], segment),
                tree=lines[0] if len(lines) == 2 else None,
                other_tree=lines[1] if len(lines) == 2 else None,
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
                drawn=tuple(column.segment(segment)[0] for column in columns.values())
                if drawn
                else (),
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
        value=difference,
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
