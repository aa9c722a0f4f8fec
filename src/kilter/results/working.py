"""How a metric came to the score of one segment, in numbers that lead from one to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.core.edit_table import EditTable
    from kilter.core.path_graph import PathGraph
    from kilter.results.document import Document


@dataclass(frozen=True, slots=True)
class WorkingStep:
    """One number of a working: its name, what it is, and the formula that gives it.

    A formula is written with the names of earlier steps and `exp`, `ln`, `sqrt`, `min`, `max` and `mean`.
    It is empty for what is counted, and for what an option says.
    """

    name: str
    meaning: str
    value: float
    formula: str = ""

    def to_dict(self) -> Document:
        """Return the step as JSON."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "formula": self.formula,
            "value": None if isnan(self.value) else self.value,
        }


@dataclass(frozen=True, slots=True)
class Working:
    """The steps of one segment's score, which is the value of the last.

    >>> Working((WorkingStep("right", "pairs in order", 3), WorkingStep("score", "score", 0.5, "right / 6"))).score
    0.5
    """

    steps: tuple[WorkingStep, ...]
    reference: int | None = None
    """The place of the reference that counts; None where all are looked at together."""
    edits: EditTable | None = None
    """The operations that make one tree of the other, where trees are edited."""
    paths: PathGraph | None = None
    """All paths between linked words, where paths are compared."""

    def __post_init__(self) -> None:
        names = [step.name for step in self.steps]
        if not names or len(set(names)) != len(names):
            raise ValueError(
                f"a working has one step or more, each with a name of its own: {names}"
            )

    @property
    def score(self) -> float:
        """The score that the steps lead to."""
        return self.steps[-1].value

    def to_dict(self) -> list[Document]:
        """Return the steps as JSON."""
        return [step.to_dict() for step in self.steps]


def part_steps(steps: Iterable[WorkingStep], part: str) -> tuple[WorkingStep, ...]:
    """Return the steps of a part of a larger working under names of their own, in formulas too.

    >>> part_steps([WorkingStep("m", "matches", 3), WorkingStep("score", "score", 0.5, "m / 6")], "f1")[1].formula
    'f1_m / 6'
    """
    listed = list(steps)
    names = {step.name for step in listed}

    def named(found: re.Match[str]) -> str:
        return f"{part}_{found[0]}" if found[0] in names else found[0]

    return tuple(
        replace(
            step, name=f"{part}_{step.name}", formula=re.sub(r"[A-Za-z_]\w*", named, step.formula)
        )
        for step in listed
    )
