"""Small changes of a rule set: the steps of a search for better ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.preordering.condition import Condition
from kilter.preordering.dependency_tree_order import heads_above
from kilter.preordering.rule_set import ANY, HEAD, OTHER, Group, Method, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup

SUBTYPE = ":"


@dataclass(frozen=True)
class RuleChange:
    """A rule set that differs in one thing from another, and what that is."""

    rules: RuleSet
    what: str


@dataclass(frozen=True)
class Topic:
    """One question of a search: where do children of this kind stand below heads of this category?

    Without `label` it is about the category as a whole; without `head`, about the set. With `when` it is about those
    children alone of which the condition holds, or without `label` about those heads.
    """

    head: str = ""
    label: str = ""
    when: Condition | None = None

    def words(self, seen: DependencyTreeLookup) -> NDArray[np.bool_]:
        """Return the words of trees whose order an answer can change: children, or heads of the category."""
        if not self.head:
            return np.ones(len(seen.above), dtype=bool)
        heads = seen.tagged([self.head])
        if not self.label:
            return heads if self.when is None else heads & seen.holds(self.when)
        found = seen.is_child & heads[seen.above] & seen.holds(Condition(label=(self.label,)))
        return found if self.when is None else found & seen.holds(self.when)


def topics(trees: DependencyTreeColumn, *, fewest: int) -> list[Topic]:
    """Return what can be asked about the trees, most frequent first: categories, then labels below them.

    Labels are asked about with all their subtypes (`nsubj:*`), and frequent subtypes also by themselves.
    Nothing is asked about what occurs less than `fewest` times.
    """
    names = trees.vocabulary.words
    below = trees.heads >= 0
    heads = trees.tags[heads_above(trees)].tolist()
    pairs = Counter(zip(heads, trees.labels[below].tolist(), strict=True))
    categories: Counter[str] = Counter()
    labels: Counter[tuple[str, str]] = Counter()
    for (tag, label), count in pairs.items():
        head, name = names[tag], names[label]
        categories[head] += count
        labels[head, any_subtype(name)] += count
        if SUBTYPE in name:
            labels[head, name] += count
    asked = [(count, head, "") for head, count in categories.items()]
    asked += [(count, head, label) for (head, label), count in labels.items()]
    frequent = sorted((-count, head, label) for count, head, label in asked if count >= fewest)
    return [Topic(), *(Topic(head, label) for _, head, label in frequent)]


def estimated_rules(
    trees: DependencyTreeColumn,
    places: NDArray[np.float64],
    seen: NDArray[np.bool_],
    *,
    fewest: int,
) -> dict[str, Rule]:
    """Return for each category the rule whose groups stand as words do on the mean.

    `places` say where each word stands in its sentence, in a reference or in the source. Each head and its children
    are ranked, and labels, the head and the rest are sorted by their mean ranks. Only sentences with `seen` words count.
    """
    names = trees.vocabulary.words
    starts = np.repeat(trees.offsets[:-1], np.diff(trees.offsets))
    families: dict[int, list[int]] = defaultdict(list)
    for child in np.flatnonzero((trees.heads >= 0) & seen).tolist():
        families[int(trees.heads[child] + starts[child])].append(child)
    ranks: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for head, children in families.items():
        members = sorted([head, *children], key=lambda word: (places[word], word))
        category = ranks[names[int(trees.tags[head])]]
        for rank, word in enumerate(members):
            label = HEAD if word == head else any_subtype(names[int(trees.labels[word])])
            category[label].append(rank / (len(members) - 1))
    return {head: _sorted_rule(head, found, fewest) for head, found in ranks.items()}


def any_subtype(label: str) -> str:
    """Return the pattern of a label with all its subtypes."""
    return f"{label.partition(SUBTYPE)[0]}{SUBTYPE}{ANY}"


def _sorted_rule(head: str, ranks: dict[str, list[float]], fewest: int) -> Rule:
    named = {name: found for name, found in ranks.items() if name == HEAD or len(found) >= fewest}
    rest = [rank for name, found in ranks.items() if name not in named for rank in found]
    means = {name: sum(found) / len(found) for name, found in named.items()}
    means[OTHER] = sum(rest) / len(rest) if rest else means[HEAD]
    order = sorted(means, key=lambda name: (means[name], name))
    return Rule(heads=(head,), groups=tuple(Group(labels=(name,)) for name in order))


def changes(
    rules: RuleSet, topic: Topic, estimates: Sequence[dict[str, Rule]] = ()
) -> Iterator[RuleChange]:
    """Yield the rule sets that answer a topic in another way.

    `estimates` are rules by category that one without rule may begin with.
    """
    if not topic.head:
        keeps = not rules.keep_final_punctuation
        said = "keep final punctuation" if keeps else "do not keep final punctuation"
        yield RuleChange(replace(rules, keep_final_punctuation=keeps), said)
        return
    place = _own_place(rules, topic.head)
    if place is None:
        if not topic.label and topic.when is None:
            yield from _first_rules(rules, topic.head, estimates)
        return
    if not topic.label and topic.when is not None:
        yield from _split_rule(rules, topic.head, place, topic.when)
        return
    if not topic.label:
        yield from _whole_rule(rules, topic.head, place)
        return
    for rule, said in _answers(rules.rules[place], topic.label, topic.when):
        yield RuleChange(_with(rules, topic.head, place, rule), f"{topic.head}: {said}")


def _own_place(rules: RuleSet, head: str) -> int | None:
    found = rules.rule_of(head)
    return None if found < 0 else found


def _with(rules: RuleSet, head: str, place: int, rule: Rule) -> RuleSet:
    """Return the set with this rule for a category; others that shared the old rule keep it."""
    old = rules.rules[place]
    if old.heads == (head,):
        return rules.with_rule(place, rule)
    own = replace(rule, heads=(head,))
    if head not in old.heads:  # it fell under the rule for all others
        return replace(rules, rules=(*rules.rules, own))
    rest = replace(old, heads=tuple(each for each in old.heads if each != head))
    return replace(rules.with_rule(place, rest), rules=(*rules.with_rule(place, rest).rules, own))


def _first_rules(
    rules: RuleSet, head: str, estimates: Sequence[dict[str, Rule]]
) -> Iterator[RuleChange]:
    """Yield first rules of a category that has none: the estimated ones, the head last, and the head first."""
    simple = [
        Rule(heads=(head,), groups=tuple(Group(labels=(name,)) for name in order))
        for order in ((OTHER, HEAD), (HEAD, OTHER))
    ]
    for rule in [*(found[head] for found in estimates if head in found), *simple]:
        yield RuleChange(
            replace(rules, method=Method.PRECEDENCE, rules=(*rules.rules, rule)),
            f"{head}: {' '.join(map(str, rule.groups))}",
        )


def _whole_rule(rules: RuleSet, head: str, place: int) -> Iterator[RuleChange]:
    """Yield the set without the rule of a category, and with its head or other children elsewhere."""
    rule = rules.rules[place]
    if head in rule.heads:
        rest = tuple(each for each in rule.heads if each != head)
        without = (
            rules.with_rule(place, replace(rule, heads=rest)) if rest else rules.without_rule(place)
        )
        yield RuleChange(without, f"{head}: no rule of its own")
    for special in (HEAD, OTHER):
        at = rule.place(special)
        for moved, said in _moved(rule, at):
            yield RuleChange(_with(rules, head, place, moved), f"{head}: {said}")
    at = rule.place(OTHER)
    yield RuleChange(
        _with(rules, head, place, _turned(rule, at)), f"{head}: {_turn_said(rule, at)}"
    )


def _split_rule(rules: RuleSet, head: str, place: int, when: Condition) -> Iterator[RuleChange]:
    """Yield the set with a rule for some heads of a category, the head elsewhere; or without, if it has one."""
    own = next(
        (k for k, rule in enumerate(rules.rules) if rule.heads == (head,) and rule.when == when),
        None,
    )
    if own is not None:
        yield RuleChange(rules.without_rule(own), f"{head} when {when}: no rule of its own")
        for moved, said in _moved(rules.rules[own], rules.rules[own].place(HEAD)):
            yield RuleChange(rules.with_rule(own, moved), f"{head} when {when}: {said}")
        return
    base = replace(rules.rules[place], heads=(head,), when=when)
    for moved, said in _moved(base, base.place(HEAD)):
        listed = (*rules.rules[:place], moved, *rules.rules[place:])
        yield RuleChange(replace(rules, rules=listed), f"{head} when {when}: {said}")


def _answers(rule: Rule, label: str, when: Condition | None = None) -> Iterator[tuple[Rule, str]]:
    """Yield rules in which children of a label, or some of them, stand elsewhere, in reverse, or among the others."""
    rule, label = _with_subtypes(rule, label, when)
    new = Group(labels=(label,), when=when)
    at = next(
        (k for k, each in enumerate(rule.groups) if label in each.labels and each.when == when),
        None,
    )
    own = at is not None and rule.groups[at].labels == (label,)
    if at is None:
        base = rule
    elif own:
        yield rule.without_group(at), f"{new} among the others"
        yield _turned(rule, at), _turn_said(rule, at)
        yield from _moved(rule, at)
        return
    else:
        group = rule.groups[at]
        kept = replace(group, labels=tuple(each for each in group.labels if each != label))
        base = replace(rule, groups=(*rule.groups[:at], kept, *rule.groups[at + 1 :]))
    for to in range(len(base.groups) + 1):
        groups = (*base.groups[:to], new, *base.groups[to:])
        yield replace(base, groups=groups), f"{new} {_between(base.groups, to)}"


def _with_subtypes(rule: Rule, label: str, when: Condition | None) -> tuple[Rule, str]:
    """Return a rule whose group of the plain label has it with all subtypes, if that is what is asked about.

    A plain label in another group would keep its children whatever is said of `label:*`, since the longer name wins.
    Where the rule has both, the question is about the plain one.
    """
    plain = label.removesuffix(f"{SUBTYPE}{ANY}")
    named = {name for group in rule.groups if group.when == when for name in group.labels}
    if plain == label or plain not in named:
        return rule, label
    if label in named:
        return rule, plain
    groups = tuple(
        replace(group, labels=tuple(label if name == plain else name for name in group.labels))
        if group.when == when
        else group
        for group in rule.groups
    )
    return replace(rule, groups=groups), label


def _moved(rule: Rule, at: int) -> Iterator[tuple[Rule, str]]:
    """Yield rules with one group at every other place."""
    group = rule.groups[at]
    rest = (*rule.groups[:at], *rule.groups[at + 1 :])
    for to in range(len(rest) + 1):
        if to != at:
            moved = replace(rule, groups=(*rest[:to], group, *rest[to:]))
            yield moved, f"{group} {_between(rest, to)}"


def _turned(rule: Rule, at: int) -> Rule:
    group = replace(rule.groups[at], reverse=not rule.groups[at].reverse)
    return replace(rule, groups=(*rule.groups[:at], group, *rule.groups[at + 1 :]))


def _turn_said(rule: Rule, at: int) -> str:
    group = rule.groups[at]
    return f"{replace(group, reverse=False)} {'in their order' if group.reverse else 'in reverse'}"


def _between(groups: tuple[Group, ...], to: int) -> str:
    if to == len(groups):
        return "last"
    return f"before {groups[to]}"
