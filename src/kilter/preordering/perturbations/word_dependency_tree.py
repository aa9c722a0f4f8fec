"""Trees over the words that blanks separate, made of trees over finer tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree import ROOT, DependencyTree
from kilter.core.errors import InputError
from kilter.core.settings import Choice
from kilter.io.conllu import KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.io.conllu import Treebank

_PUNCTUATION = "PUNCT"
_XPOS = 4  # the fifth column of CoNLL-U
_TEXT = "# text = "


class TagColumn(Choice):
    """Which tags of a CoNLL-U file say that two words are of one kind."""

    UPOS = "upos"
    XPOS = "xpos"


def treebank_texts(treebank: Treebank) -> tuple[str, ...]:
    """Return the sentences that the comments of a treebank spell out, one per segment."""
    texts = []
    for segment in range(len(treebank.trees)):
        tree = int(treebank.trees.parses[segment])
        said = [line for line in treebank.comments[tree] if line.startswith(_TEXT)]
        if not said:
            raise InputError(
                "has no comment '# text = ...', which spells the sentence; add it, or give the text in "
                "a file of its own",
                where=treebank.trees.where(tree),
            )
        texts.append(said[0].removeprefix(_TEXT))
    return tuple(texts)


def word_trees(
    treebank: Treebank, texts: Sequence[str], *, text_name: str, tags: TagColumn = TagColumn.UPOS
) -> tuple[DependencyTree, ...]:
    """Return the best tree of every segment over the words that blanks separate in its text.

    A word of several tokens (`death,` or `don't`) gets the tag and the head of its highest token that
    is no punctuation. Tokens must spell the text; anything else is an `InputError`.
    """
    trees = treebank.trees
    if len(trees) != len(texts):
        name = "the trees" if trees.origin is None else trees.origin.name
        raise InputError(
            f"has trees for {counted(len(trees), 'segment')}, but {text_name} has {counted(len(texts), 'line')}; give one "
            "tree per line, in the same order",
            where=name,
        )
    trees_of_words = []
    for segment, text in enumerate(texts):
        number = int(trees.parses[segment])
        try:
            groups = _groups(list(_units(treebank, number)), text.split())
        except InputError as error:
            raise InputError(
                f"{error} in line {segment + 1} of {text_name}; tree and text must be the same "
                "sentence",
                where=trees.where(number),
            ) from None
        trees_of_words.append(_joined(_retagged(treebank, number, tags), groups, text.split()))
    return tuple(trees_of_words)


def _retagged(treebank: Treebank, number: int, tags: TagColumn) -> DependencyTree:
    tree = treebank.trees.tree(number)
    if tags is TagColumn.UPOS:
        return tree
    begin, end = (int(treebank.trees.offsets[number + step]) for step in (0, 1))
    names = treebank.trees.vocabulary.words
    row = treebank.kept[KEPT.index(_XPOS), begin:end]
    marks = [names[tag] for tag in np.asarray(row).tolist()]
    return DependencyTree(tree.words, tree.heads, labels=tree.labels, tags=marks)


def _units(treebank: Treebank, number: int) -> Iterator[tuple[str, list[int]]]:
    """Yield how the file spells the tokens of a tree: multiword tokens as one."""
    words = treebank.trees.tree(number).words
    at = 0
    for _, line in treebank.extra.get(number, []):
        identifier, spelled = line.split("\t")[:2]
        if "-" not in identifier:
            continue  # an empty node, which the sentence does not show
        first, last = (int(part) for part in identifier.split("-"))
        yield from ((words[word], [word]) for word in range(at, first - 1))
        yield spelled, list(range(first - 1, last))
        at = last
    yield from ((words[word], [word]) for word in range(at, len(words)))


def _groups(units: list[tuple[str, list[int]]], words: Sequence[str]) -> list[list[int]]:
    """Return the tokens that each word consists of."""
    groups: list[list[int]] = []
    place = 0
    for word in words:
        spelled, tokens = "", list[int]()
        while spelled != word:
            if place == len(units) or not word.startswith(spelled + units[place][0]):
                raise InputError(f"the tokens of the tree do not spell the word {word!r}")
            spelled += units[place][0]
            tokens += units[place][1]
            place += 1
        groups.append(tokens)
    if place < len(units):
        raise InputError(f"the tree goes on with {units[place][0]!r} behind the last word")
    return groups


def _joined(tree: DependencyTree, groups: list[list[int]], words: Sequence[str]) -> DependencyTree:
    """Return the tree over groups of tokens.

    Heads climb past punctuation to a higher token each time, so that no cycle can arise.
    """
    depths = tree.depths()
    owner = {token: word for word, tokens in enumerate(groups) for token in tokens}
    highest = []
    for tokens in groups:
        spoken = [token for token in tokens if tree.tags[token] != _PUNCTUATION] or tokens
        highest.append(min(spoken, key=lambda token: (depths[token], token)))
    heads = []
    for word, token in enumerate(highest):
        head = tree.heads[token]
        while head != ROOT and (owner[head] == word or tree.tags[head] == _PUNCTUATION):
            head = tree.heads[head]
        heads.append(ROOT if head == ROOT else owner[head])
    return _one_rooted(words, heads, [tree.tags[token] for token in highest])


def _one_rooted(words: Sequence[str], heads: list[int], tags: list[str]) -> DependencyTree:
    """Return a tree whose further roots, punctuation at its top, hang from the first."""
    if ROOT in heads:
        first = heads.index(ROOT)
        heads = [first if head == ROOT and at != first else head for at, head in enumerate(heads)]
    return DependencyTree(words, heads, tags=tags)
