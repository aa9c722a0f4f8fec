"""The judgments of a study with all that is known of participants and sentences. Section 12.6"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.judgments.survey_export import QuestionScale
    from kilter.study.design.study import ItemKind

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]


RANK_TOOL = "wmt-rank"
DEGREE_TOOL = "degree"
"""Tools of score files whose values are the rank score and the degree score of sentences."""


class SentenceGroup(Choice):
    """Which sentences an analysis looks at; control items and pairs are in none of them."""

    ALL = "all"
    TRANSLATION = "translation"
    PERMUTATION = "permutation"
    ORDER = "order"
    SWAP = "swap"
    PHRASE = "phrase"
    CHOICE = "choice"
    BOTH = "both"


TYPES = (SentenceGroup.ORDER, SentenceGroup.SWAP, SentenceGroup.PHRASE, SentenceGroup.CHOICE)
"""The published types of permutation."""
ALL_TYPES = (*TYPES, SentenceGroup.BOTH)
"""They and that of the pilot study, which is shown where it occurs."""
REPORTED = (SentenceGroup.TRANSLATION, *ALL_TYPES)
"""What correlations are reported for: translations, and each type of permutation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSentence:
    """A sentence that was judged; `degree_score` is None for translations, `rank_score` where there is none."""

    id: str
    kind: ItemKind
    type: str | None = None
    degree: int | None = None
    base: str | None = None
    shared: bool = False
    system: str | None = None
    second_system: str | None = None
    """The system of the other translation, where two were compared."""
    pair: str | None = None
    segment: int | None = None
    source: str | None = None
    reference: str = ""
    hypothesis: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    degree_score: float | None = None
    rank_score: float | None = None

    @property
    def source_language(self) -> str | None:
        """The language that was translated."""
        return None if self.pair is None else self.pair.partition("-")[0]

    @property
    def target_language(self) -> str | None:
        """The language of hypothesis and reference."""
        return None if self.pair is None else self.pair.partition("-")[2] or None

    def scored(self, *, degree_score: float) -> JudgedSentence:
        """Return the sentence with a degree score."""
        return replace(self, degree_score=degree_score)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyParticipant:
    """Somebody who has judged; `fields` holds what they said of themselves, None where nothing."""

    id: str
    questionnaire: int | None = None
    fields: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecruitedGroup:
    """People recruited together: to how many the study was advertised, how many responded and judged.

    `advertised` is None where nobody has said it.
    """

    name: str
    advertised: int | None
    responded: int
    judged: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ToolScores:
    """Scores of all sentences by one tool in one variant and configuration; NaN where there is none."""

    tool: str
    variant: str = ""
    configuration: str = ""
    values: Floats
    external: bool = False

    @property
    def name(self) -> str:
        """The tool and its variant, as metrics are named: `dted:variant=b`."""
        return f"{self.tool}:{self.variant}" if self.variant else self.tool


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgmentStudy:
    """Columns of judgments, one row per participant and sentence.

    `participant` and `sentence` are places in `participants` and `sentences`; `levels` holds answers by
    question, NaN where one is missing; `position` counts from 1; `seconds` is NaN where unknown.
    """

    source: str
    simulated: bool
    questions: tuple[QuestionScale, ...]
    participants: tuple[StudyParticipant, ...]
    sentences: tuple[JudgedSentence, ...]
    participant: Ints
    sentence: Ints
    questionnaire: Ints
    position: Ints
    seconds: Floats
    levels: Mapping[str, Floats]
    preferences: Mapping[str, Floats] = field(default_factory=dict)
    """Answers by question about two translations: 1 where the first is better, 0 the second, 0.5 for a tie."""
    tools: tuple[ToolScores, ...] = ()
    idle: int = 0
    """How many participants consented and judged nothing."""
    unknown: int = 0
    """How many judged, but are not in the table of participants, where there is one."""

    wording: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What was asked, by name, in the table of judgments and in that of participants; empty if unknown."""
    recruitment: tuple[RecruitedGroup, ...] = ()
    """Recruitment groups, where it is known to how many people the study was advertised."""
    notes: tuple[str, ...] = ()
    """What was left out of the scores, and why."""

    def __len__(self) -> int:
        return len(self.participant)

    def question(self, name: str) -> QuestionScale:
        """Return a question by name."""
        return next(question for question in self.questions if question.name == name)

    @property
    def answers(self) -> list[Floats]:
        """The answers to each question: levels, then preferences."""
        return [
            *(self.levels[question.name] for question in self.questions),
            *self.preferences.values(),
        ]

    def scores(self, question: str) -> Floats:
        """Return the answers to a question as scores from 0 to 1, NaN where one is missing."""
        return self.question(question).scores(self.levels[question])

    def rows(self, group: SentenceGroup = SentenceGroup.ALL) -> Mask:
        """Return which judgments are about a group of sentences."""
        return self.group(group)[self.sentence]

    def group(self, group: SentenceGroup) -> Mask:
        """Return which sentences belong to a group."""
        return self._groups[group]

    @property
    def reported(self) -> tuple[SentenceGroup, ...]:
        """What correlations are reported for: translations, and the types of permutation that are published or occur."""
        pilot = self.group(SentenceGroup.BOTH).any()
        return tuple(kind for kind in REPORTED if pilot or kind is not SentenceGroup.BOTH)

    @cached_property
    def shared(self) -> Mask:
        """Which sentences are in all questionnaires."""
        return np.array([sentence.shared for sentence in self.sentences], dtype=np.bool_)

    @cached_property
    def _groups(self) -> dict[SentenceGroup, Mask]:
        kinds = np.array([str(sentence.kind) for sentence in self.sentences], dtype=object)
        types = np.array([sentence.type or "" for sentence in self.sentences], dtype=object)
        translation, permuted = kinds == "translation", kinds == "permutation"
        masks = {
            SentenceGroup.ALL: translation | permuted,
            SentenceGroup.TRANSLATION: translation,
            SentenceGroup.PERMUTATION: permuted,
        }
        return masks | {kind: permuted & (types == str(kind)) for kind in ALL_TYPES}

    def values_of(self, tool: str) -> Floats:
        """Return the scores of sentences by a tool without variants, NaN where there is none."""
        for scores in self.tools:
            if scores.name == tool:
                return scores.values
        return np.full(len(self.sentences), np.nan)

    def with_tools(self, tools: Sequence[ToolScores]) -> JudgmentStudy:
        """Return the study with further scores of its sentences."""
        return replace(self, tools=(*self.tools, *tools))


_NAMES = {
    "all": "all sentences",
    "translation": "translations",
    "permutation": "permutations",
}


def sentence_label(group: SentenceGroup) -> str:
    """Return a group of sentences in words.

    >>> from kilter.study.judgments.judgment_study import SentenceGroup
    >>> sentence_label(SentenceGroup.SWAP)
    'permutations of type swap'
    """
    return _NAMES.get(str(group), f"permutations of type {group}")
