"""How far a study is: what `kilter survey` and `kilter annotate` tell of their progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.table import Column, Table
from kilter.results.document import Document, Result, fields_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_COUNTS = ("questionnaire", "participants", "started", "submitted", "withdrawn")
_SECONDS = Column("median_seconds", ".1f", "median s")


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


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """How many people of one recruitment group have come how far; None is whoever has no group."""

    group: str | None
    participants: int
    started: int
    submitted: int
    withdrawn: int


@dataclass(frozen=True, kw_only=True)
class StudyStatus(Result):
    """What the researcher has set, how far each questionnaire is, and how people answer."""

    schema: ClassVar[str] = "kilter.survey-status/1"
    paused: bool
    closed: bool = False
    links: int
    open_limit: int
    questionnaires: tuple[QuestionnaireProgress, ...]
    agreement: Mapping[str, float | None]
    """Krippendorff's alpha of each question over the shared items, None where it is undefined."""
    participants_answering: int
    participants_doubtful: int
    groups: tuple[GroupProgress, ...] = ()
    """Recruitment groups in the order of their names; nothing if nobody has one."""

    def to_dict(self) -> Document:
        return {"schema": self.schema} | fields_document(self)

    def tables(self) -> list[Table]:
        rows = [
            [*(getattr(row, name) for name in _COUNTS), f"{row.answered}/{row.expected}", row.median_seconds]
            for row in self.questionnaires
        ]  # fmt: skip
        columns: list[Column | str] = [*_COUNTS, "answered", _SECONDS]
        notes = list(self._notes())
        if not self.groups:
            return [Table("", columns, rows, notes, left=0)]
        group = Column("group", lambda name: name or "(no group)")
        groups = Table.of([group, *_COUNTS[1:]], self.groups, notes=notes)
        return [Table("", columns, rows, left=0), groups]

    def data(self) -> Table:
        return Table.of([*_COUNTS, "answered", "expected", "median_seconds"], self.questionnaires)

    def _notes(self) -> Iterator[str]:
        for name, alpha in self.agreement.items():
            value = "undefined" if alpha is None else f"{alpha:.3f}"
            yield f"Krippendorff's alpha of {name} on shared items: {value}"
        yield (
            f"{self.participants_doubtful} of {self.participants_answering} participants "
            "with doubtful answers"
        )
        if self.closed:
            yield "the study is closed"
        elif self.paused:
            yield "the study is paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalLink:
    """One link: its number, recruitment group if it has one, questionnaire, and whether it was opened."""

    number: int
    group: str | None
    questionnaire: int
    opened: bool
    link: str


_OPENED = Column("opened", lambda opened: "yes" if opened else "")


def personal_link_table(links: Iterable[PersonalLink]) -> Table:
    """Return links, one in a row."""
    group = Column("group", missing="")
    return Table.of(["number", group, "questionnaire", _OPENED, "link"], links, left=5)


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


@dataclass(frozen=True, kw_only=True)
class PoolStatistics(Result):
    """The pool of a study by language pair and year, and altogether."""

    schema: ClassVar[str] = "kilter.pool/1"
    rows: tuple[PoolCount, ...]
    total: PoolCount

    def to_dict(self) -> Document:
        return {"schema": self.schema} | fields_document(self)

    def tables(self) -> list[Table]:
        """Return a row for each language pair and year and one for all; permutations where they were counted."""
        types = list(self.total.permutations or {})
        columns: list[Column | str] = [
            Column("pair", missing="all"), Column("year", missing=""), "corpora", "sentences", "in pool",
            Column("reference length", ".1f"), Column("hypothesis length", ".1f"), "ranked",
            Column("rank score", ".3f"), *types, *(["permutations"] if types else []),
        ]  # fmt: skip
        return [Table("", columns, [_pool_row(row, types) for row in (*self.rows, self.total)])]


def _pool_row(row: PoolCount, types: list[str]) -> list[object]:
    counts = fields_document(row)
    permutations = counts.pop("permutations") or dict.fromkeys(types, 0)
    total = [sum(permutations.values())] if types else []
    return [*counts.values(), *(permutations[name] for name in types), *total]


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


@dataclass(frozen=True, kw_only=True)
class AnnotationStatus(Result):
    """How far everybody is, and at last what was adjudicated."""

    schema: ClassVar[str] = "kilter.annotation-status/1"
    title: str
    sentences: int
    annotators: tuple[AnnotatorProgress, ...]

    def tables(self) -> list[Table]:
        counts = ("name", "sentences", "done", "begun", "open")
        return [Table.of([*counts, _SECONDS, "findings", "bookmarks", "comments"], self.annotators)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorLink:
    """One link: whose it is, what they do, how many sentences they have, and whether it was opened."""

    name: str
    role: str
    sentences: int
    opened: bool
    link: str


def annotator_link_table(links: Iterable[AnnotatorLink]) -> Table:
    """Return links, one in a row."""
    return Table.of(["name", "role", "sentences", _OPENED, "link"], links, left=5)
