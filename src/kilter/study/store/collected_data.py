"""What a study has collected so far, joined: judgments, progress, agreement, signs of poor attention."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING

from kilter.results.study import GroupProgress, QuestionnaireProgress
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha
from kilter.study.instrument.question import QuestionKind
from kilter.study.store.participant import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.study.design.item import Item, Questionnaire
    from kilter.study.design.study import Study
    from kilter.study.instrument.question import Question
    from kilter.study.store.participant import Participant
    from kilter.study.store.store import Store

_SCALES = {
    QuestionKind.BOXES: ScaleLevel.ORDINAL,
    QuestionKind.SLIDER: ScaleLevel.INTERVAL,
    QuestionKind.OPTIONS: ScaleLevel.NOMINAL,
}
FAST_SECONDS = 3.0
LONG_RUN = 10
FAST_SHARE = 0.5
ARCHIVING = "archiving"
"""The line of a consent form about data that is archived."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """One participant and one item, or one of its translations: answers, None where there is none.

    `seconds` are those of the whole item, if they are known.
    """

    participant: Participant
    position: int
    item: Item
    answers: Mapping[str, int | None]
    seconds: float | None
    slot: int | None = None
    """The place of a translation among those that were shown together, from 1."""
    comment: str | None = None
    """What the participant has written about the whole item."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was answered."""
        return all(value is None for value in self.answers.values())


@dataclass(frozen=True, slots=True)
class Quality:
    """What one participant's answers say about their attention; None where nothing can be said.

    `controls_failed` of `controls` known answers were missed; `longest_run` items in a row have the same
    answers; `fast` is the share of items answered in less than three seconds.
    """

    participant: Participant
    answered: int
    controls: int
    controls_failed: int
    longest_run: int
    fast: float | None
    median_seconds: float | None

    @property
    def is_doubtful(self) -> bool:
        """Whether a researcher should look at the answers."""
        return (
            self.controls_failed > 0
            or self.longest_run >= LONG_RUN
            or (self.fast is not None and self.fast > FAST_SHARE)
        )


@dataclass(frozen=True, slots=True)
class CollectedData:
    """The data of a study at one moment."""

    study: Study
    items: Mapping[str, Item]
    questionnaires: Sequence[Questionnaire]
    participants: Sequence[Participant]
    answers: Mapping[tuple[int, int], Mapping[str, int]]
    seconds: Mapping[tuple[int, int], float]
    simulated: bool = False
    comments: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        study: Study,
        items: Mapping[str, Item],
        questionnaires: Sequence[Questionnaire],
        store: Store,
    ) -> CollectedData:
        """Return what a store holds."""
        answers: dict[tuple[int, int], dict[str, int]] = {}
        for answer in store.answers.all():
            key = (answer.participant, answer.position)
            answers.setdefault(key, {})[answer.question] = answer.value
        return cls(
            study,
            items,
            questionnaires,
            store.participants.all(),
            answers,
            store.answers.seconds(),
            comments=store.answers.comments(),
        )

    def judgments(self, participant: Participant) -> Iterator[Judgment]:
        """Yield a participant's judgments in the order of the questionnaire, missing ones too."""
        entry = next(e for e in self.questionnaires if e.number == participant.questionnaire)
        questions = self.study.instrument.questions
        for position, name in enumerate(entry.items, start=1):
            answers = self.answers.get((participant.id, position), {})
            for slot, item in self.items[name].slots():
                yield Judgment(
                    participant,
                    position,
                    item,
                    {each.name: answers.get(each.of(slot).name) for each in questions},
                    self.seconds.get((participant.id, position)),
                    slot,
                    self.comments.get((participant.id, position)),
                )

    def archivable(self) -> CollectedData:
        """Return the data of those alone who have agreed that it is archived: a yes to the line `archiving`.

        Who declined it, whose consent is not there (on paper), or was erased (withdrawn) is left out, and so are
        comments: in free words people may have said who they are.
        """
        agreed = [p for p in self.participants if (p.consent or {}).get(ARCHIVING) is True]
        return replace(self, participants=agreed, comments={})

    def active(self) -> list[Participant]:
        """Return participants who have given an answer."""
        answered = {participant for participant, _ in self.answers}
        return [person for person in self.participants if person.id in answered]

    def progress(self) -> list[QuestionnaireProgress]:
        """Return how far each questionnaire is."""
        return [self._progress(entry) for entry in self.questionnaires]

    def _progress(self, entry: Questionnaire) -> QuestionnaireProgress:
        people = [p for p in self.participants if p.questionnaire == entry.number]
        stages = Counter(person.stage for person in people)
        active = {person.id for person in self.active() if person.questionnaire == entry.number}
        times = [spent for (person, _), spent in self.seconds.items() if person in active]
        # Whoever has withdrawn and left judgments is in the export, and so is counted here.
        counted = [p for p in people if p.stage in (Stage.ITEMS, Stage.SUBMITTED) or p.id in active]
        answered = sum(
            (person.id, position) in self.answers
            for person in counted
            for position in range(1, len(entry.items) + 1)
        )
        return QuestionnaireProgress(
            questionnaire=entry.number,
            participants=len(people),
            started=sum(person.informed_at is not None for person in people),
            submitted=stages[Stage.SUBMITTED],
            withdrawn=stages[Stage.WITHDRAWN],
            answered=answered,
            expected=len(counted) * len(entry.items),
            median_seconds=median(times) if times else None,
        )

    def groups(self) -> list[GroupProgress]:
        """Return how far each recruitment group is, those without one last; nothing if nobody has one."""
        named = sorted({p.recruitment_group for p in self.participants if p.recruitment_group})
        return [self._group(name) for name in (*named, None)] if named else []

    def _group(self, name: str | None) -> GroupProgress:
        people = [p for p in self.participants if p.recruitment_group == name]
        stages = Counter(person.stage for person in people)
        return GroupProgress(
            group=name,
            participants=len(people),
            started=sum(person.informed_at is not None for person in people),
            submitted=stages[Stage.SUBMITTED],
            withdrawn=stages[Stage.WITHDRAWN],
        )

    def agreement(self) -> dict[str, float | None]:
        """Return Krippendorff's alpha of each question over the shared items."""
        alphas = {}
        for question in self.study.instrument.questions:
            units: dict[str, list[int]] = {}
            for person in self.active():
                for judgment in self.judgments(person):
                    value = judgment.answers[question.name]
                    if judgment.item.shared and value is not None:
                        units.setdefault(judgment.item.id, []).append(value)
            alphas[question.name] = krippendorff_alpha(
                units.values(), values=question.values, scale=_SCALES[question.kind]
            )
        return alphas

    def quality(self) -> list[Quality]:
        """Return signs of attention for everybody who has answered something."""
        return [self._quality(person) for person in self.active()]

    def _quality(self, person: Participant) -> Quality:
        judged = [judgment for judgment in self.judgments(person) if not judgment.is_empty]
        controls = [judgment for judgment in judged if judgment.item.is_control]
        questions = self.study.instrument.questions
        failed = sum(any(_misses(judgment, q) for q in questions) for judgment in controls)
        times = [judgment.seconds for judgment in judged if judgment.seconds is not None]
        longest = run = 0
        before: tuple[int | None, ...] | None = None
        for judgment in judged:
            now = tuple(judgment.answers.values())
            run = run + 1 if now == before else 1
            before = now
            longest = max(longest, run)
        return Quality(
            participant=person,
            answered=len(judged),
            controls=len(controls),
            controls_failed=failed,
            longest_run=longest,
            fast=sum(spent < FAST_SECONDS for spent in times) / len(times) if times else None,
            median_seconds=median(times) if times else None,
        )


def _misses(judgment: Judgment, question: Question) -> bool:
    """Return whether an answer about a control item is in the wrong half of the scale."""
    value = judgment.answers[question.name]
    if value is None or question.kind is QuestionKind.OPTIONS:
        return False
    middle = (question.low + question.high) / 2
    return value <= middle if judgment.item.kind == "identical" else value > middle
