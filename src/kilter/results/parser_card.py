"""What a parser has learned from, with which settings, and how well it does."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document


@dataclass(frozen=True)
class HeldOutAccuracy:
    """Shares of words: right head, right head and label, right universal tag, right tag of the language.

    A treebank without tags has no share of right ones.
    """

    sentences: int
    words: int
    uas: float
    las: float
    upos: float | None
    xpos: float | None
    seen: int = 0
    """Sentences that are learned from, too."""


@dataclass(frozen=True, kw_only=True)
class ParserCard:
    """The card of a learned parser. `accuracy` is that on sentences it has not learned from; None without any.

    `tried_on` names their file; they were drawn from the training files, a share of them, where it is None.
    """

    language: str
    kilter: str
    settings: Mapping[str, int | bool]
    files: tuple[str, ...]
    sentences: int
    words: int
    tags: int
    labels: int
    held_out: float
    tried_on: str | None
    accuracy: HeldOutAccuracy | None

    def to_dict(self) -> Document:
        """Return what is written beside the weights, and as JSON."""
        return asdict(self)
