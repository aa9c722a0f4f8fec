"""Orders of words that rule sets make of dependency trees. [FRS] section 4"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.reordering import Reordering
from kilter.core.settings import checked
from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup
from kilter.preordering.rule_set import ANY, Method, Rule, RuleSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.preordering.dependency_tree_lookup import RuleTable


class Slots(NamedTuple):
    """For each word: its slot among the children of its head, in reverse or not, and its own as head.

    `rule` is the number of the rule that orders its children, -1 where there is none.
    """

    child: NDArray[np.int32]
    backward: NDArray[np.uint8]
    head: NDArray[np.int32]
    rule: NDArray[np.int32]


@checked
def reorder_trees(trees: DependencyTreeColumn, rules: RuleSet, *, jobs: int = 1) -> Reordering:
    """Return the words of every tree, each parse counted, in the order of the rules. Section 11.1

    A child stands for its whole, recursively reordered subtree, so that words of one subtree come to stand
    side by side even where the tree is not projective. Heads without rule keep their children where they
    stand. The sentence-final punctuation, kept on request, is the last words as long as they are tagged or
    labelled as such; they stay at the end in their order.
    """
    return reordered(DependencyTreeLookup(trees), rules, jobs=jobs)


def reordered(seen: DependencyTreeLookup, rules: RuleSet, *, jobs: int = 1) -> Reordering:
    """Return the same for trees in which something was looked up before."""
    trees, starts, positions = seen.trees, seen.starts, seen.positions
    if rules.method is Method.NONE:
        order = positions.astype(np.int32)
    elif rules.method is Method.REVERSE:
        lengths = np.diff(trees.offsets)
        order = (np.repeat(lengths, lengths) - 1 - positions).astype(np.int32)
    else:
        slots = tree_slots(trees, rules, lookup=seen)
        order = _core.tree_orders(
            trees.heads, trees.offsets, slots.child, slots.backward, slots.head, jobs
        )
    if rules.keep_final_punctuation:
        order = _with_final(seen, order)
    places = np.empty_like(order)
    places[starts + order] = positions
    return Reordering(order, positions.astype(np.int32), places, trees.offsets, jobs)


def tree_slots(
    trees: DependencyTreeColumn, rules: RuleSet, *, lookup: DependencyTreeLookup | None = None
) -> Slots:
    """Return what the rules say of each word of the trees."""
    seen = DependencyTreeLookup(trees) if lookup is None else lookup
    count = len(trees.heads)
    if rules.method in (Method.HEAD_FINAL_LEFT_REVERSED, Method.HEAD_FINAL_RIGHT_REVERSED):
        left = np.arange(count) < seen.above
        reversed_side = left if rules.method is Method.HEAD_FINAL_LEFT_REVERSED else ~left
        return Slots(
            np.where(left, 0, 1).astype(np.int32),
            reversed_side.astype(np.uint8),
            np.full(count, 2, dtype=np.int32),
            np.zeros(count, dtype=np.int32),
        )
    rule = _rule_of(seen, rules)
    tables = [seen.table(each) for each in rules.rules]
    # The last row of the tables is for heads without rule: everything in place.
    nothing = np.zeros(len(seen.labels), dtype=np.int32)
    child = np.stack([*(table.child for table in tables), nothing])
    backward = np.stack([*(table.backward for table in tables), nothing.astype(np.uint8)])
    head = np.array([*(table.head for table in tables), 0], dtype=np.int32)
    above = rule[seen.above] if count else rule
    slots = Slots(
        np.ascontiguousarray(child[above, seen.label_of]),
        np.ascontiguousarray(backward[above, seen.label_of]),
        np.ascontiguousarray(head[rule]),
        rule,
    )
    for number, table in enumerate(tables):
        if table.held:
            _hold(seen, rules.rules[number], table, np.flatnonzero(above == number), slots)
    return slots


def _rule_of(seen: DependencyTreeLookup, rules: RuleSet) -> NDArray[np.int32]:
    """Return for each word the number of the rule that orders its children, -1 for none."""
    if all(rule.when is None for rule in rules.rules):
        by_tag = np.array(rules.rules_of(seen.tags), dtype=np.int32)
        return by_tag[seen.tag_of] if len(seen.tag_of) else np.zeros(0, dtype=np.int32)
    found = np.full(len(seen.tag_of), -1, dtype=np.int32)
    for for_all in (False, True):
        for number, rule in enumerate(rules.rules):
            if for_all and ANY not in rule.heads:
                continue
            fits = found < 0
            if not for_all:
                fits &= seen.tagged(rule.heads)
            if rule.when is not None:
                fits &= seen.holds(rule.when)
            found[fits] = number
    return found


def _hold(
    seen: DependencyTreeLookup, rule: Rule, table: RuleTable, rows: NDArray[np.int64], slots: Slots
) -> None:
    """Put children of which the condition of a group holds into the slot of this group.

    Of several such groups the one that names the label most closely counts, then the first.
    """
    labels = seen.label_of[rows]
    best = np.full(len(rows), -1, dtype=np.int32)
    for slot, named in table.held:
        group = rule.groups[slot]
        if group.when is None:
            continue
        closeness = named[labels]
        fits = (closeness > best) & seen.holds(group.when)[rows]
        best[fits] = closeness[fits]
        slots.child[rows[fits]] = slot
        slots.backward[rows[fits]] = group.reverse


def fires(trees: DependencyTreeColumn, rules: RuleSet) -> bool:
    """Return whether some rule orders the children of some head, where there are any to be ordered."""
    heads = heads_above(trees)
    if rules.method is not Method.PRECEDENCE or not heads.size:
        return True
    return bool((tree_slots(trees, rules).rule[heads] >= 0).any())


def head_tags(trees: DependencyTreeColumn) -> list[str]:
    """Return the tags of words that have children, in alphabetical order."""
    used = np.unique(trees.tags[heads_above(trees)])
    return sorted(trees.vocabulary.words[number] for number in used.tolist())


def heads_above(trees: DependencyTreeColumn) -> NDArray[np.int64]:
    """Return for each word that has a head the place of this head in the column."""
    starts = np.repeat(trees.offsets[:-1], np.diff(trees.offsets))
    places: NDArray[np.int64] = (trees.heads + starts)[trees.heads >= 0]
    return places


def final_punctuation(trees: DependencyTreeColumn) -> NDArray[np.bool_]:
    """Return which words are among the last of their tree, all of them punctuation."""
    return DependencyTreeLookup(trees).final


def _with_final(seen: DependencyTreeLookup, order: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the order with final punctuation where it stands in the source, the rest before it."""
    final = seen.final
    kept = seen.positions.astype(np.int32)
    kept[~final] = order[~final[seen.starts + order]]
    return kept
