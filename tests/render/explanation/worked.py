"""The worked examples of the papers, as pictures show them."""

from collections.abc import Iterable

from kilter import Permutation
from kilter.core.dependency_tree import DependencyTree
from kilter.render.explanation.link_diagram import LinkedWords
from tests.golden.test_tree_examples import (
    BECOMES,
    BECOMING,
    CELLIST,
    CELLIST_LINKS,
    MS,
    SHERLOCK_LINKS,
)

SIX = Permutation.from_one_based([2, 4, 5, 6, 1, 3])
"""[PEF] section 3."""
BECAUSE = Permutation.from_one_based([5, 6, 7, 8, 4, 1, 2, 3])
"""[PEF] section 1, "A because B" for "B because A"."""
BECAUSE_WORDS = ("the", "river", "rose", "quickly", "because", "it", "rained", "hard")
BECAUSE_REFERENCE = ("it", "rained", "hard", "because", "the", "river", "rose", "quickly")
BECAUSE_LINKS = [(place, value - 1) for place, value in enumerate(BECAUSE.one_based())]
BECAUSE_PAIR = LinkedWords(BECAUSE_WORDS, BECAUSE_REFERENCE, BECAUSE_LINKS, misplaced=[5, 6, 7])
CELLIST_TREE = DependencyTree(
    CELLIST.words, CELLIST.heads, labels=["det", "nsubj", "case", "nmod", "root", "obj", "punct"]
)
MS_TREE = DependencyTree(
    MS.words,
    MS.heads,
    labels=["compound", "nsubj", "root", "nmod:poss", "obj", "obl", "det", "obj", "punct"],
)
CELLIST_PAIR = LinkedWords(CELLIST.words, MS.words, CELLIST_LINKS, misplaced=[1])
SHERLOCK_PAIR = LinkedWords(BECOMES.words, BECOMING.words, SHERLOCK_LINKS, misplaced=[0, 1])
HEBREW_PAIR = LinkedWords(
    ["שלום", "עולם", "יפה"], ["עולם", "יפה", "שלום"], [(0, 2), (1, 0), (2, 1)], misplaced=[0]
)
JAPANESE_PAIR = LinkedWords(
    ["私", "は", "日本語", "を", "話す"],
    ["日本語", "を", "私", "は", "話します"],
    [(0, 2), (1, 3), (2, 0), (3, 1)],
    misplaced=[0, 1],
)


def repeated(words: LinkedWords, times: int) -> LinkedWords:
    """Return a pair that is so many times as long."""
    first, second = len(words.hypothesis), len(words.reference)
    return LinkedWords(
        words.hypothesis * times,
        words.reference * times,
        [(a + first * k, b + second * k) for a, b in words.links for k in range(times)],
        misplaced=[place + first * k for place in words.misplaced for k in range(times)],
    )


def chained(tree: DependencyTree, times: int) -> DependencyTree:
    """Return a tree that is so many times as long: each copy hangs from the root of the one before."""
    size = len(tree)
    heads = []
    for copy in range(times):
        for head in tree.heads:
            above = tree.root + size * (copy - 1) if head < 0 else head + size * copy
            heads.append(above if copy or head >= 0 else -1)
    return DependencyTree(tree.words * times, heads, labels=tree.labels * times)


def values_and_ranks(permutation: Permutation, *, misplaced: Iterable[int] = ()) -> LinkedWords:
    """Return a permutation as words: its values above, 1 to n below."""
    values = permutation.one_based()
    return LinkedWords(
        map(str, values),
        map(str, range(1, len(values) + 1)),
        [(place, value - 1) for place, value in enumerate(values)],
        misplaced=misplaced,
    )
