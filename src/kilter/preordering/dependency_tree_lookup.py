"""What rules look at in trees, looked up once for many rule sets."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.dependency_tree import NO_NAME
from kilter.core.errors import InputError
from kilter.preordering.condition import ANY, Side, fits_label
from kilter.preordering.rule_set import HEAD, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.preordering.condition import Condition
    from kilter.preordering.rule_set import Group, Rule

_PUNCTUATION_TAGS = ("PUNCT", ".")
_PUNCTUATION_LABEL = "punct"
_REMEMBERED = 4096


class RuleTable(NamedTuple):
    """A rule for each label of some trees: the slot of a child, in reverse or not; the slot of the head.

    `held` has a row for each group with a condition: its slot, and how closely it names each label.
    """

    child: NDArray[np.int32]
    backward: NDArray[np.uint8]
    head: int
    held: tuple[tuple[int, NDArray[np.int32]], ...]


class DependencyTreeLookup:
    """Places, tags, labels and conditions of the words of trees."""

    tags: list[str]
    labels: list[str]
    tag_of: NDArray[np.intp]
    """The number of each word's tag in `tags`."""
    label_of: NDArray[np.intp]

    def __init__(
        self,
        trees: DependencyTreeColumn,
        *,
        whole: tuple[DependencyTreeLookup, NDArray[np.bool_]] | None = None,
    ) -> None:
        """Look trees up, or some of the `whole`, whose words are the given ones: what was found there is known."""
        self.trees = trees
        self.starts = np.repeat(trees.offsets[:-1], np.diff(trees.offsets))
        self.positions = np.arange(len(trees.heads)) - self.starts
        self.is_child = trees.heads >= 0
        self.above = np.where(self.is_child, trees.heads, 0) + self.starts
        self._whole = whole
        self._masks: dict[Condition, NDArray[np.bool_]] = {}
        self.tables: dict[tuple[Group, ...], RuleTable] = {}
        self.closeness: dict[tuple[str, ...], NDArray[np.int32]] = {}
        if whole is not None:
            other, rows = whole
            self.tags, self.labels = other.tags, other.labels
            self.tag_of, self.label_of = other.tag_of[rows], other.label_of[rows]
            self.tables, self.closeness = other.tables, other.closeness
            return
        names = trees.vocabulary.words
        tags, self.tag_of = np.unique(trees.tags, return_inverse=True)
        labels, self.label_of = np.unique(trees.labels, return_inverse=True)
        self.tags = [names[tag] for tag in tags.tolist()]
        self.labels = [names[label] for label in labels.tolist()]

    @cached_property
    def final(self) -> NDArray[np.bool_]:
        """Which words are among the last of their tree, all of them punctuation."""
        if self._whole is not None:
            whole, rows = self._whole
            return whole.final[rows]
        trees, vocabulary = self.trees, self.trees.vocabulary
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

    def tagged(self, tags: Iterable[str]) -> NDArray[np.bool_]:
        """Return which words have one of the tags."""
        wanted = set(tags)
        return self._by_table([tag in wanted for tag in self.tags], self.tag_of)

    def holds(self, condition: Condition) -> NDArray[np.bool_]:
        """Return of which words a condition holds."""
        found = self._masks.get(condition)
        if found is None:
            if self._whole is not None:
                whole, rows = self._whole
                found = whole.holds(condition)[rows]
            else:
                found = self._mask(condition)
            self._masks[condition] = found
        return found

    def table(self, rule: Rule) -> RuleTable:
        """Return what a rule says of each label."""
        found = self.tables.get(rule.groups)
        if found is None:
            if len(self.tables) >= _REMEMBERED:
                self.tables.clear()
            found = self.tables[rule.groups] = self._table(rule)
        return found

    def _table(self, rule: Rule) -> RuleTable:
        named = np.stack([self._closeness(group.labels) for group in rule.groups])
        free = np.array([group.when is None for group in rule.groups])
        always = np.where(free[:, None], named, -1)
        child = always.argmax(axis=0)
        child[always.max(axis=0) < 0] = rule.place(OTHER)
        backward = np.array([group.reverse for group in rule.groups], dtype=np.uint8)
        held = tuple((slot, named[slot]) for slot in np.flatnonzero(~free).tolist())
        return RuleTable(child.astype(np.int32), backward[child], rule.place(HEAD), held)

    def _closeness(self, patterns: tuple[str, ...]) -> NDArray[np.int32]:
        """Return how closely patterns name each label."""
        found = self.closeness.get(patterns)
        if found is None:
            rows = [max(fits_label(each, label) for each in patterns) for label in self.labels]
            found = self.closeness[patterns] = np.array(rows, dtype=np.int32)
        return found

    def _mask(self, condition: Condition) -> NDArray[np.bool_]:
        found = np.ones(len(self.trees.heads), dtype=bool)
        for mask in (*self._named(condition), *self._placed(condition)):
            found &= mask
        return found

    def _named(self, condition: Condition) -> Iterator[NDArray[np.bool_]]:
        """Yield what a condition says of the word itself."""
        if condition.word:
            yield self._folded(self.trees.words, condition.word)
        if condition.lemma:
            yield self._folded(self._details("lemma"), condition.lemma)
        if condition.tag:
            yield self.tagged(condition.tag)
        if condition.xpos:
            yield self._fine(condition.xpos)
        if condition.label:
            yield self._by_table((self._closeness(condition.label) >= 0).tolist(), self.label_of)

    def _placed(self, condition: Condition) -> Iterator[NDArray[np.bool_]]:
        """Yield what a condition says of the words around it."""
        if condition.side is not None:
            before = np.arange(len(self.above)) < self.above
            yield self.is_child & (before if condition.side == Side.BEFORE else ~before)
        if condition.children is not None:
            least, most = condition.children
            count = np.bincount(self.above[self.is_child], minlength=len(self.above))
            yield (count >= least) & (True if most is None else count <= most)
        if condition.parent is not None:
            yield self.is_child & self.holds(condition.parent)[self.above]
        for each in condition.child:
            yield self._has_child(each)
        for each in condition.no_child:
            yield ~self._has_child(each)

    def _has_child(self, condition: Condition) -> NDArray[np.bool_]:
        found = np.zeros(len(self.trees.heads), dtype=bool)
        found[self.above[self.holds(condition) & self.is_child]] = True
        return found

    def _folded(self, numbers: NDArray[np.int32], names: tuple[str, ...]) -> NDArray[np.bool_]:
        """Return where a column has one of the names, upper and lower case aside."""
        wanted = {name.casefold() for name in names}
        return np.isin(numbers, [number for name in wanted for number in self._by_fold[name]])

    @cached_property
    def _by_fold(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.trees.vocabulary.words):
            found[name.casefold()].append(number)
        return found

    def _fine(self, patterns: tuple[str, ...]) -> NDArray[np.bool_]:
        column = self._details("xpos")
        used, places = np.unique(column, return_inverse=True)
        names = [self.trees.vocabulary.words[number] for number in used.tolist()]
        return self._by_table([fits_tag(patterns, name) for name in names], places)

    def _details(self, field: str) -> NDArray[np.int32]:
        """Return lemmas or fine tags; trees that have none are an `InputError`."""
        trees = self.trees
        column, called = (
            (trees.lemmas, "lemmas (column LEMMA)")
            if field == "lemma"
            else (trees.fine_tags, "fine tags (column XPOS)")
        )
        nothing = trees.vocabulary.number(NO_NAME)
        if column is None or (len(column) and (column == nothing).all()):
            raise InputError(
                f"has no {called}, which a condition of the rules looks at; give trees that have them, or "
                "rules that look at words, tags and labels alone",
                where="the trees" if trees.origin is None else trees.origin.name,
            )
        return column

    @staticmethod
    def _by_table(table: Iterable[bool], places: NDArray[np.intp]) -> NDArray[np.bool_]:
        listed = np.array([*table], dtype=bool)
        return listed[places] if len(places) else np.zeros(0, dtype=bool)


def fits_tag(patterns: tuple[str, ...], tag: str) -> bool:
    """Return whether a fine tag is one of the patterns: `VBZ`, or `VB*` for all that begin so.

    >>> fits_tag(("VB*", "MD"), "VBZ"), fits_tag(("VB",), "VBZ")
    (True, False)
    """
    return any(
        tag.startswith(pattern[:-1]) if pattern.endswith(ANY) else tag == pattern
        for pattern in patterns
    )
