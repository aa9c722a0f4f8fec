"""How far a study is: what `kilter survey status` found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kilter import __version__

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


POOL_STATISTICS_SCHEMA = "kilter.pool/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCount:
    """The corpora of one language pair and year, or all of them: `pair` is None then.

    `sentences` have a translation and a reference, `in_pool` of them were drawn, `ranked` of those have a
    rank score, whose mean is `rank_score`. Lengths are means over the pool, in words. `permutations` are
    those that exist of the pool's sentences, by type, over all degrees; None where nobody counted.
    """

    pair: str | None
    year: int | None
    corpora: int
    sentences: int
    in_pool: int
    reference_length: float | None
    hypothesis_length: float | None
    ranked: int
    rank_score: float | None
    permutations: Mapping[str, int] | None = None

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.pool/1`."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStatistics:
    """The pool of a study by language pair and year, and altogether."""

    rows: tuple[PoolCount, ...]
    total: PoolCount

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.pool/1`."""
        return {
            "schema": POOL_STATISTICS_SCHEMA,
            "rows": [row.to_dict() for row in self.rows],
            "total": self.total.to_dict(),
        }


ANNOTATION_STATUS_SCHEMA = "kilter.annotation-status/1"


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
            "schema": ANNOTATION_STATUS_SCHEMA,
            "version": __version__,
            "title": self.title,
            "sentences": self.sentences,
            "annotators": [row.to_dict() for row in self.annotators],
        }


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
