"""One sentence and what rules do with it, before and after an edit of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import checked
from kilter.metrics.frs import Frs
from kilter.preordering.dependency_tree_order import final_punctuation, reorder_trees, tree_slots
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import HEAD, Method, RuleSet
from kilter.results.preordering import (
    AppliedRules,
    FiredRule,
    OrderedPart,
    PreorderExplanation,
    RuleDifference,
)
from kilter.run.preordering.analyse import reference_text
from kilter.run.preordering.evaluate import ReorderingScorer

if TYPE_CHECKING:
    from kilter.preordering.dependency_tree_order import Slots

_SIDES = ("before the head", "after the head", HEAD)
"""What methods without rules order: their slots 0, 1 and 2."""


def applied_rules(
    tree: DependencyTree | DependencyTreeColumn, rules: RuleSet, *, score: float | None = None
) -> AppliedRules:
    """Return the order that rules make of one tree, and every rule that fired, by head.

    A column of one tree may have lemmas and fine tags, for rules that look at them. A rule fires at a head that has children. Methods that reverse all words or none look at no head. The
    punctuation that is kept at the end is not part of any rule.

    >>> from kilter.preordering.rule_file import load_rule_set
    >>> from kilter.core.dependency_tree import DependencyTree
    >>> tree = DependencyTree(
    ...     ["Anna", "reads", "letters"], [1, -1, 1],
    ...     labels=["nsubj", "root", "obj"], tags=["PROPN", "VERB", "NOUN"],
    ... )
    >>> applied = applied_rules(tree, load_rule_set("en-verb-final"))
    >>> applied.order, [part.word for part in applied.fired[0].moved]
    ((0, 2, 1), [1])
    """
    column = DependencyTreeColumn.of([tree]) if isinstance(tree, DependencyTree) else tree
    tree = column.tree(0)
    final: tuple[int, ...] = ()
    if rules.keep_final_punctuation:
        final = tuple(final_punctuation(column).nonzero()[0].tolist())
    fired: tuple[FiredRule, ...] = ()
    if rules.method not in (Method.NONE, Method.REVERSE):
        slots = tree_slots(column, rules)
        fired = tuple(
            _fired(tree, rules, slots, head, set(final))
            for head in range(len(tree))
            if tree.children(head) and int(slots.rule[head]) >= 0
        )
    return AppliedRules(
        rules=rules.name,
        method=str(rules.method),
        fired=fired,
        final=final,
        order=tuple(reorder_trees(column, rules).order.tolist()),
        score=score,
    )


def _fired(
    tree: DependencyTree, rules: RuleSet, slots: Slots, head: int, final: set[int]
) -> FiredRule:
    """Return what a rule does at a head; parts that stay at the end whatever it says are left out."""
    moving = [word for word in tree.children(head) if not final.issuperset(tree.subtree(word))]
    before = sorted([head, *moving])

    def key(word: int) -> tuple[int, int]:
        if word == head:
            return int(slots.head[word]), word
        return int(slots.child[word]), -word if slots.backward[word] else word

    after = sorted(before, key=key)
    kept = _kept(after)
    if rules.method is Method.PRECEDENCE:
        rule = rules.rules[int(slots.rule[head])]
        name, groups = " ".join(rule.heads), [str(group) for group in rule.groups]
        when = None if rule.when is None else str(rule.when)
    else:
        name, groups, when = str(rules.method), list(_SIDES), None
    parts = {
        word: OrderedPart(
            word=word,
            words=(head,) if word == head else tuple(tree.subtree(word)),
            label=tree.labels[word],
            group=HEAD if word == head else groups[key(word)[0]],
            moved=word not in kept,
        )
        for word in before
    }
    return FiredRule(
        head=head,
        tag=tree.tags[head],
        rule=name,
        when=when,
        order=", ".join(groups),
        before=tuple(parts[word] for word in before),
        after=tuple(parts[word] for word in after),
    )


def _kept(order: Sequence[int]) -> set[int]:
    """Return the most words that keep their order; of several choices the one that ends earliest."""
    runs: list[tuple[int, ...]] = []
    for word in order:
        below = [run for run in runs if run[-1] < word]
        runs.append((*max(below, key=len, default=()), word))
    longest: tuple[int, ...] = max(runs, key=len, default=())
    return set(longest)


_AS_IT_STANDS = RuleSet(name="source", method=Method.NONE)


@checked
def explain_preorder(
    trees: DependencyTreeColumn,
    rule_sets: Sequence[RuleSet | str],
    *,
    segment: int,
    reference: PrintedOrder | None = None,
    metric: Frs | None = None,
) -> PreorderExplanation:
    """Return what one rule set, or two, do with a sentence (counted from 1).

    The first parse of each sentence counts. With a reference, the sentence is scored as it stands and as each
    set orders it.
    """
    sets = [as_rule_set(rules) for rules in rule_sets]
    if len(sets) not in (1, 2):
        raise OptionError("give one rule set, or two to compare")
    first = trees.first_parses()
    if not 1 <= segment <= len(first):
        raise OptionError(
            f"there is no sentence {segment}; the trees are those of "
            f"{counted(len(first), 'sentence')}, counted from 1"
        )
    place = segment - 1
    alone = first.picked(np.array([place]))
    tree = alone.tree(0)
    scores: list[float | None] = [None] * (1 + len(sets))
    if reference is not None:
        scores = [*_scores(first, [_AS_IT_STANDS, *sets], reference, metric or Frs(), place)]
    applied = [
        applied_rules(alone, rules, score=score)
        for rules, score in zip(sets, scores[1:], strict=True)
    ]
    if len(applied) == 2 and applied[0].rules == applied[1].rules:
        # Two editions of one file may say the same name.
        applied = [
            replace(each, rules=f"{each.rules} ({number})")
            for number, each in enumerate(applied, 1)
        ]
    return PreorderExplanation(
        segment=segment,
        tree=tree,
        applied=tuple(applied),
        differences=_differences(applied),
        reference=None if reference is None else reference_text(reference, tree.words, place),
        score=scores[0],
    )


def _scores(
    trees: DependencyTreeColumn,
    rule_sets: Sequence[RuleSet],
    reference: PrintedOrder,
    metric: Frs,
    place: int,
) -> list[float]:
    scorer = ReorderingScorer(trees, reference, match=metric.match)
    return [float(metric.match_scores(scorer.score(rules).match)[place]) for rules in rule_sets]


def _differences(applied: Sequence[AppliedRules]) -> tuple[RuleDifference, ...]:
    """Return the heads whose parts two sets put in different orders; no rule leaves them in place."""
    if len(applied) != 2:
        return ()
    first, second = ({fired.head: fired for fired in each.fired} for each in applied)
    found = []
    for head in sorted({*first, *second}):
        one, other = first.get(head), second.get(head)
        orders = [[part.word for part in fired.after] if fired else None for fired in (one, other)]
        stays = sorted(orders[0] or orders[1] or [])
        if (orders[0] or stays) != (orders[1] or stays):
            found.append(RuleDifference(head=head, first=one, second=other))
    return tuple(found)
