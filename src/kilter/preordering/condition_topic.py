"""Questions of a search about some words of a kind: conditions that hold of enough of them, and not of all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.dependency_tree import NO_NAME
from kilter.preordering.condition import Condition, Side
from kilter.preordering.rule_change import Topic, any_subtype

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup


def condition_topics(
    seen: DependencyTreeLookup,
    training: NDArray[np.bool_],
    topics: Sequence[Topic],
    *,
    fewest: int,
    lemmas: bool = False,
) -> list[Topic]:
    """Return each topic about a category or a label with every condition that divides its words.

    Conditions hold of at least `fewest` of the `training` words of a topic, and do not hold of as many. They name a
    word (with `lemmas` its lemma), a fine tag, a tag, the side, a label below, whether there is anything below;
    and of the head a word, a fine tag, a label, and a label below it. The most frequent topic comes first.
    """
    found = _Conditions(seen, lemmas=lemmas)
    made = []
    for topic in topics:
        if not topic.head or topic.label.rpartition(":")[2] not in ("", "*"):
            continue
        words = topic.words(seen) & training
        if not topic.label:
            words &= found.has_children
        rows = np.flatnonzero(words)
        if len(rows) < 2 * fewest:
            continue
        listed = found.of_children(rows) if topic.label else found.of_heads(rows)
        made += [
            Topic(topic.head, topic.label, condition)
            for condition, count in listed
            if fewest <= count <= len(rows) - fewest
        ]
    return made


class _Conditions:
    """Conditions of words, each with the number of words of which it holds."""

    def __init__(self, seen: DependencyTreeLookup, *, lemmas: bool) -> None:
        self._seen = seen
        trees = seen.trees
        self._names = trees.vocabulary.words
        nothing = trees.vocabulary.number(NO_NAME)
        self._field, self._words = "word", trees.words
        if lemmas and trees.lemmas is not None:
            self._field, self._words = "lemma", trees.lemmas
        fine = trees.fine_tags
        self._fine = None if fine is None or (fine == nothing).all() else fine
        self.has_children = seen.holds(Condition(children=(1, None)))
        patterns = sorted({any_subtype(label) for label in seen.labels})
        self._below = {
            pattern: seen.holds(Condition(child=(Condition(label=(pattern,)),)))
            for pattern in patterns
        }

    def of_children(self, rows: NDArray[np.int64]) -> Iterator[tuple[Condition, int]]:
        """Yield conditions of children, their heads included."""
        yield from self._named(rows)
        tags = Counter(self._seen.trees.tags[rows].tolist())
        for tag, count in tags.items():
            yield Condition(tag=(self._names[tag],)), count
        before = int((rows < self._seen.above[rows]).sum())
        yield Condition(side=Side.BEFORE), before
        yield Condition(children=(0, 0)), int((~self.has_children[rows]).sum())
        yield from self._with_child(rows)
        above = self._seen.above[rows]
        for condition, count in (*self._named(above), *self._labelled(above)):
            yield Condition(parent=condition), count
        for condition, count in self._with_child(above):
            yield Condition(parent=condition), count

    def of_heads(self, rows: NDArray[np.int64]) -> Iterator[tuple[Condition, int]]:
        """Yield conditions of heads."""
        yield from self._named(rows)
        yield from self._labelled(rows)
        yield from self._with_child(rows)

    def _named(self, rows: NDArray[np.int64]) -> Iterator[tuple[Condition, int]]:
        words = Counter(self._names[number].casefold() for number in self._words[rows].tolist())
        for word, count in sorted(words.items()):
            named = (word,)
            yield Condition(lemma=named) if self._field == "lemma" else Condition(word=named), count
        if self._fine is not None:
            for tag, count in Counter(self._fine[rows].tolist()).items():
                yield Condition(xpos=(self._names[tag],)), count

    def _labelled(self, rows: NDArray[np.int64]) -> Iterator[tuple[Condition, int]]:
        labels = Counter(
            any_subtype(self._seen.labels[place]) for place in self._seen.label_of[rows].tolist()
        )
        for label, count in sorted(labels.items()):
            yield Condition(label=(label,)), count

    def _with_child(self, rows: NDArray[np.int64]) -> Iterator[tuple[Condition, int]]:
        for pattern, below in self._below.items():
            yield Condition(child=(Condition(label=(pattern,)),)), int(below[rows].sum())
