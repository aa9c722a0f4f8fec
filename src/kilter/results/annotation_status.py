"""How far a project is: what `kilter annotate status` found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from kilter.results.document import Document

SCHEMA = "kilter.annotation-status/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorProgress:
    """How far somebody is: of so many sentences, those done, begun and open.

    `median_seconds` is that of sentences that are done and whose time is known, None if there is none; `findings` are those of the
    linter in everything that was saved.
    """

    name: str
    sentences: int
    done: int
    begun: int
    open: int
    median_seconds: float | None
    findings: int
    bookmarks: int
    comments: int

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.annotation-status/1`."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationStatus:
    """How far everybody is, and at last what was adjudicated."""

    title: str
    sentences: int
    annotators: tuple[AnnotatorProgress, ...]

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.annotation-status/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "title": self.title,
            "sentences": self.sentences,
            "annotators": [row.to_dict() for row in self.annotators],
        }
