"""Whether questionnaires hold what a composition asks for, found from their items alone. Section 12.4"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from kilter.study.design.study import MOST_PER_BASE, RANDOM, ItemKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from kilter.study.design.item import Item, Questionnaire
    from kilter.study.design.study import CompositionRow

Key = TypeVar("Key")


def unmet(
    composition: Sequence[CompositionRow],
    items: Mapping[str, Item],
    questionnaires: Sequence[Questionnaire],
) -> list[str]:
    """Return what is missing in each questionnaire, and what breaks a rule; nothing if all is as it should be.

    Every row has its items; those of a row with one base are of one sentence; the translation that a
    permutation is based on is in the same questionnaire, of a shared one among the shared items; a sentence has
    at most two permutations, and nothing is shown twice.
    """
    found = []
    for questionnaire in questionnaires:
        shown = [items[name] for name in questionnaire.items]
        faults = [*_repeated(shown)]
        for shared in (True, False):
            part = [item for item in shown if item.shared is shared]
            rows = [row for row in composition if row.shared is shared]
            faults += _missing(rows, part, "shared" if shared else "own")
            if any(row.kind is ItemKind.TRANSLATION for row in composition):
                faults += _without_base(part, part if shared else shown)
        found += [f"questionnaire {questionnaire.number}: {fault}" for fault in faults]
    return found


def _missing(rows: Sequence[CompositionRow], part: Sequence[Item], whose: str) -> Iterator[str]:
    """Yield the rows that the items of a part do not fill, and how many items no row asked for."""
    others = Counter((item.kind, item.pair) for item in part if item.kind != ItemKind.PERMUTATION)
    by_base = Counter((item.base, item.type, item.pair) for item in part if item.type)
    translated = {item.id for item in part if item.kind == ItemKind.TRANSLATION}
    # Rows with one base choose first, then those of a type, then those that take any type; of each, those of a pair.
    order = sorted(rows, key=lambda row: (not row.same_base, row.type == RANDOM, row.takes("")))
    for row in order:
        left = row.items
        if row.same_base:
            fitting = [
                key
                for key, count in by_base.items()
                if key[1] == row.type
                and count >= row.items
                and key[0] in translated
                and row.takes(key[2])
            ]
            if fitting:
                by_base[fitting[0]] -= row.items
                left = 0
        elif row.kind is ItemKind.PERMUTATION:
            fit = {key for key in by_base if row.type in (key[1], RANDOM) and row.takes(key[2])}
            left = _left(by_base, fit, row.items)
        else:
            same = {key for key in others if key[0] == row.kind and row.takes(key[1])}
            left = _left(others, same, row.items)
        if left:
            one = " of one base beside its translation" if row.same_base else ""
            yield f"{left} of {row.items} {whose} items {row.label}{one} are missing"
    extra = others.total() + by_base.total()
    if extra:
        yield f"{extra} {whose} items belong to no row"


def _left(counts: Counter[Key], fitting: Collection[Key], wanted: int) -> int:
    """Take as many items as are wanted from counts, and return how many are missing."""
    for key in [key for key in counts if key in fitting]:
        taken = min(wanted, counts[key])
        counts[key] -= taken
        wanted -= taken
    return wanted


def _without_base(part: Sequence[Item], beside: Sequence[Item]) -> Iterator[str]:
    translated = {item.id for item in beside if item.kind == ItemKind.TRANSLATION}
    for item in part:
        if item.kind == ItemKind.PERMUTATION and item.base not in translated:
            yield f"{item.id} is shown without the translation of its sentence"


def _repeated(shown: Sequence[Item]) -> Iterator[str]:
    for name, count in Counter(item.id for item in shown).items():
        if count > 1:
            yield f"{name} is shown {count} times"
    bases = Counter(item.base for item in shown if item.kind == ItemKind.PERMUTATION)
    for base, count in bases.items():
        if count > MOST_PER_BASE:
            yield f"{base} has {count} permutations, more than {MOST_PER_BASE}"
