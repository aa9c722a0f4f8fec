"""Naive definitions of pre-ordering: recursion over one tree, plain lists."""

from collections.abc import Callable, Sequence
from typing import Any

Heads = Sequence[int]
Arrange = Callable[[int, list[int]], list[int]]


def walk(heads: Heads, arrange: Arrange) -> list[int]:
    """Return the words; `arrange` orders a head and its children, a child stands for its subtree."""

    def below(head: int) -> list[int]:
        found: list[int] = []
        for word in arrange(head, children(heads, head)):
            found += [head] if word == head else below(word)
        return found

    return [word for root in children(heads, -1) for word in below(root)]


def children(heads: Heads, head: int) -> list[int]:
    return [word for word, above in enumerate(heads) if above == head]


def left_reversed(heads: Heads) -> list[int]:
    """Return R3."""

    def arrange(head: int, below: list[int]) -> list[int]:
        left, right = [c for c in below if c < head], [c for c in below if c > head]
        return [*reversed(left), *right, head]

    return walk(heads, arrange)


def right_reversed(heads: Heads) -> list[int]:
    """Return R4."""

    def arrange(head: int, below: list[int]) -> list[int]:
        left, right = [c for c in below if c < head], [c for c in below if c > head]
        return [*left, *reversed(right), head]

    return walk(heads, arrange)


Groups = Sequence[tuple[Sequence[str], bool]]


def precedence(
    heads: Heads, labels: Sequence[str], tags: Sequence[str], rules: dict[str, Groups]
) -> list[int]:
    """Return the order of precedence rules: tag -> groups of (labels, reverse); exact labels only."""

    def arrange(head: int, below: list[int]) -> list[int]:
        if tags[head] not in rules:
            return sorted([*below, head])
        groups = rules[tags[head]]
        named = {label for group, _ in groups for label in group}
        found: list[int] = []
        for group, reverse in groups:
            if list(group) == ["HEAD"]:
                found.append(head)
                continue
            other = list(group) == ["OTHER"]
            members = [
                c for c in below if (labels[c] not in named if other else labels[c] in group)
            ]
            found += members[::-1] if reverse else members
        return found

    return walk(heads, arrange)


Words = Sequence[dict[str, str]]
"""Of each word: word, lemma, tag, xpos and label."""


def holds(heads: Heads, words: Words, word: int, wanted: dict[str, Any]) -> bool:
    """Return whether a condition, as a rule file has it with every name in a list, holds of a word."""
    return all(_one_holds(heads, words, word, field, wanted[field]) for field in wanted)


def _one_holds(heads: Heads, words: Words, word: int, field: str, wanted: Any) -> bool:
    own, above, below = words[word], heads[word], children(heads, word)
    checks: dict[str, Callable[[], bool]] = {
        "word": lambda: own["word"].lower() in [name.lower() for name in wanted],
        "lemma": lambda: own["lemma"].lower() in [name.lower() for name in wanted],
        "tag": lambda: own["tag"] in wanted,
        "xpos": lambda: any(
            own["xpos"] == name or (name[-1] == "*" and own["xpos"].startswith(name[:-1]))
            for name in wanted
        ),
        "label": lambda: any(_named(own["label"], name) for name in wanted),
        "side": lambda: above >= 0 and (word < above) == (wanted == "before"),
        "children": lambda: wanted[0] <= len(below) <= wanted[1],
        "parent": lambda: above >= 0 and holds(heads, words, above, wanted),
        "child": lambda: all(
            any(holds(heads, words, child, each) for child in below) for each in wanted
        ),
        "no_child": lambda: (
            not any(holds(heads, words, child, each) for each in wanted for child in below)
        ),
    }
    return checks[field]()


def _named(label: str, pattern: str) -> bool:
    if pattern.endswith(":*"):
        return label == pattern[:-2] or label.startswith(pattern[:-1])
    return label == pattern


def conditional(heads: Heads, words: Words, rules: Sequence[dict[str, Any]]) -> list[int]:
    """Return the order of rules with conditions, as a file has them: the first one that fits a head.

    A child belongs to the first group with a condition that names its label and holds, then to the
    group that names it without condition, then to OTHER; labels are named exactly, or all of them by `*`, which
    comes after an exact name.
    """

    def arrange(head: int, below: list[int]) -> list[int]:
        for rule in rules:
            if words[head]["tag"] not in rule["head"]:
                continue
            if "when" in rule and not holds(heads, words, head, rule["when"]):
                continue
            found: list[int] = []
            for place, group in enumerate(rule["order"]):
                if group["labels"] == ["HEAD"]:
                    found.append(head)
                    continue
                members = [
                    child for child in below if _group_of(heads, words, rule, child) == place
                ]
                found += members[::-1] if group.get("reverse") else members
            return found
        return sorted([*below, head])

    return walk(heads, arrange)


def _group_of(heads: Heads, words: Words, rule: dict[str, Any], child: int) -> int:
    label, order = words[child]["label"], list(enumerate(rule["order"]))
    held = [
        (place, group["labels"])
        for place, group in order
        if "when" in group and holds(heads, words, child, group["when"])
    ]
    exact = [place for place, labels in held if label in labels]
    any_label = [place for place, labels in held if "*" in labels]
    free = [place for place, group in order if "when" not in group and label in group["labels"]]
    other = [place for place, group in order if group["labels"] == ["OTHER"]]
    return [*exact, *any_label, *free, *other][0]
