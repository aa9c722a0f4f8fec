"""What rules do at each head of a tree: its parts before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.dependency_tree_order import (
    final_punctuation,
    reorder_trees,
    tree_slots,
)
from kilter.preordering.rule_set import HEAD, Method
from kilter.results.preordering import AppliedRules, FiredRule, OrderedPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.preordering.dependency_tree_order import Slots
    from kilter.preordering.rule_set import RuleSet

_SIDES = ("before the head", "after the head", HEAD)
"""What methods without rules order: their slots 0, 1 and 2."""


def applied_rules(
    tree: DependencyTree | DependencyTreeColumn, rules: RuleSet, *, score: float | None = None
) -> AppliedRules:
    """Return the order that rules make of one tree, and every rule that fired, by head.

    A column of one tree may have lemmas and fine tags, for rules that look at them. A rule fires at a head that has children. Methods that reverse all words or none look at no head. The
    punctuation that is kept at the end is no part of any rule.

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
