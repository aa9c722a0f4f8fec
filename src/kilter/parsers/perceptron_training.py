"""How the perceptron tagger and parsers learn from a treebank [Collins; Goldberg and Nivre 2013]."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.dependency_tree import NO_NAME
from kilter.core.settings import flag, setting
from kilter.parsers.parser import named_labels
from kilter.parsers.perceptron import elected, voter_trees
from kilter.parsers.perceptron_beam import WIDEST, turned, turned_heads
from kilter.parsers.perceptron_tables import KnownWords, Tables, known_parts, word_parts
from kilter.results.parser_card import HeldOutAccuracy

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.io.conllu import Treebank

    Progress = Callable[[int, int], None]

TAGGER_BITS, MOVE_BITS, LABEL_BITS = 18, 22, 18
"""Rows of the tables of weights at most, as powers of two."""
MOST_TAGS = 256
"""Pairs of tags that are learned: the most frequent ones, so that tables stay small in any language."""
FOLDS = 5
"""Parts of the training text, each tagged by a tagger that has not seen it."""
SLIGHT = 1
"""Weights, of 127, that are left out: they take most of the space and change next to nothing."""
RARE = 5
"""Pairs of tags that are seen less often are not learned, and nothing of single words."""
RARELY = 0.05
"""Share of a word's tags below which one is taken for a slip."""
XPOS = 1
"""The row of a treebank's kept columns that holds the language's own tags."""


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How much is learned, and from what: whether capitals count, how often the text is read, by how many voters.

    With a `beam` of 2 or more, parsers learn to keep the right derivation among so many [CR]; greedy ones learn to
    go on from their own mistakes.
    """

    passes: int = setting(default=8, low=1, high=100, description="Training epochs.")
    voters: int = setting(
        default=3,
        low=1,
        high=15,
        description="Parsers that vote (perceptrons).",
    )
    beam: int = setting(
        default=1,
        low=1,
        high=WIDEST,
        description="Beam size; 1 is greedy (perceptrons).",
    )
    lowercase: bool = flag(description="Lowercase words, for texts without capitals.")
    seed: int = setting(
        default=1, low=0, description="Random seed of the sentence order and held-out data."
    )

    @property
    def steps(self) -> int:
        """How many times a table of weights reads its part of the text."""
        return (FOLDS + 1 + self.voters) * self.passes


@dataclass(frozen=True, eq=False)
class Lessons:
    """The sentences of a treebank as flat arrays, one entry a word."""

    parts: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    tags: list[tuple[str, str]]
    heads: NDArray[np.int32]
    labels: list[str]

    @classmethod
    def of(cls, bank: Treebank, *, lowercase: bool) -> Lessons:
        """Return what a treebank teaches."""
        trees, names = bank.trees, bank.trees.vocabulary.words
        spelled = (names[word] for word in trees.words.tolist())
        tags = zip(trees.tags.tolist(), bank.kept[XPOS].tolist(), strict=True)
        return cls(
            word_parts(spelled, lowercase=lowercase),
            trees.offsets,
            [(names[universal], names[own]) for universal, own in tags],
            trees.heads,
            [names[label] for label in trees.labels.tolist()],
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of some sentences, one after another, and their offsets."""
        lengths = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        starts = np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        return np.arange(offsets[-1]) + starts, offsets

    def part(self, chosen: NDArray[np.int64]) -> Lessons:
        """Return some of the sentences."""
        rows, offsets = self.rows(chosen)
        listed = rows.tolist()
        return Lessons(
            self.parts[rows],
            offsets,
            [self.tags[row] for row in listed],
            self.heads[rows],
            [self.labels[row] for row in listed],
        )


def learned_tables(
    lessons: Lessons, settings: TrainingSettings, *, jobs: int = 1, progress: Progress | None = None
) -> Tables:
    """Return the weights that a text teaches; the same for every number of jobs."""
    return _School(lessons, settings, jobs, progress).tables()


def parser_accuracy(tables: Tables, lessons: Lessons) -> HeldOutAccuracy:
    """Return how many words of held-out sentences get what their treebank says."""
    parts = known_parts(lessons.parts, tables.known)
    tags = _core.perceptron_tags(tables.tagger, parts, lessons.offsets)
    voters = zip(tables.moves, tables.labels, tables.backwards.tolist(), strict=True)
    found = [
        voter_trees(moves, labels, parts, lessons.offsets, tags, backwards, tables.beam)
        for moves, labels, backwards in voters
    ]
    heads, labels = elected(found, lessons.offsets)
    return counted_accuracy(lessons, tables.tag_names, tables.label_names, tags, heads, labels)


def counted_accuracy(
    lessons: Lessons,
    tag_names: list[tuple[str, str]],
    label_names: list[str],
    tags: NDArray[np.int32],
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
) -> HeldOutAccuracy:
    """Return how many words have the tags, heads and labels that their treebank says, labels as parses have them."""
    vocabulary = Vocabulary()
    numbers = named_labels(label_names, vocabulary, heads, labels).tolist()
    named = [vocabulary.words[number] for number in numbers]
    same = [mine == theirs for mine, theirs in zip(named, lessons.labels, strict=True)]
    right = heads == lessons.heads
    tagged = [tag_names[tag] for tag in tags.tolist()]
    pairs = list(zip(tagged, lessons.tags, strict=True))
    return HeldOutAccuracy(
        sentences=len(lessons),
        words=len(right),
        uas=float(right.mean()),
        las=float((right & np.array(same)).mean()),
        upos=_tag_share([(mine[0], theirs[0]) for mine, theirs in pairs]),
        xpos=_tag_share([(mine[1], theirs[1]) for mine, theirs in pairs]),
    )


def _tag_share(pairs: list[tuple[str, str]]) -> float | None:
    """Return how many tags are right; None of a treebank that has none."""
    if all(theirs == NO_NAME for _, theirs in pairs):
        return None
    return float(np.mean([mine == theirs for mine, theirs in pairs]))


def learned_pairs(tags: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of tags that are learned, sorted: frequent ones, and one of each universal tag.

    >>> learned_pairs([("NOUN", "NN")] * 6 + [("NOUN", "NNS"), ("X", "FW")])
    [('NOUN', 'NN'), ('X', 'FW')]
    """
    counts = Counter(tags)
    common = {_most_common(counts, universal) for universal in {pair[0] for pair in counts}}
    ranked = sorted(counts, key=lambda pair: (-counts[pair], pair))
    frequent = [pair for pair in ranked if counts[pair] >= RARE]
    return sorted(common.union(frequent[:MOST_TAGS]))


def learned_tags(tags: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], NDArray[np.int32]]:
    """Return the pairs of tags that are learned, and a number of one for each word.

    It is that of its own pair, or else of the most frequent one with its universal tag.
    """
    counts, names = Counter(tags), learned_pairs(tags)
    number = {pair: k for k, pair in enumerate(names)}
    known = {
        pair: number[pair if pair in number else _most_common(counts, pair[0])] for pair in counts
    }
    return names, np.array([known[pair] for pair in tags], dtype=np.int32)


def known_words(forms: NDArray[np.uint32], tags: NDArray[np.int32]) -> KnownWords:
    """Return the frequent forms of a text with a number for the set of tags that each has more than rarely.

    >>> known = known_words(np.array([9] * 5 + [4], np.uint32), np.array([1, 1, 2, 1, 1, 0], np.int32))
    >>> known.forms.tolist(), (known.form_tags > 0).tolist()
    ([9], [True])
    """
    pairs, counts = np.unique(np.stack([forms, tags], axis=1), axis=0, return_counts=True)
    each, starts = np.unique(pairs[:, 0], return_index=True)
    totals = np.add.reduceat(counts, starts) if len(starts) else counts
    often = counts >= RARELY * np.repeat(totals, np.diff([*starts, len(pairs)]))
    # Any number that tells sets apart will do; a sum of mixed bits does not depend on their order.
    mixed = (pairs[:, 1].astype(np.uint64) + 1) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)
    sums = np.add.reduceat(np.where(often, mixed, 0), starts) if len(starts) else mixed
    frequent = totals >= RARE
    numbers = (sums & np.uint64(0xFFFFFFFF)).astype(np.uint32) | np.uint32(1)
    return KnownWords(each.astype(np.uint32)[frequent], numbers[frequent])


def parts_of_new_words(lessons: Lessons, tags: NDArray[np.int32]) -> NDArray[np.uint32]:
    """Return the parts of all words; which tags they have had is what the other folds say.

    Of new text, too, no word has a say in what is known of it.
    """
    fold = np.repeat(np.arange(len(lessons)) % FOLDS, np.diff(lessons.offsets))
    parts = lessons.parts.copy()
    for k in range(FOLDS):
        others = known_words(parts[fold != k, 0], tags[fold != k])
        parts[fold == k] = known_parts(parts[fold == k], others)
    return parts


def _most_common(counts: Counter[tuple[str, str]], universal: str) -> tuple[str, str]:
    return max((count, pair) for pair, count in counts.items() if pair[0] == universal)[1]


def _small(means: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return weights in eight bits; the few that are too large are cut off."""
    used = np.abs(means[means != 0])
    unit = np.quantile(used, 0.9995) / 127 if len(used) else 1.0
    whole = np.clip(np.round(means / unit), -127, 127).astype(np.int8)
    whole[np.abs(whole) <= SLIGHT] = 0
    return whole


def table_bits(words: int) -> tuple[int, int, int]:
    """Return the rows of the tables of tags, moves and labels for a text, as powers of two: more for more words.

    >>> table_bits(24_000), table_bits(200_000), table_bits(10)
    ((17, 19, 15), (18, 22, 18), (6, 8, 4))
    """
    size = max(1, words - 1).bit_length()
    return min(TAGGER_BITS, size + 2), min(MOVE_BITS, size + 4), min(LABEL_BITS, size)


class _School:
    """Learns one table after another, or several beside one another, and counts what was read."""

    def __init__(
        self,
        lessons: Lessons,
        settings: TrainingSettings,
        jobs: int,
        progress: Progress | None,
    ) -> None:
        self._lessons = lessons
        self._settings = settings
        self._jobs = jobs
        self._progress = progress
        self._done = 0
        self._bits = table_bits(len(lessons.heads))
        self._tag_names, self._tags = learned_tags(lessons.tags)
        self._known = known_words(lessons.parts[:, 0], self._tags)
        self._parts = parts_of_new_words(lessons, self._tags)
        self._label_names = sorted(set(lessons.labels))
        labels = {name: k for k, name in enumerate(self._label_names)}
        self._labels = np.array([labels[name] for name in lessons.labels], dtype=np.int32)

    def tables(self) -> Tables:
        """Return the weights of all tables."""
        from concurrent.futures import ThreadPoolExecutor

        everything = np.arange(len(self._lessons))
        fold = everything % FOLDS
        voters = [(bool(k % 2), self._settings.seed + k) for k in range(self._settings.voters)]
        with ThreadPoolExecutor(self._jobs) as pool:
            whole = pool.submit(self._tagger, everything)
            parts = pool.map(self._tagger, [np.flatnonzero(fold != k) for k in range(FOLDS)])
            # As wrong as the tags of new text: each fold is tagged by a tagger that has not seen it.
            seen = np.zeros_like(self._tags)
            for k, weights in enumerate(parts):
                rows, offsets = self._lessons.rows(np.flatnonzero(fold == k))
                seen[rows] = _core.perceptron_tags(weights, self._parts[rows], offsets)
            found = list(pool.map(partial(self._voter, seen), voters))
            tagger = whole.result()
        return Tables(
            tagger,
            np.stack([moves for moves, _ in found]),
            np.stack([labels for _, labels in found]),
            np.array([backwards for backwards, _ in voters]),
            self._tag_names,
            self._label_names,
            {"settings": asdict(self._settings)},
            self._known,
        )

    def _passed(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._settings.steps)

    def _tagger(self, chosen: NDArray[np.int64]) -> NDArray[np.int8]:
        trainer = _core.TaggerTrainer(self._bits[0], len(self._tag_names))
        chance = np.random.default_rng(self._settings.seed)
        for _ in range(self._settings.passes):
            rows, offsets = self._lessons.rows(chance.permutation(chosen))
            trainer.learn(self._parts[rows], offsets, self._tags[rows])
            self._passed()
        return _small(trainer.means())

    def _voter(
        self, tags: NDArray[np.int32], voter: tuple[bool, int]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the weights of one voter, who reads from right to left or not, with its seed."""
        backwards, seed = voter
        trainer = _core.ParserTrainer(*self._bits[1:], len(self._label_names))
        chance = np.random.default_rng(seed)
        for k in range(self._settings.passes):
            rows, offsets = self._lessons.rows(chance.permutation(len(self._lessons)))
            heads = self._lessons.heads[rows]
            if backwards:
                turn = turned(offsets)
                rows, heads = rows[turn], turned_heads(heads, offsets)
            parts, names = self._parts[rows], self._labels[rows]
            if self._settings.beam > 1:
                trainer.learn_beam(parts, offsets, tags[rows], heads, names, self._settings.beam)
            else:
                trainer.learn(parts, offsets, tags[rows], heads, names, explore=k > 0)
            self._passed()
        moves, labels = trainer.means()
        return _small(moves), _small(labels)
