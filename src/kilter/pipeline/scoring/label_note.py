"""What is said of dependency trees whose labels or tags do not fit one another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kilter.structures.dependency.dependency_tree import NO_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn

_LEAST_WORDS = 10
"""Fewer words show few of the labels that a tag set has."""
_SHARE = 0.3
"""So many words with a label that the other side never has are no accident."""
_SHOWN = 8

Named = tuple[str, "DependencyTreeColumn"]


def label_notes(references: Sequence[Named], systems: Sequence[Named]) -> Iterator[str]:
    """Yield how the labels and tags of named trees differ, each system with the first reference.

    Trees without any label or tag, and trees of which many words have one that the other side never has,
    are scored as they are: what is compared differs by its names, whatever the trees are.
    """
    for kind in ("labels", "tags"):
        for name, column in (*references, *systems):
            if len(column.words) >= _LEAST_WORDS and _counts(column, kind).keys() == {NO_NAME}:
                yield f"{name}: all {kind} of its trees are {NO_NAME}, so that they tell nothing apart"
        if not references:
            continue
        first_name, first = references[0]
        expected = _counts(first, kind)
        for name, column in systems:
            yield from _unfit(name, _counts(column, kind), first_name, expected, kind)


def _unfit(
    name: str, counts: Counter[str], other: str, expected: Counter[str], kind: str
) -> Iterator[str]:
    if {NO_NAME} in (counts.keys(), expected.keys()):
        return
    shares = [
        sum(times for label, times in one.items() if label not in two) / max(1, one.total())
        for one, two in ((counts, expected), (expected, counts))
    ]
    if min(counts.total(), expected.total()) < _LEAST_WORDS or max(shares) < _SHARE:
        return
    alone = [_listed(counts, expected), _listed(expected, counts)]
    yield (
        f"{name}: the {kind} of its trees are not those of {other}: {name} alone has {alone[0]}; {other} "
        f"alone has {alone[1]}; take trees of one tag set on both sides"
    )


def _listed(counts: Counter[str], other: Counter[str]) -> str:
    """Return the labels that one side alone has, the most frequent first."""
    alone = [label for label, _ in counts.most_common() if label not in other]
    more = f" and {len(alone) - _SHOWN} more" if len(alone) > _SHOWN else ""
    return ", ".join(alone[:_SHOWN]) + more if alone else "none"


def _counts(column: DependencyTreeColumn, kind: str) -> Counter[str]:
    numbers: NDArray[np.int32] = getattr(column, kind)
    names = column.vocabulary.words
    return Counter({names[number]: times for number, times in Counter(numbers.tolist()).items()})
