"""Settings of a run: a field declares default, meaning and the name on the command line, once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import Field

_SPELLING = "spelling"


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """How a command line spells a setting, and what its help says."""

    flags: tuple[str, ...]
    description: str
    metavar: str | None = None


def setting(*flags: str, default: object, description: str, metavar: str | None = None) -> Any:
    """Declare a field of settings: its names on a command line, its default, what help says of it."""
    spelling = Spelling(flags=flags, description=description, metavar=metavar)
    return field(default=default, metadata={_SPELLING: spelling})


def spelled_fields(kind: type) -> dict[str, tuple[Field[object], Spelling]]:
    """Return the fields of a kind of settings that a command line spells, in their order.

    >>> @dataclass(frozen=True)
    ... class Kept:
    ...     jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    >>> [spelling.flags for _, spelling in spelled_fields(Kept).values()]
    [('-j', '--jobs')]
    """
    return {
        entry.name: (entry, entry.metadata[_SPELLING])
        for entry in fields(kind)
        if _SPELLING in entry.metadata
    }
