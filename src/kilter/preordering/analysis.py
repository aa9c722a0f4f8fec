"""Where pre-ordering goes wrong: words, classes of words, sentences. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.reordering import TiedSpans
from kilter.results.preordering import (
    WORD,
    MisorderedClass,
    ParserAccuracy,
    RowOrder,
    tree_line,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.reordering import OrderMatch, Reordering


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


@dataclass(frozen=True, slots=True, eq=False)
class Misordering:
    """For each word, in source order: whether it begins a chunk inside its sentence, and its wrong pairs."""

    starts: NDArray[np.bool_]
    pairs: NDArray[np.int64]

    @classmethod
    def of(
        cls, order: Reordering, match: OrderMatch, *, ties: TiedSpans = TiedSpans.BEST
    ) -> Misordering:
        """Return it for words that were reordered and matched with a reference."""
        begins, pairs = match.misordered(ties=ties)
        offsets = order.offsets
        filled = offsets[:-1][np.diff(offsets) > 0]
        begins[filled] = False  # every sentence begins with a chunk
        places = np.repeat(offsets[:-1], np.diff(offsets)) + order.order
        starts = np.empty_like(begins)
        starts[places] = begins
        wrong_pairs = np.empty(len(pairs), dtype=np.int64)
        wrong_pairs[places] = pairs
        return cls(starts, wrong_pairs)


def class_rows(
    kind: str,
    names: Sequence[str],
    numbers: NDArray[np.int64],
    misordered: Misordering,
    *,
    minimum: int = 1,
    sort: RowOrder = RowOrder.WRONG_PAIRS,
    after: Misordering | None = None,
) -> list[MisorderedClass]:
    """Return for each class of a kind its count, how many of its words are misordered, their share, wrong pairs.

    `numbers` holds the class of each word, -1 for none. Classes of fewer words than `minimum` are left
    out. `sort` says what comes first, where it is the same then wrong pairs and misordered words; with
    `after`, the same words under other rules, what changed most.
    """
    known = numbers >= 0
    size = len(names)
    count = np.bincount(numbers[known], minlength=size)

    kept = np.flatnonzero(count >= max(minimum, 1)).tolist()

    def measured(of: Misordering) -> list[MisorderedClass]:
        begun = np.bincount(numbers[known & of.starts], minlength=size)
        pairs = np.bincount(numbers[known], weights=of.pairs[known], minlength=size)
        return [
            MisorderedClass(
                kind=kind,
                name=names[k],
                count=int(count[k]),
                misordered=int(begun[k]),
                rate=float(begun[k] / count[k]),
                wrong_pairs=int(pairs[k]),
            )
            for k in kept
        ]

    rows = measured(misordered)
    if after is not None:
        rows = [replace(row, after=other) for row, other in zip(rows, measured(after), strict=True)]
    return sorted(rows, key=lambda row: _most_first(row, sort))


def _most_first(row: MisorderedClass, sort: RowOrder) -> tuple[float, float, float, float, str]:
    after = row.after
    changed = 0.0
    if after is not None and sort is not RowOrder.COUNT:
        changed = -abs(getattr(after, sort.field) - getattr(row, sort.field))
    value = -float(getattr(row, sort.field))
    further = (-row.wrong_pairs, -row.misordered)
    if sort is RowOrder.MISORDERED:
        further = (-row.misordered, -row.wrong_pairs)
    return changed, value, *further, row.name


def word_rows(
    trees: DependencyTreeColumn,
    misordered: Misordering,
    *,
    minimum: int = 1,
    sort: RowOrder = RowOrder.WRONG_PAIRS,
    after: Misordering | None = None,
) -> list[MisorderedClass]:
    """Return the words most often misordered, by form. Section 11.4, analysis 1"""
    used, numbers = np.unique(trees.words, return_inverse=True)
    names = [trees.vocabulary.words[number] for number in used.tolist()]
    return class_rows(
        WORD, names, numbers.astype(np.int64), misordered, minimum=minimum, sort=sort, after=after
    )


def kind_rows(
    trees: DependencyTreeColumn,
    misordered: Misordering,
    *,
    gold: DependencyTreeColumn | None = None,
    minimum: int = 1,
    sort: RowOrder = RowOrder.WRONG_PAIRS,
    after: Misordering | None = None,
) -> list[MisorderedClass]:
    """Return the same by tag, by label, and by tag of the head > label. Section 11.4, analysis 2

    With gold trees, also by `gold tag > tag` and `gold label > label` where the two differ.
    """
    vocabulary = trees.vocabulary.words
    tags = [vocabulary[number] for number in trees.tags.tolist()]
    labels = [vocabulary[number] for number in trees.labels.tolist()]
    starts = np.repeat(trees.offsets[:-1], np.diff(trees.offsets))
    above = np.where(trees.heads < 0, -1, trees.heads + starts).tolist()
    heads = ["ROOT" if place < 0 else tags[place] for place in above]
    kinds: dict[str, list[str | None]] = {
        "tag": [*tags],
        "label": [*labels],
        "head tag > label": [
            f"{head} > {label}" for head, label in zip(heads, labels, strict=True)
        ],
    }
    if gold is not None:
        check_words(trees, gold)
        known = gold.vocabulary.words
        for kind, ours, theirs in (("tag", tags, gold.tags), ("label", labels, gold.labels)):
            right = [known[number] for number in theirs.tolist()]
            kinds[f"gold {kind} > {kind}"] = [
                None if one == other else f"{one} > {other}"
                for one, other in zip(right, ours, strict=True)
            ]
    rows: list[MisorderedClass] = []
    for kind, classes in kinds.items():
        names = sorted({name for name in classes if name is not None})
        places = {name: k for k, name in enumerate(names)}
        numbers = np.array([-1 if n is None else places[n] for n in classes], dtype=np.int64)
        rows += class_rows(
            kind, names, numbers, misordered, minimum=minimum, sort=sort, after=after
        )
    return rows


def tree_text(trees: DependencyTreeColumn, segment: int) -> str:
    """Return the first tree of a segment in a line."""
    return tree_line(trees.segment(segment)[0])
