"""Personal links of a study: what `kilter survey links` writes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.results.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalLink:
    """One link: its number, recruitment group if it has one, questionnaire, and whether it was opened."""

    number: int
    group: str | None
    questionnaire: int
    opened: bool
    link: str

    def to_dict(self) -> Document:
        """Return the row of a table of links."""
        return asdict(self)
