"""What scores are for, in a line below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kilter.render.table.page import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WHOLE = "kilter"


class Purposeful(Protocol):
    """A metric with its name, and what a reader learns from it."""

    @property
    def name(self) -> str:
        """The name above its column."""

    @property
    def purpose(self) -> str:
        """What a reader learns from it; empty for most."""


def purpose_notes(metrics: Iterable[Purposeful]) -> Iterator[Note]:
    """Yield what each score is for, beside the overall score; who names metrics without it knows."""
    listed = [each for each in metrics if each.purpose]
    if any(each.name.partition(":")[0] == _WHOLE for each in listed):
        yield Note("; ".join(f"{each.name}: {each.purpose}" for each in listed))
