"""Signs that a participant answered without care, and control items. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.analysis.summary import Summary, summarise
from kilter.study.design.study import CONTROLS, ItemKind
from kilter.study.store.collected_data import FAST_SECONDS, LONG_RUN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy

    Mask = NDArray[np.bool_]

MOST_FAST = 0.5
LEAST_AGREEMENT = 0.2
"""Beyond these a participant is looked at: share of fast answers, correlation with the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """What one participant's answers say about their care; nobody is left out for it.

    `controls_missed` of `controls` control items were answered in the wrong half of a scale; `longest_run`
    judgments in a row have the same answers; `fast` is the share of judgments under three seconds;
    `agreement` is the mean over questions of the correlation with the mean of all others.
    """

    participant: str
    answered: int
    controls: int
    controls_missed: int
    longest_run: int
    fast: Number
    agreement: Number

    @property
    def signs(self) -> tuple[str, ...]:
        """What speaks against the care of this participant, in words."""
        found = {
            "control item missed": self.controls_missed > 0,
            f"{LONG_RUN} equal answers in a row": self.longest_run >= LONG_RUN,
            "fast": isinstance(self.fast, float) and self.fast > MOST_FAST,
            "unlike the others": isinstance(self.agreement, float)
            and self.agreement < LEAST_AGREEMENT,
        }
        return tuple(name for name, is_so in found.items() if is_so)


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlAnswers:
    """Answers, from 0 to 1, to one question about control items of one kind, and how many missed."""

    question: str
    kind: str
    items: int
    answers: Summary
    missed: int


def attention(study: JudgmentStudy) -> tuple[Attention, ...]:
    """Return the signs of care of every participant."""
    agreements = [
        judge_agreement(study, question.name).leave_one_out for question in study.questions
    ]
    is_control = np.isin([str(s.kind) for s in study.sentences], [str(kind) for kind in CONTROLS])
    missed = np.zeros(len(study), dtype=np.bool_)
    for question in study.questions:
        missed |= _missed(study, question.name)
    found = []
    for place, person in enumerate(study.participants):
        own = study.participant == place
        answered = own & _answered(study)
        controls = answered & is_control[study.sentence]
        rhos = [each[place].rho for each in agreements]
        known = [rho for rho in rhos if isinstance(rho, float)]
        reason = next((rho for rho in rhos if isinstance(rho, Undefined)), None)
        found.append(
            Attention(
                participant=person.id,
                answered=int(answered.sum()),
                controls=int(controls.sum()),
                controls_missed=int((missed & controls).sum()),
                longest_run=_longest_run(study, answered),
                fast=_fast(study.seconds[answered]),
                agreement=sum(known) / len(known)
                if known
                else reason or Undefined("there is no question on a scale"),
            )
        )
    return tuple(found)


def control_answers(study: JudgmentStudy) -> tuple[ControlAnswers, ...]:
    """Return answers about control items, whose answer is known: identical ones are perfect, shuffled ones not.

    Both are missed in the wrong half of the scale.
    """
    kinds = np.array([str(sentence.kind) for sentence in study.sentences], dtype=object)
    found = []
    for question in study.questions:
        scores, missed = study.scores(question.name), _missed(study, question.name)
        for kind in CONTROLS:
            rows = (kinds == str(kind))[study.sentence]
            if rows.any():
                found.append(
                    ControlAnswers(
                        question=question.name,
                        kind=str(kind),
                        items=len(np.unique(study.sentence[rows])),
                        answers=summarise(scores[rows]),
                        missed=int((missed & rows).sum()),
                    )
                )
    return tuple(found)


def _missed(study: JudgmentStudy, question: str) -> Mask:
    """Return which judgments of control items are in the wrong half of the scale."""
    scores = study.scores(question)
    kinds = np.array([str(sentence.kind) for sentence in study.sentences], dtype=object)
    kind = kinds[study.sentence]
    wrong = (kind == str(ItemKind.IDENTICAL)) & (scores <= 0.5)
    return np.asarray(wrong | ((kind == str(ItemKind.SHUFFLED)) & (scores > 0.5)), dtype=np.bool_)


def _answered(study: JudgmentStudy) -> Mask:
    known = [~np.isnan(study.levels[question.name]) for question in study.questions]
    return np.asarray(np.any(known, axis=0)) if known else np.zeros(len(study), dtype=np.bool_)


def _longest_run(study: JudgmentStudy, rows: Mask) -> int:
    """Return how many judgments in a row have the same answers to all questions."""
    chosen = np.flatnonzero(rows)
    ordered = chosen[np.argsort(study.position[chosen], kind="stable")]
    answers = np.stack([study.levels[question.name][ordered] for question in study.questions])
    longest = run = 0
    before: tuple[object, ...] | None = None
    for column in answers.T.tolist():
        # An answer that is missing equals another missing one, unlike NaN.
        now = tuple(None if np.isnan(value) else value for value in column)
        run = run + 1 if now == before else 1
        before, longest = now, max(longest, run)
    return longest


def _fast(seconds: NDArray[np.float64]) -> Number:
    known = seconds[~np.isnan(seconds)]
    if not len(known):
        return Undefined("no time is known")
    return float(np.mean(known < FAST_SECONDS))
