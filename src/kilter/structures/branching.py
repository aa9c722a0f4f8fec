"""Which of the binary permutation trees is the canonical one."""

from enum import StrEnum


class Branching(StrEnum):
    """Left-branching trees split binary nodes at the last place, right-branching at the first."""

    LEFT = "left"
    RIGHT = "right"
