"""How far the trees of a parser agree with gold trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.results.preorder_evaluation import ParserAccuracy

if TYPE_CHECKING:
    from kilter.core.dependency_tree_column import DependencyTreeColumn


def parser_accuracy(trees: DependencyTreeColumn, gold: DependencyTreeColumn) -> ParserAccuracy:
    """Return the accuracy of one tree per segment; trees over other words are an `InputError`."""
    check_words(trees, gold)
    heads = trees.heads == gold.heads
    labels = trees.labels == gold.labels_in(trees.vocabulary)
    used, places = np.unique(gold.tags, return_inverse=True)
    names = gold.vocabulary.words
    numbers = trees.vocabulary.numbers([names[number] for number in used.tolist()])
    tags = trees.tags == numbers[places] if len(places) else np.zeros(0, dtype=bool)
    count = len(heads)
    if not count:
        return ParserAccuracy(1.0, 1.0, 1.0)
    return ParserAccuracy(
        float((heads & labels).sum() / count), float(heads.sum() / count), float(tags.sum() / count)
    )


def check_words(
    trees: DependencyTreeColumn, gold: DependencyTreeColumn, *, noun: str = "gold trees"
) -> None:
    """Raise an `InputError` for the first segment whose words are not those of the gold tree.

    `noun` is what messages call the gold trees, where they are other ones that must have the same words.
    """
    name = "the trees" if trees.origin is None else trees.origin.name
    other = f"the {noun}" if gold.origin is None else gold.origin.name
    if len(trees) != len(gold):
        raise InputError(
            f"has trees for {counted(len(trees), 'sentence')}, but {other} has {len(gold)}; both need the same",
            where=name,
        )
    for segment, (words, expected) in enumerate(
        zip(trees.sentences(), gold.sentences(), strict=True)
    ):
        if words != expected:
            raise InputError(
                f"the words are not those of {gold.where(int(gold.parses[segment]))}; {noun} and trees must be "
                "split into the same words",
                where=trees.where(int(trees.parses[segment])),
            )
