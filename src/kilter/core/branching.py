"""Which of the binary permutation trees is the canonical one."""

from kilter.core.choice import Choice


class Branching(Choice):
    """Left-branching trees split binary nodes at the last place, right-branching at the first."""

    LEFT = "left"
    RIGHT = "right"
