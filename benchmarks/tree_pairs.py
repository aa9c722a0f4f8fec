"""Pairs of dependency trees with one-to-one links: of gold treebanks, or made up where those are missing."""

from __future__ import annotations

import gzip
import json
import math
import os
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from benchmarks.timing import best_seconds
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.links import LinkBatch
from kilter.io.conllu import read_trees
from kilter.io.stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.core.links import Link

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
SHORTEST, LONGEST = 10, 60
GROWING = (10, 20, 40, 80, 160, 320)


Named: TypeAlias = tuple[list[str], list[list[int]]]
"""The names of words in preorder, and the children of each."""


@dataclass(frozen=True)
class Pairs:
    """Trees of hypotheses and references, and links between their words."""

    name: str
    hypotheses: list[DependencyTree]
    references: list[DependencyTree]
    links: list[list[Link]]

    def __len__(self) -> int:
        return len(self.links)

    @property
    def words(self) -> float:
        """The mean number of words of a tree."""
        sizes = [len(tree) for tree in (*self.hypotheses, *self.references)]
        return sum(sizes) / len(sizes)

    def columns(self) -> tuple[DependencyTreeColumn, DependencyTreeColumn, LinkBatch]:
        """Return what Kilter compares."""
        return (
            DependencyTreeColumn.of(self.hypotheses),
            DependencyTreeColumn.of(self.references),
            LinkBatch.of(self.links),
        )

    def some(self, count: int) -> Pairs:
        """Return evenly spread pairs."""
        chosen = np.unique(np.linspace(0, len(self) - 1, count).astype(int)).tolist()
        return Pairs(
            self.name,
            [self.hypotheses[k] for k in chosen],
            [self.references[k] for k in chosen],
            [self.links[k] for k in chosen],
        )


def treebank_pairs(hypotheses: str, references: str, links: list[list[Link]], name: str) -> Pairs:
    """Return the pairs of two CoNLL-U files whose sentences have 10 to 60 words on both sides."""
    columns = [read_trees(ByteSource(path)) for path in (hypotheses, references)]
    inside = [(column.lengths >= SHORTEST) & (column.lengths <= LONGEST) for column in columns]
    chosen = np.flatnonzero(inside[0] & inside[1]).tolist()
    trees = [[column.segment(segment)[0] for segment in chosen] for column in columns]
    return Pairs(name, trees[0], trees[1], [_one_to_one(links[segment]) for segment in chosen])


def _one_to_one(links: list[Link]) -> list[Link]:
    """Return links whose words are still free, so that linked words can be told by equal labels."""
    kept: dict[int, int] = {}
    for first, second in sorted(links):
        if first not in kept and second not in kept.values():
            kept[first] = second
    return sorted(kept.items())


def _named(tree: DependencyTree, names: list[str]) -> Named:
    """Return labels and children of the words in preorder."""
    listed: list[str] = []
    below: list[list[int]] = []

    def visit(word: int) -> int:
        place = len(listed)
        listed.append(names[word])
        below.append([])
        below[place] = [visit(child) for child in tree.children(word)]
        return place

    visit(tree.root)
    return listed, below


def named_pairs(pairs: Pairs) -> list[tuple[Named, Named]]:
    """Return trees in which linked words, and only they, are called the same."""
    made = []
    for first, second, links in zip(pairs.hypotheses, pairs.references, pairs.links, strict=True):
        one = [f"h{word}" for word in range(len(first))]
        other = [f"r{word}" for word in range(len(second))]
        for word, partner in links:
            one[word] = other[partner]
        made.append((_named(first, one), _named(second, other)))
    return made


def all_pairs() -> list[Pairs]:
    """Return English-French gold trees with manual links, edited copies of English ones, or made-up ones."""
    found = []
    pud = DATA / "pud-aligned" / "en-fr"
    if pud.is_dir():
        english, french = (str(pud / f"{side}.conllu.gz") for side in ("en", "target"))
        name = "PUD English-French, gold trees"
        found.append(treebank_pairs(english, french, _manual_links(pud), name))
    treebank = DATA / "ud-english-ewt" / "dev.conllu.gz"
    if treebank.is_file():
        column = read_trees(ByteSource(str(treebank)))
        trees = [column.tree(tree) for tree in range(column.trees)]
        kept = [tree for tree in trees if SHORTEST <= len(tree) <= LONGEST]
        found.append(edited_pairs(kept, "EWT, gold trees and edited copies"))
    return found or [edited_pairs(made_up(800), "made-up trees and edited copies")]


def _manual_links(folder: Path) -> list[list[Link]]:
    text = gzip.decompress((folder / "alignment.json.gz").read_bytes()).decode("utf-8")
    # X stands for words without a partner.
    return [
        [
            (int(one) - 1, int(other) - 1)
            for one, others in entry.items()
            for other in others
            if str(one).isdecimal() and str(other).isdecimal()
        ]
        for entry in json.loads(text)
    ]


def made_up(count: int, *, length: int | None = None) -> list[DependencyTree]:
    """Return trees whose words hang from one of their neighbours most of the time."""
    random = np.random.default_rng(1)
    names = [f"label{number}" for number in range(20)]
    made = []
    for _ in range(count):
        size = length or int(random.integers(SHORTEST, LONGEST + 1))
        order = np.argsort(np.arange(size) + random.normal(0, 2.5, size))
        root = int(random.integers(size))
        order = np.array([root, *(word for word in order.tolist() if word != root)])
        heads = [-1] * size
        for place in range(1, size):
            earlier = order[:place]
            distance = np.abs(earlier - order[place])
            heads[int(order[place])] = int(earlier[np.argmin(distance + random.random(place) * 4)])
        labels = [names[int(k)] for k in np.minimum(random.zipf(1.5, size), 20) - 1]
        made.append(DependencyTree(["w"] * size, heads, labels=labels))
    return made


def edited_pairs(trees: list[DependencyTree], name: str) -> Pairs:
    """Return trees with copies in which a phrase has moved, some heads have changed and words are lost."""
    random = np.random.default_rng(2)
    hypotheses, links = [], []
    for tree in trees:
        size = len(tree)
        begin, middle, end = np.sort(random.integers(0, size + 1, 3)).tolist()
        order = [*range(begin), *range(middle, end), *range(begin, middle), *range(end, size)]
        place = {word: k for k, word in enumerate(order)}
        heads = [-1 if tree.heads[w] < 0 else place[tree.heads[w]] for w in order]
        for word in np.flatnonzero(random.random(size) < 0.1).tolist():
            _rehang(heads, word, int(random.integers(size)))
        made = DependencyTree(tree.words, heads, labels=[tree.labels[w] for w in order])
        hypotheses.append(made)
        kept = random.random(size) < 0.8
        links.append(sorted((place[word], word) for word in range(size) if kept[word]))
    return Pairs(name, hypotheses, trees, links)


def _rehang(heads: list[int], word: int, head: int) -> None:
    """Hang a word from another that is not below it."""
    at = head
    while at >= 0 and at != word:
        at = heads[at]
    if at < 0 and heads[word] >= 0:
        heads[word] = head


def print_growth(measure: Callable[..., object]) -> None:
    """Print what a pair of trees costs at growing lengths, and the exponents between them."""
    costs = []
    for length in GROWING:
        pairs = edited_pairs(made_up(max(4, 2000 // length), length=length), "made up")
        seconds = best_seconds(partial(measure, *pairs.columns()), rounds=5)
        costs.append(seconds / len(pairs) * 1e6)
    listed = "  ".join(f"{cost:,.1f}" for cost in costs)
    print(f"growth: microseconds a pair at {', '.join(map(str, GROWING))} words: {listed}")
    exponents = [math.log(after / before) / math.log(2) for before, after in pairwise(costs)]
    print(f"  exponents between them: {'  '.join(f'{exponent:.2f}' for exponent in exponents)}")
