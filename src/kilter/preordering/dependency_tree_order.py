"""Orders of words that rule sets make of dependency trees. [FRS] section 4"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.options.argument import checked
from kilter.preordering.rule_set import HEAD, Method, RuleSet
from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn
from kilter.structures.reordering.reordering import Reordering

if TYPE_CHECKING:
    from numpy.typing import NDArray


_PUNCTUATION_TAGS = ("PUNCT", ".")
_PUNCTUATION_LABEL = "punct"


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
    offsets = trees.offsets
    lengths = np.diff(offsets)
    starts = np.repeat(offsets[:-1], lengths)
    positions = np.arange(len(trees.heads)) - starts
    if rules.method is Method.NONE:
        order = positions.astype(np.int32)
    elif rules.method is Method.REVERSE:
        order = (np.repeat(lengths, lengths) - 1 - positions).astype(np.int32)
    else:
        slots = tree_slots(trees, rules)
        order = _core.tree_orders(
            trees.heads, offsets, slots.child, slots.backward, slots.head, jobs
        )
    if rules.keep_final_punctuation:
        order = _with_final(trees, order, starts, positions)
    places = np.empty_like(order)
    places[starts + order] = positions
    return Reordering(order, positions.astype(np.int32), places, offsets, jobs)


def tree_slots(trees: DependencyTreeColumn, rules: RuleSet) -> Slots:
    """Return what the rules say of each word of the trees."""
    count = len(trees.heads)
    lengths = np.diff(trees.offsets)
    starts = np.repeat(trees.offsets[:-1], lengths)
    above = np.where(trees.heads < 0, 0, trees.heads) + starts
    if rules.method in (Method.HEAD_FINAL_LEFT_REVERSED, Method.HEAD_FINAL_RIGHT_REVERSED):
        left = np.arange(count) < above
        reversed_side = left if rules.method is Method.HEAD_FINAL_LEFT_REVERSED else ~left
        return Slots(
            np.where(left, 0, 1).astype(np.int32),
            reversed_side.astype(np.uint8),
            np.full(count, 2, dtype=np.int32),
            np.zeros(count, dtype=np.int32),
        )
    tags, tag_of = np.unique(trees.tags, return_inverse=True)
    labels, label_of = np.unique(trees.labels, return_inverse=True)
    names = trees.vocabulary.words
    by_tag = np.array([rules.rule_of(names[tag]) for tag in tags.tolist()], dtype=np.int32)
    rule = by_tag[tag_of] if count else np.zeros(0, dtype=np.int32)
    child, backward, head = _tables(rules, [names[label] for label in labels.tolist()])
    # The last row of the tables is for heads without rule: everything in place.
    rule_above = rule[above] if count else rule
    return Slots(
        np.ascontiguousarray(child[rule_above, label_of]),
        np.ascontiguousarray(backward[rule_above, label_of]),
        np.ascontiguousarray(head[rule]),
        rule,
    )


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


def _tables(
    rules: RuleSet, labels: list[str]
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32]]:
    child = np.zeros((len(rules.rules) + 1, len(labels)), dtype=np.int32)
    backward = np.zeros(child.shape, dtype=np.uint8)
    head = np.zeros(len(rules.rules) + 1, dtype=np.int32)
    for number, rule in enumerate(rules.rules):
        head[number] = rule.place(HEAD)
        for place, label in enumerate(labels):
            slot = rule.slot(label)
            child[number, place] = slot
            backward[number, place] = rule.groups[slot].reverse
    return child, backward, head


def final_punctuation(trees: DependencyTreeColumn) -> NDArray[np.bool_]:
    """Return which words are among the last of their tree, all of them punctuation."""
    vocabulary = trees.vocabulary
    tags = [vocabulary.number(tag) for tag in _PUNCTUATION_TAGS]
    marks = np.isin(trees.tags, tags) | (trees.labels == vocabulary.number(_PUNCTUATION_LABEL))
    # The last word of each tree that is no punctuation; all after it is final.
    places = np.where(marks, -1, np.arange(len(marks)))
    lengths = np.diff(trees.offsets)
    last = np.full(trees.trees, -1, dtype=np.int64)
    filled = np.flatnonzero(lengths)
    if filled.size:
        last[filled] = np.maximum.reduceat(places, trees.offsets[filled])
    return np.arange(len(marks)) > np.repeat(last, lengths)


def _with_final(
    trees: DependencyTreeColumn,
    order: NDArray[np.int32],
    starts: NDArray[np.int64],
    positions: NDArray[np.int64],
) -> NDArray[np.int32]:
    final = final_punctuation(trees)[starts + order]
    # A sentence of punctuation only has nothing to keep it at the end of.
    keys = (np.where(final, order, positions), final, starts)
    return order[np.lexsort(keys)]
