"""What one draw of an algorithm gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.errors import KilterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from kilter.preordering.perturbations.word import Word

    class Step(Protocol):
        """One deterministic step; its fields are what a result lists."""

        def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
            """Return the words after the step."""


class Draw(NamedTuple):
    """The words after all steps, before truecasing, and the steps."""

    words: tuple[Word, ...]
    steps: tuple[Step, ...]


class ImpossibleError(KilterError):
    """A sentence that does not allow what was asked; the message says why."""
