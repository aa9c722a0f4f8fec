"""A tagger and transition parsers, all averaged perceptrons: the second English parser [Collins]."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from kilter import __version__, _core
from kilter.core.dependency_tree import NO_NAME, ROOT
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.registry import option
from kilter.parsers.encoder.model_folder import model_folder
from kilter.parsers.network import network_parses
from kilter.parsers.network_file import is_network, load_network
from kilter.parsers.parser import Parser, Parses, named_labels, parses
from kilter.parsers.perceptron_beam import (
    ALTERNATIVES,
    WIDEST,
    BeamParses,
    TaggedBlock,
    beam_trees,
    different,
    joined,
    turned,
    turned_heads,
)
from kilter.parsers.perceptron_tables import (
    DIGITS,
    Tables,
    known_parts,
    load_model,
    load_tables,
    word_parts,
)
from kilter.parsers.registry import PARSERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.parser import Progress

ANY = -2
"""The head of an arc that nobody voted for: every word outside is as good as any other."""


class _Arc(NamedTuple):
    """An arc into a word; heaps of them begin with the best. `loss` is what it falls short of votes."""

    loss: int
    head: int
    word: int


def vote_tree(arcs: Iterable[tuple[int, int, int]], size: int) -> list[int]:
    """Return the heads of the tree with one root whose arcs (word, head, votes) have the most votes.

    Any word may hang from any other without a vote. Chu and Liu's algorithm asks for the best arc into a
    node only, so that arcs without votes need not be listed: of those into a cycle, the one whose word
    loses least is enough. Which of equally good trees is found depends on the votes alone.

    >>> vote_tree([(0, 1, 2), (1, 0, 2), (1, -1, 1)], 2)
    [1, -1]
    """
    return _Contraction(arcs, size).heads() if size else []


class _Contraction:
    """Follows best arcs backwards; a path that meets itself becomes one node, as in the dense kernel."""

    def __init__(self, arcs: Iterable[tuple[int, int, int]], size: int) -> None:
        votes_of = Counter[tuple[int, int]]()
        for word, head, votes in arcs:
            votes_of[word, head] += votes
        self._size = size
        # One root arc more outweighs all votes there are, so that a tree has a single one.
        self._root = 1 + votes_of.total()
        self._heaps = [[_Arc(0, ANY, word), _Arc(self._root, ROOT, word)] for word in range(size)]
        for (word, head), votes in votes_of.items():
            self._heaps[word].append(_Arc((self._root if head == ROOT else 0) - votes, head, word))
        for heap in self._heaps:
            heapq.heapify(heap)
        self._shift = [0] * size
        """What every loss in a node's heap is too small by."""
        self._outside = [0] * size
        """A word that may lie outside a node; all before it lie inside."""
        self._parent = [-1] * size
        self._top = list(range(size))
        self._best: list[_Arc | None] = [None] * size

    def heads(self) -> list[int]:
        finished, on_path = set[int](), set[int]()
        for start in range(self._size):
            node = self._found(start)
            path: list[int] = []
            while node not in finished:
                path.append(node)
                on_path.add(node)
                head = self._choose(node)
                if head == ROOT:
                    break
                node = self._found(head)
                if node in on_path and node not in finished:
                    node = self._contract(path, node)
            finished.update(path)
        return self._expanded()

    def _found(self, word: int) -> int:
        """Return the outermost node that holds a word."""
        top = self._top
        while top[word] != word:
            top[word] = top[top[word]]
            word = top[word]
        return word

    def _choose(self, node: int) -> int:
        """Remember the best arc into a node and return its head."""
        heap = self._heaps[node]
        while True:
            loss, head, word = heap[0]
            if head == ANY:
                head = self._word_outside(node)
                inside = head == self._size
            else:
                inside = head != ROOT and self._found(head) == node
            if not inside:
                self._best[node] = _Arc(loss + self._shift[node], head, word)
                return head
            heapq.heappop(heap)

    def _word_outside(self, node: int) -> int:
        """Return the first word outside a node, or the number of words."""
        word = self._outside[node]
        while word < self._size and self._found(word) == node:
            word += 1
        self._outside[node] = word
        return word

    def _contract(self, path: list[int], first: int) -> int:
        """Make one node of the path from `first` to its end, which is taken off the path."""
        members = [path.pop()]
        while members[-1] != first:
            members.append(path.pop())
        node = len(self._parent)
        largest = max(members, key=lambda each: len(self._heaps[each]))
        for member in members:
            best = self._best[member]
            assert best is not None  # noqa: S101 - it was chosen on the way here
            self._shift[member] -= best.loss
        heap, shift = self._heaps[largest], self._shift[largest]
        for member in members:
            self._parent[member] = self._top[member] = node
            if member != largest:
                for loss, head, word in self._heaps[member]:
                    heapq.heappush(heap, _Arc(loss + self._shift[member] - shift, head, word))
            self._heaps[member] = []
        self._heaps[largest] = []
        self._parent.append(-1)
        self._top.append(node)
        self._heaps.append(heap)
        self._shift.append(shift)
        self._outside.append(max(self._outside[member] for member in members))
        self._best.append(None)
        return node

    def _expanded(self) -> list[int]:
        """Let the way into a cycle replace the arcs of all that it leads through, outer cycles first."""
        entered = set[int]()
        for node in range(len(self._parent) - 1, self._size - 1, -1):
            if node in entered:  # on the way into an outer one
                continue
            into = self._best[node]
            assert into is not None  # noqa: S101 - every node was entered
            member = into.word
            while member != node:
                self._best[member] = into
                entered.add(member)
                member = self._parent[member]
        return [arc.head for arc in self._best[: self._size] if arc is not None]


_Found = TypeVar("_Found")

BLOCK = 500
"""Segments that are parsed at once."""
DENSE = 1000
"""Words of a sentence whose votes are a table of all arcs; that of a longer one would fill the memory."""


@dataclass(frozen=True, kw_only=True)
class Perceptron(Parser):
    """A small parser: the installed English one, or one that `kilter train parser` has learned from a treebank.

    A learned one may be a network instead, which its file says. The English one shares nothing with `model` but its training text. First tags, from left to right, unless another tagger gives them; then a few greedy transition parsers,
    some of which read from right to left, vote for arcs, and the tree with the most votes is taken.
    """

    name: ClassVar[str] = "perceptron"
    summary: ClassVar[str] = (
        "small transition parsers that vote: English (needs kilter[parse]), or learned (model=FILE)"
    )

    only_language: ClassVar[str | None] = "en"
    places: ClassVar[frozenset[str]] = frozenset({"folder", "model"})

    model: str = option(
        "", "file that kilter train parser wrote; empty: the installed English model"
    )
    folder: str = option("", "folder of another model; empty: the installed one")
    tagger: str = option("", "parser whose tags are taken, such as model; + stands for its commas")
    beam: int = option(
        0,
        "derivations that are kept beside one another; 1: greedy; 0: as in the model's training",
        low=0,
        high=WIDEST,
    )

    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return the trees."""
        if self._is_network():
            network = load_network(self.model)
            return network_parses(network, words, vocabulary, jobs=jobs, progress=progress)
        tables = self._tables()
        width = self._width(tables)

        def decoded(block: TaggedBlock) -> tuple[NDArray[np.int32], ...]:
            voters = zip(tables.moves, tables.labels, tables.backwards.tolist(), strict=True)
            found = [
                voter_trees(moves, labels, block.parts, block.offsets, block.tags, backwards, width)
                for moves, labels, backwards in voters
            ]
            return (block.tags, *elected(found, block.offsets))

        given = self._given(tables, words, vocabulary, jobs)
        blocks = _decoded(decoded, tables, words, vocabulary, given, jobs, progress)
        empty = (np.zeros(0, dtype=np.int32),) * 3
        tags, heads, labels = (np.concatenate(each) for each in zip(empty, *blocks, strict=True))
        universal, own = _tag_numbers(tables, vocabulary, tags, given)
        return parses(
            words,
            vocabulary,
            heads,
            labels=named_labels(tables.label_names, vocabulary, heads, labels),
            tags=universal,
            language_tags=own,
        )

    def parse_nbest(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        most: int,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return the best trees that the beam of the first voter ends with; it is as wide as `most` at least."""
        if not 1 <= most <= WIDEST:
            raise OptionError(f"a parser finds 1 to {WIDEST} trees for a sentence, not {most}")
        if self._is_network():
            raise OptionError(
                f"{self.model} is a network, which finds one tree for a sentence; a model that kilter train parser "
                "wrote with --kind perceptron finds several"
            )
        tables = self._tables()
        width = max(self._width(tables), most)

        def decoded(block: TaggedBlock) -> tuple[NDArray[np.int32], BeamParses]:
            first = (tables.moves[0], tables.labels[0], bool(tables.backwards[0]))
            # As many as there are, because two of them may be one after their labels are named.
            return block.tags, beam_trees(*first, block, width, ALTERNATIVES, WIDEST)

        given = self._given(tables, words, vocabulary, jobs)
        blocks = _decoded(decoded, tables, words, vocabulary, given, jobs, progress)
        tags = np.concatenate([np.zeros(0, dtype=np.int32), *(tags for tags, _ in blocks)])
        found = joined([trees for _, trees in blocks])
        labels = named_labels(tables.label_names, vocabulary, found.heads, found.labels)
        chosen = different(found, labels, words.offsets, most)
        rows = np.repeat(chosen.kept, chosen.lengths)
        # The word of each row, counted over the text.
        places = np.arange(len(rows)) + np.repeat(chosen.starts, chosen.lengths)
        places = places[rows]
        universal, own = _tag_numbers(tables, vocabulary, tags, given)
        trees = DependencyTreeColumn(
            words=words.ids[places],
            heads=found.heads[rows],
            labels=labels[rows],
            tags=universal[places],
            offsets=np.concatenate([[0], np.cumsum(chosen.lengths[chosen.kept])]),
            parses=np.concatenate([[0], np.cumsum(chosen.counts)]),
            vocabulary=vocabulary,
        )
        return Parses(trees, own[places], found.scores[chosen.kept])

    def _width(self, tables: Tables) -> int:
        return self.beam or tables.beam

    def _given(
        self, tables: Tables, words: TokenColumn, vocabulary: Vocabulary, jobs: int
    ) -> tuple[NDArray[np.int32], Parses] | None:
        """Return the classes of the tags that another parser gives, and what it gave; None without one."""
        made = self._tagger()
        if made is None:
            return None
        found = made.parse(words, vocabulary, jobs=jobs)
        names = vocabulary.words
        classes = {
            pair: _tag_class(tables, names[pair[0]], names[pair[1]], made.name)
            for pair in {*zip(found.trees.tags.tolist(), found.language_tags.tolist(), strict=True)}
        }
        pairs = zip(found.trees.tags.tolist(), found.language_tags.tolist(), strict=True)
        return np.array([classes[pair] for pair in pairs], dtype=np.int32), found

    def _tagger(self) -> Parser | None:
        return PARSERS.make(self.tagger.replace("+", ",")) if self.tagger else None

    def _is_network(self) -> bool:
        """Return whether the model is a network, which tags by itself and searches nothing."""
        self._check_places()
        if not self.model or not is_network(self.model):
            return False
        for name in ("beam", "tagger"):
            if getattr(self, name):
                raise OptionError(
                    f"{self.model} is a network, which knows no {name}; leave out {name}={getattr(self, name)}"
                )
        return True

    def _check_places(self) -> None:
        if self.model and self.folder:
            raise OptionError("perceptron takes model=FILE or folder=DIR, not both")

    def _tables(self) -> Tables:
        self._check_places()
        return load_model(self.model) if self.model else load_tables(self.folder)

    def _card(self) -> dict[str, Any]:
        """Return what the learned model says of itself."""
        return (load_network(self.model) if self._is_network() else self._tables()).card

    @property
    def known_language(self) -> str | None:
        """The language that it was trained for: English, or what a learned model says."""
        if not self.model:
            return self.only_language
        return self._card().get("language") or None

    def _source(self, digits: int | None) -> str:
        """Return which weights these are."""
        if not self.model:
            found = model_folder(self.folder)
            return found.signature(self.folder) if digits else found.identity()
        return f"model:{self._card()['checksum'][:digits]}"

    def signature(self) -> str:
        """Return the name with the version of the model, and with another tagger's signature."""
        made = self._tagger()
        tagged = f"tagger:{made.signature()}," if made is not None else ""
        return f"{self.name}({tagged}{self._searched()}{self._source(DIGITS)})"

    def _searched(self) -> str:
        return f"beam:{self.beam}," if self.beam else ""

    def identity(self) -> str | None:
        """Return the model and the other tagger, if the tags of a segment depend on it alone."""
        made = self._tagger()
        tagged = "" if made is None else made.identity()
        if tagged is None:
            return None
        tagged = tagged and f"tagger:{tagged},"
        return f"{self.name}({tagged}{self._searched()}{self._source(None)},kilter:{__version__})"


def _decoded(
    decode: Callable[[TaggedBlock], _Found],
    tables: Tables,
    words: TokenColumn,
    vocabulary: Vocabulary,
    given: tuple[NDArray[np.int32], Parses] | None,
    jobs: int,
    progress: Progress | None,
) -> list[_Found]:
    """Return what is found in each block of sentences, in their order."""
    used, places = np.unique(words.ids, return_inverse=True)
    names = vocabulary.words
    spelled = (names[number] for number in used.tolist())
    parts = known_parts(word_parts(spelled, lowercase=tables.lowercase), tables.known)[places]

    def decoded(begin: int) -> _Found:
        offsets = words.offsets[begin : begin + BLOCK + 1]
        rows = parts[offsets[0] : offsets[-1]]
        offsets = offsets - offsets[0]
        tags = (
            _core.perceptron_tags(tables.tagger, rows, offsets)
            if given is None
            else given[0][words.offsets[begin] : words.offsets[begin] + len(rows)]
        )
        return decode(TaggedBlock(rows, offsets, tags))

    from concurrent.futures import ThreadPoolExecutor

    starts = range(0, len(words), BLOCK)
    blocks: list[_Found] = []
    with ThreadPoolExecutor(jobs) as pool:
        for begin, block in zip(starts, pool.map(decoded, starts), strict=True):
            blocks.append(block)
            if progress is not None:
                progress(min(begin + BLOCK, len(words)), len(words))
    return blocks


def _tag_numbers(
    tables: Tables,
    vocabulary: Vocabulary,
    tags: NDArray[np.int32],
    given: tuple[NDArray[np.int32], Parses] | None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return universal and own tags as words: those of the classes, or as another parser gave them."""
    if given is not None:
        return given[1].trees.tags, given[1].language_tags
    return (
        vocabulary.numbers(tag for tag, _ in tables.tag_names)[tags],
        vocabulary.numbers(tag for _, tag in tables.tag_names)[tags],
    )


def _tag_class(tables: Tables, universal: str, own: str, tagger: str) -> int:
    """Return the class of a pair of tags: the same pair, else the language's tag, else the universal one."""
    own_tags = [pair[1] for pair in tables.tag_names]
    universal_tags = [pair[0] for pair in tables.tag_names]
    if (universal, own) in tables.tag_names:
        return tables.tag_names.index((universal, own))
    if own != NO_NAME and own in own_tags:
        return own_tags.index(own)
    if universal in universal_tags:
        return universal_tags.index(universal)
    raise InputError(
        f"{tagger} gives the tags {universal} and {own}, which perceptron does not know; its universal tags "
        f"are {', '.join(sorted({*universal_tags}))}, the others those of the treebank it learned from"
    )


def voter_trees(
    moves: NDArray[np.int8],
    labels: NDArray[np.int8],
    parts: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    tags: NDArray[np.int32],
    backwards: bool,  # noqa: FBT001 - a column of the model file
    width: int = 1,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return heads and labels by one parser, which may read from right to left, greedy or with a beam."""
    if width > 1:
        found = beam_trees(moves, labels, backwards, TaggedBlock(parts, offsets, tags), width, 1, 1)
        return found.heads, found.labels
    if not backwards:
        return _core.perceptron_trees(moves, labels, parts, offsets, tags)
    turn = turned(offsets)
    heads, names = _core.perceptron_trees(moves, labels, parts[turn], offsets, tags[turn])
    return turned_heads(heads, offsets), names[turn]


def elected(
    found: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the trees with the most votes for their arcs; the label is that of the first who agrees.

    Earlier voters count a little more, so that a tie has an answer.
    """
    heads = np.zeros(len(found[0][0]), dtype=np.int32)
    for begin, end in pairwise(offsets.tolist()):
        size = end - begin
        if size > DENSE:
            arcs = (
                (word, head, 64 - place)
                for place, (votes, _) in enumerate(found)
                for word, head in enumerate(votes[begin:end].tolist())
            )
            heads[begin:end] = vote_tree(arcs, size)
            continue
        scores = np.zeros((size, size + 1))
        for place, (votes, _) in enumerate(found):
            scores[np.arange(size), votes[begin:end] + 1] += 1 - place / 64
        heads[begin:end] = _core.spanning_trees(scores.ravel(), np.array([size]))
    labels = found[0][1].copy()
    for votes, names in reversed(found):
        labels = np.where(votes == heads, names, labels)
    return heads, labels
