"""Dependency trees of many segments as flat arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.counted import counted
from kilter.core.dependency_tree import ATTACHED, ROOT, DependencyTree, cycle_of
from kilter.core.errors import InputError
from kilter.core.language import lowered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn

_LOW = (1 << 32) - 1


@dataclass(frozen=True, slots=True, eq=False)
class DependencyTreeOrigin:
    """Where trees were read: a file, and for each tree its first line and the name it has there."""

    name: str
    lines: NDArray[np.int64]
    identifiers: tuple[str | None, ...]

    def where(self, tree: int) -> str:
        """Return the place of a tree as messages name it."""
        identifier = self.identifiers[tree]
        named = f" (sentence {identifier})" if identifier else ""
        return f"{self.name}:{self.lines[tree]}{named}"


@dataclass(frozen=True, slots=True, eq=False)
class DependencyTreeColumn:
    """Trees one after another; a segment has one tree, or several parses of the same words.

    The words of tree t are entries `offsets[t]` to `offsets[t + 1]` of the flat arrays, the trees of
    segment s are `parses[s]` to `parses[s + 1]`, the best first. Heads are zero-based positions in
    their own tree, -1 for the root; words, labels and tags are numbers of the vocabulary, and so are
    lemmas and fine tags (XPOS) where somebody asked for them. Of several roots all but the first become
    its children, labelled `dep`, and the tree is listed in `joined`. A cycle is an `InputError`.
    """

    words: NDArray[np.int32]
    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    tags: NDArray[np.int32]
    offsets: NDArray[np.int64]
    parses: NDArray[np.int64]
    vocabulary: Vocabulary
    origin: DependencyTreeOrigin | None = None
    joined: tuple[int, ...] = field(default=())
    lemmas: NDArray[np.int32] | None = None
    fine_tags: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        self._check_shape()
        for fault in tree_faults(self.heads, self.offsets):
            raise InputError(fault.reason(base=0), where=self.where(fault.tree))
        roots = np.flatnonzero(self.heads == ROOT)
        owners = np.repeat(np.arange(self.trees), np.diff(self.offsets))[roots]
        further = np.flatnonzero(np.diff(owners, prepend=-1) == 0)
        if further.size:
            self._attach(roots, owners, further)

    def _check_shape(self) -> None:
        columns = (self.words, self.heads, self.labels, self.tags, self.lemmas, self.fine_tags)
        sizes = {len(array) for array in columns if array is not None}
        if len(sizes) != 1:
            raise InputError("words, heads, labels and tags of trees must be equally many")
        for noun, borders, size in (
            ("offsets", self.offsets, len(self.heads)),
            ("parses", self.parses, len(self.offsets) - 1),
        ):
            steps = np.diff(borders)
            if len(borders) == 0 or borders[0] != 0 or borders[-1] != size or (steps < 0).any():
                raise InputError(f"{noun} of trees must rise from 0 to {size}")
        if (np.diff(self.parses) == 0).any():
            raise InputError("every segment needs a tree; one without words has an empty tree")
        lengths = np.diff(self.offsets)
        first = np.repeat(self.parses[:-1], np.diff(self.parses))
        other = np.flatnonzero(lengths != lengths[first])
        if other.size:
            tree = int(other[0])
            raise InputError(
                f"this parse has {counted(int(lengths[tree]), 'word')}, but the first parse of the same segment has "
                f"{lengths[first[tree]]}",
                where=self.where(tree),
            )

    def _attach(
        self, roots: NDArray[np.int64], owners: NDArray[np.int64], further: NDArray[np.int64]
    ) -> None:
        first = np.zeros(self.trees, dtype=np.int64)
        with_root, places = np.unique(owners, return_index=True)
        first[with_root] = roots[places]
        heads, labels = self.heads.copy(), self.labels.copy()
        changed, trees = roots[further], owners[further]
        heads[changed] = (first[trees] - self.offsets[trees]).astype(np.int32)
        labels[changed] = self.vocabulary.number(ATTACHED)
        object.__setattr__(self, "heads", heads)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "joined", tuple(np.unique(trees).tolist()))

    @classmethod
    def of(
        cls,
        segments: Iterable[DependencyTree | Sequence[DependencyTree]],
        *,
        vocabulary: Vocabulary | None = None,
    ) -> DependencyTreeColumn:
        """Return the column of trees, or of lists of parses, one per segment.

        >>> column = DependencyTreeColumn.of([DependencyTree(["cats", "sleep"], [1, -1])])
        >>> column.heads.tolist(), len(column), column.lengths.tolist()
        ([1, -1], 1, [2])
        """
        words = Vocabulary() if vocabulary is None else vocabulary
        listed = [
            [entry] if isinstance(entry, DependencyTree) else list(entry) for entry in segments
        ]
        trees = [tree for parses in listed for tree in parses]
        return cls(
            words=words.numbers(word for tree in trees for word in tree.words),
            heads=np.array([head for tree in trees for head in tree.heads], dtype=np.int32),
            labels=words.numbers(label for tree in trees for label in tree.labels),
            tags=words.numbers(tag for tree in trees for tag in tree.tags),
            offsets=_borders(map(len, trees)),
            parses=_borders(map(len, listed)),
            vocabulary=words,
        )

    def __len__(self) -> int:
        return len(self.parses) - 1

    @property
    def trees(self) -> int:
        """The number of trees, every parse counted."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each segment."""
        return np.diff(self.offsets)[self.parses[:-1]]

    def tree(self, tree: int) -> DependencyTree:
        """Return one tree, counted over all segments and parses."""
        rows = slice(int(self.offsets[tree]), int(self.offsets[tree + 1]))
        names = self.vocabulary.words
        return DependencyTree(
            [names[number] for number in self.words[rows].tolist()],
            self.heads[rows].tolist(),
            labels=[names[number] for number in self.labels[rows].tolist()],
            tags=[names[number] for number in self.tags[rows].tolist()],
        )

    def segment(self, segment: int) -> list[DependencyTree]:
        """Return the parses of a segment, the best first."""
        return [
            self.tree(tree)
            for tree in range(int(self.parses[segment]), int(self.parses[segment + 1]))
        ]

    def sentences(self) -> list[list[str]]:
        """Return the words of each segment."""
        names, offsets = self.vocabulary.words, self.offsets.tolist()
        listed = [names[number] for number in self.words.tolist()]
        return [listed[offsets[tree] : offsets[tree + 1]] for tree in self.parses[:-1].tolist()]

    def joined_note(self) -> str:
        """Return what is to be said of trees that had several roots, if there are any."""
        if not self.joined:
            return ""
        more = len(self.joined) - 1
        here = f", here and in {counted(more, 'more tree')}" if more else ""
        return f"{self.where(self.joined[0])}: several roots; the others were attached to the first{here}"

    def where(self, tree: int) -> str:
        """Return the place of a tree as messages name it."""
        return f"tree {tree + 1}" if self.origin is None else self.origin.where(tree)

    def labels_in(self, vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the labels as numbers of another vocabulary."""
        if vocabulary is self.vocabulary:
            return self.labels
        names = self.vocabulary.words
        numbers = np.zeros(len(names), dtype=np.int32)
        seen = np.zeros(len(names), dtype=bool)
        seen[self.labels] = True
        used = np.flatnonzero(seen)
        numbers[used] = vocabulary.numbers(names[number] for number in used.tolist())
        return numbers[self.labels]

    def first_parses(self) -> DependencyTreeColumn:
        """Return the column with the best parse of each segment only."""
        return self.picked(self.parses[:-1])

    def picked(self, trees: NDArray[np.int64]) -> DependencyTreeColumn:
        """Return the column of some trees, counted over all parses, rising; each is a segment of its own."""
        kept = np.zeros(self.trees, dtype=bool)
        kept[trees] = True
        rows = np.repeat(kept, np.diff(self.offsets))
        origin = self.origin
        if origin is not None:
            names = tuple(origin.identifiers[tree] for tree in trees.tolist())
            origin = DependencyTreeOrigin(origin.name, origin.lines[trees], names)
        return replace(
            self,
            words=self.words[rows],
            heads=self.heads[rows],
            labels=self.labels[rows],
            tags=self.tags[rows],
            lemmas=None if self.lemmas is None else self.lemmas[rows],
            fine_tags=None if self.fine_tags is None else self.fine_tags[rows],
            offsets=_borders(np.diff(self.offsets)[trees].tolist()),
            parses=np.arange(len(trees) + 1),
            origin=origin,
            joined=tuple(np.flatnonzero(np.isin(trees, self.joined)).tolist()),
        )

    def with_words(self, sentences: Iterable[Sequence[str]], *, text: str) -> DependencyTreeColumn:
        """Return the trees with the words of a text, from which theirs differ in upper and lower case alone.

        For one tree a segment. Other differences are an `InputError`.
        """
        listed = [list(words) for words in sentences]
        numbers = self.vocabulary.numbers(word for words in listed for word in words)
        column = TokenColumn(numbers, _borders(map(len, listed)))
        self.check(column, self.vocabulary, text=text)
        return replace(self, words=column.ids)

    def check(
        self, words: TokenColumn, vocabulary: Vocabulary, *, text: str, before: int = 0
    ) -> None:
        """Raise an `InputError` for the first segment that has other words in the text."""
        for error in self.problems(words, vocabulary, text=text, before=before):
            raise error

    def problems(
        self, words: TokenColumn, vocabulary: Vocabulary, *, text: str, before: int = 0
    ) -> Iterator[InputError]:
        """Yield every way in which the trees do not fit a text: other words, upper and lower case aside.

        Both are those of segments that have so many others `before` them.
        """
        lengths = words.lengths
        name = "the trees" if self.origin is None else self.origin.name
        if len(self) != len(lengths):
            yield other_segments(name, len(self), text, len(lengths))
            return
        segments = np.repeat(np.arange(len(self)), np.diff(self.parses))
        other_length = self.lengths != lengths
        other_words = self._other_words(words, vocabulary, segments)
        for tree in np.flatnonzero(other_length[segments] | (other_words >= 0)).tolist():
            segment = int(segments[tree])
            line = f"line {before + segment + 1} of {text}"
            if not other_length[segment]:
                place = int(other_words[tree])
                word = self.vocabulary.words[self.words[self.offsets[tree] + place]]
                yield InputError(
                    f"word {place + 1} of the tree is {word!r}, but that of {line} is "
                    f"{vocabulary.words[words[segment][place]]!r}; give the trees of this text",
                    where=self.where(tree),
                )
            elif tree == self.parses[segment]:
                yield InputError(
                    f"the tree has {counted(int(self.lengths[segment]), 'word')}, but {line} has "
                    f"{lengths[segment]}; {self._split_remedy(tree)}",
                    where=self.where(tree),
                )

    def _other_words(
        self, words: TokenColumn, vocabulary: Vocabulary, segments: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return for each tree the place of its first word that the text does not have there, else -1."""
        differing = np.full(self.trees, -1)
        sizes = np.diff(self.offsets)
        alike = sizes == words.lengths[segments]
        rows = np.flatnonzero(np.repeat(alike, sizes))
        owners = np.repeat(np.arange(self.trees), sizes)[rows]
        places = rows - self.offsets[owners]
        texts = words.ids[words.offsets[segments[owners]] + places]
        # Pairs as one number each are many times faster to tell apart than as rows.
        keys = self.words[rows].astype(np.int64) << 32 | texts
        used, pairs = np.unique(keys, return_inverse=True)
        ours, theirs = self.vocabulary.words, vocabulary.words
        differ = np.array(
            [
                ours[own] != theirs[given] and not _same_letters(ours[own], theirs[given])
                for own, given in zip((used >> 32).tolist(), (used & _LOW).tolist(), strict=True)
            ],
            dtype=bool,
        )
        if differ.any():
            wrong = np.flatnonzero(differ[pairs])[::-1]
            differing[owners[wrong]] = places[wrong]
        return differing

    def _split_remedy(self, tree: int) -> str:
        for word in self.tree(tree).words:
            if len(word.split()) > 1:
                return (
                    f"the word {word!r} of the tree holds a blank, where the text is split: replace the blank in "
                    "both, for example by _"
                )
        return "trees and text must be split into the same words"


def other_segments(name: str, segments: int, text: str, lines: int) -> InputError:
    """Return the error of trees for another number of segments than a text has."""
    return InputError(
        f"has trees for {counted(segments, 'segment')}, but {text} has {counted(lines, 'line')}; give one tree "
        "per line, or several parses of it, in the same order",
        where=name,
    )


class DependencyTreeFault(NamedTuple):
    """What makes heads no tree: a head outside the sentence, or words that hang in a cycle."""

    tree: int
    word: int
    head: int
    words: int
    cycle: tuple[int, ...]

    def reason(self, *, base: int) -> str:
        """Return what is wrong, and what would be right; words are counted from `base`."""
        if self.cycle:
            around = " -> ".join(str(word + base) for word in (*self.cycle, self.cycle[0]))
            return (
                f"words {around} hang from one another in a cycle; every word must lead to a root"
            )
        return (
            f"the head of word {self.word + base} is {self.head + base}; heads of {counted(self.words, 'word')} "
            f"lie between {base} and {self.words - 1 + base}, and {ROOT + base} is the root"
        )


def tree_faults(heads: NDArray[np.int32], offsets: NDArray[np.int64]) -> list[DependencyTreeFault]:
    """Return the first fault of every tree that has one; several roots are none."""
    lengths = np.diff(offsets)
    starts = np.repeat(offsets[:-1], lengths)
    inside = (heads >= ROOT) & (heads < np.repeat(lengths, lengths))
    owners = np.repeat(np.arange(len(lengths)), lengths)
    if inside.all():
        bad = owners[_circling(heads, starts, int(lengths.max(initial=0)))]
        return [_fault(tree, heads, offsets) for tree in dict.fromkeys(bad.tolist())]
    bad = np.unique(owners[~inside])
    # Only trees whose heads lie inside can be climbed.
    sound = np.isin(owners, bad, invert=True)
    circling = _circling(np.where(sound, heads, ROOT), starts, int(lengths.max(initial=0)))
    both = np.unique(np.concatenate([bad, owners[circling]]))
    return [_fault(tree, heads, offsets) for tree in both.tolist()]


def _circling(
    heads: NDArray[np.int32], starts: NDArray[np.int64], longest: int
) -> NDArray[np.bool_]:
    """Return which words never reach a root; every step doubles how far each has climbed."""
    top = len(heads)
    above = np.append(np.where(heads == ROOT, top, heads + starts), top)
    for _ in range(longest.bit_length()):
        above = above[above]
    circling: NDArray[np.bool_] = above[:-1] != top
    return circling


def _fault(tree: int, heads: NDArray[np.int32], offsets: NDArray[np.int64]) -> DependencyTreeFault:
    own = heads[offsets[tree] : offsets[tree + 1]].tolist()
    for word, head in enumerate(own):
        if not ROOT <= head < len(own):
            return DependencyTreeFault(tree, word, head, len(own), ())
    cycle = tuple(cycle_of(own))
    return DependencyTreeFault(tree, cycle[0], own[cycle[0]], len(own), cycle)


def _borders(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *sizes], dtype=np.int64)


def _same_letters(one: str, other: str) -> bool:
    """Return whether two words differ in case alone, by the rules of Turkish or of other languages."""
    return one.casefold() == other.casefold() or lowered(one, turkic=True) == lowered(
        other, turkic=True
    )


class DependencyTreeSource(ABC):
    """Gives the trees of a text, one entry per segment; every text is asked for once.

    Metrics reach it through an `Evaluation`, so that nothing is parsed that no metric looks at.
    """

    def __init__(self) -> None:
        self._kept: dict[TextColumn, DependencyTreeColumn] = {}

    def trees(self, text: TextColumn) -> DependencyTreeColumn:
        """Return the trees of a text, which has the same words."""
        if text not in self._kept:
            self._kept[text] = self._made(text)
        return self._kept[text]

    def looked_at(self) -> dict[TextColumn, DependencyTreeColumn]:
        """Return the trees that were asked for."""
        return dict(self._kept)

    def can_give(self, text: TextColumn) -> bool:  # noqa: ARG002 - a parser takes any
        """Return whether there are trees of a text, or could be."""
        return True

    @abstractmethod
    def signature(self) -> str:
        """Return what signatures say of the trees."""

    @abstractmethod
    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        """Return the trees of a text that was not asked for before."""


class GivenDependencyTrees(DependencyTreeSource):
    """Trees that are there already, by text."""

    def __init__(self, trees: dict[TextColumn, DependencyTreeColumn]) -> None:
        super().__init__()
        self._given = trees

    def can_give(self, text: TextColumn) -> bool:
        """Return whether the trees of a text are among the given ones."""
        return text in self._given

    def signature(self) -> str:
        """Return `given`."""
        return "given"

    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        return self._given[text]


@dataclass(frozen=True, slots=True, eq=False)
class DependencyTreePairs:
    """Pair p compares tree `firsts[p]` with tree `seconds[p]` of segment `segments[p]`.

    The pairs of segment s are `starts[s]` to `starts[s + 1]`, at least one.
    """

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    segments: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, first: DependencyTreeColumn, second: DependencyTreeColumn) -> DependencyTreePairs:
        """Return every parse of each segment in one column with every one in the other."""
        left, right = np.diff(first.parses), np.diff(second.parses)
        counts = left * right
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        segments = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(segments)) - starts[segments]
        return cls(
            first.parses[segments] + place // right[segments],
            second.parses[segments] + place % right[segments],
            segments,
            starts,
        )

    @classmethod
    def single(cls, second: DependencyTreeColumn) -> DependencyTreePairs:
        """Return the parses of one column, where the other side has no trees."""
        segments = np.repeat(np.arange(len(second)), np.diff(second.parses))
        trees = np.arange(second.trees)
        return cls(np.zeros_like(trees), trees, segments, second.parses)

    def best(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the best score of each segment over its pairs."""
        if len(self.starts) == 1:
            return np.zeros(0)
        best: NDArray[np.float64] = np.maximum.reduceat(scores, self.starts[:-1])
        return best

    def best_of(self, scores: NDArray[np.float64], segment: int) -> tuple[int, tuple[int, int]]:
        """Return the pair with which a segment scores best, the first of several, and its two trees."""
        start, end = self.starts[segment : segment + 2].tolist()
        pair = start + int(np.argmax(scores[start:end]))
        return pair, (int(self.firsts[pair]), int(self.seconds[pair]))
