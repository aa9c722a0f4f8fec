"""How far a study is: what `kilter survey status` found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document

SCHEMA = "kilter.survey-status/1"


@dataclass(frozen=True, slots=True)
class QuestionnaireProgress:
    """How far one questionnaire is."""

    questionnaire: int
    participants: int
    started: int
    submitted: int
    withdrawn: int
    answered: int
    expected: int
    median_seconds: float | None

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.survey-status/1`."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """How many people of one recruitment group have come how far; None is whoever has no group."""

    group: str | None
    participants: int
    started: int
    submitted: int
    withdrawn: int

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.survey-status/1`."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class StudyStatus:
    """What the researcher has set, how far each questionnaire is, and how people answer."""

    paused: bool
    links: int
    open_limit: int
    questionnaires: tuple[QuestionnaireProgress, ...]
    agreement: Mapping[str, float | None]
    """Krippendorff's alpha of each question over the shared items, None where it is undefined."""
    participants_answering: int
    participants_doubtful: int
    groups: tuple[GroupProgress, ...] = ()
    """Recruitment groups in the order of their names; nothing if nobody has one."""
    closed: bool = False

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.survey-status/1`."""
        return {
            "schema": SCHEMA,
            "paused": self.paused,
            "closed": self.closed,
            "links": self.links,
            "open_limit": self.open_limit,
            "questionnaires": [row.to_dict() for row in self.questionnaires],
            "agreement": dict(self.agreement),
            "participants_answering": self.participants_answering,
            "participants_doubtful": self.participants_doubtful,
            "groups": [row.to_dict() for row in self.groups],
        }
