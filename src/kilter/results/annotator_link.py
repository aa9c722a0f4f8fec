"""Personal links of a project: what `kilter annotate links` writes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.results.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorLink:
    """One link: whose it is, what they do, how many sentences they have, and whether it was opened."""

    name: str
    role: str
    sentences: int
    opened: bool
    link: str

    def to_dict(self) -> Document:
        """Return the row of a table of links."""
        return asdict(self)
