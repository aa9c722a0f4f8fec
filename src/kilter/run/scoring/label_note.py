"""What is said of dependency trees whose labels or tags do not fit one another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.dependency_tree import NO_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.core.dependency_tree_column import DependencyTreeColumn

_LEAST_WORDS = 10
"""Fewer words show few of the labels that a tag set has."""
_SHARE = 0.3
"""So many words with a label that the other side never has are no accident."""
_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How often trees of a text have each label and each tag, in the order in which they occur first."""

    labels: Counter[str]
    tags: Counter[str]

    @classmethod
    def none(cls) -> LabelCounts:
        """Return the counts of no tree."""
        return cls(labels=Counter(), tags=Counter())

    @classmethod
    def of(cls, column: DependencyTreeColumn) -> LabelCounts:
        """Return what trees have."""
        names = column.vocabulary.words
        labels, tags = (
            Counter({names[number]: times for number, times in Counter(each.tolist()).items()})
            for each in (column.labels, column.tags)
        )
        return cls(labels=labels, tags=tags)

    def add(self, later: LabelCounts) -> None:
        """Count later trees of the same text, too."""
        self.labels.update(later.labels)
        self.tags.update(later.tags)


Named = tuple[str, LabelCounts]


def all_label_notes(
    counts: Mapping[tuple[int, int], LabelCounts],
    *,
    systems: Sequence[str],
    references: Sequence[str],
) -> list[str]:
    """Return the notes of several parsers; counts go by parser and by place among systems and references."""
    notes: dict[str, None] = {}
    names = [*systems, *references]
    for parser in sorted({parser for parser, _ in counts}):
        named = [
            (name, counts[parser, place])
            for place, name in enumerate(names)
            if (parser, place) in counts
        ]
        outputs = sum((parser, place) in counts for place in range(len(systems)))
        notes.update(dict.fromkeys(label_notes(named[outputs:], named[:outputs])))
    return list(notes)


def label_notes(references: Sequence[Named], systems: Sequence[Named]) -> Iterator[str]:
    """Yield how the labels and tags of named texts differ, each system with the first reference.

    Trees without any label or tag, and trees of which many words have one that the other side never has,
    are scored as they are: what is compared differs by its names, whatever the trees are.
    """
    for kind in ("labels", "tags"):
        for name, counts in (*references, *systems):
            own = _of_kind(counts, kind)
            if own.total() >= _LEAST_WORDS and own.keys() == {NO_NAME}:
                yield f"{name}: all {kind} of its trees are {NO_NAME}, so that they tell nothing apart"
        if not references:
            continue
        first_name, first = references[0]
        expected = _of_kind(first, kind)
        for name, counts in systems:
            yield from _unfit(name, _of_kind(counts, kind), first_name, expected, kind)


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


def _of_kind(counts: LabelCounts, kind: str) -> Counter[str]:
    return counts.labels if kind == "labels" else counts.tags
