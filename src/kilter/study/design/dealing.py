"""Questionnaires dealt out, so that nobody judges more than so many items. [FRS] section 5"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from kilter.study.design.item import Questionnaire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.design.item import Item


@dataclass(frozen=True, slots=True)
class Dealing:
    """Smaller questionnaires, and sentences that have more items than anybody may judge."""

    questionnaires: list[Questionnaire]
    too_large: list[str]


def dealt(
    questionnaires: Sequence[Questionnaire], items: Mapping[str, Item], *, most: int
) -> Dealing:
    """Return each questionnaire as several with at most so many items, about equally long.

    Shared items are in all of them. A translation and the permutations of its sentence stay together, and
    items keep their order. A sentence with more items than fit is told of, and left out.
    """
    made, too_large = list[list[str]](), list[str]()
    for entry in questionnaires:
        shared = {name for name in entry.items if items[name].shared}
        room = most - len(shared)
        families: dict[str, list[str]] = {}
        for name in entry.items:
            if name not in shared:
                base = items[name].base
                families.setdefault(base if base in entry.items else name, []).append(name)
        for base in [base for base, family in families.items() if len(family) > room]:
            count = len(families.pop(base))
            too_large.append(
                f"questionnaire {entry.number}: {base} has {count} items, but there is room for {room} "
                "for one rater"
            )
        for portion in _portions([*families.values()], room):
            made.append([name for name in entry.items if name in shared or name in portion])
    return Dealing(
        [Questionnaire(number, tuple(names)) for number, names in enumerate(made, start=1)],
        too_large,
    )


def _portions(families: Sequence[Sequence[str]], room: int) -> list[set[str]]:
    """Return families put into as few portions as there can be, or one more where they do not fit.

    The largest come first, each into the emptiest portion, so that portions are about equal.
    """
    total = sum(map(len, families))
    portions: list[set[str]] = [set() for _ in range(ceil(total / room))]
    for family in sorted(families, key=len, reverse=True):
        emptiest = min(portions, key=len)
        if len(emptiest) + len(family) > room:
            emptiest = set()
            portions.append(emptiest)
        emptiest.update(family)
    return portions
