"""What one person has made of one sentence: a translation, links, a comment, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.settings import Choice

if TYPE_CHECKING:
    from kilter.study.annotation.drawn_link import DrawnLink


class SentenceState(Choice):
    """How far somebody is with a sentence."""

    OPEN = "open"
    BEGUN = "begun"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """An annotation as it is stored; `version` counts its saves, `findings` those of the linter.

    `seconds` is the time that was spent on it, `saved_at` in seconds since 1970.
    """

    account: str
    sentence: int
    version: int
    translation: str
    links: tuple[DrawnLink, ...]
    comment: str = ""
    bookmark: bool = False
    done: bool = False
    seconds: float = 0.0
    findings: int = 0
    saved_at: float = 0.0

    @property
    def state(self) -> SentenceState:
        """How far it is."""
        return SentenceState.DONE if self.done else SentenceState.BEGUN

    @property
    def drawn(self) -> tuple[DrawnLink, ...]:
        """The links that somebody drew or accepted."""
        return tuple(link for link in self.links if not link.proposed)
