"""Signs that a participant answered without care, and control items. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, count_rows, row_chart
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.analysis.summary import Summary, mean_interval, said, summarise
from kilter.study.design.study import CONTROLS, ItemKind
from kilter.study.store.collected_data import FAST_SECONDS, LONG_RUN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy

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
    known = [~np.isnan(answers) for answers in study.answers]
    return np.asarray(np.any(known, axis=0)) if known else np.zeros(len(study), dtype=np.bool_)


def _longest_run(study: JudgmentStudy, rows: Mask) -> int:
    """Return how many judgments in a row have the same answers to all questions."""
    chosen = np.flatnonzero(rows)
    ordered = chosen[np.argsort(study.position[chosen], kind="stable")]
    answers = np.stack([each[ordered] for each in study.answers])
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


def control_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of control items, whose answer is known."""
    answers = control_answers(study)
    return SubReport(
        name="controls",
        title="Control items",
        text=control_sentences(answers),
        data=Table(
            columns=("question", "kind", "items", "n", "missing", "mean", "deviation", "missed"),
            rows=tuple(
                (each.question, each.kind, each.items, each.answers.count, each.answers.missing,
                 each.answers.mean, each.answers.deviation, each.missed)
                for each in answers
            ),
            left=2,
        ),
        shown=None if answers else (),
        figures=(Figure(svg=control_figure(answers, simulated=study.simulated)),) if answers else (),
        notes=(
            (
                "n: answers, from 0, the worst, to 1; missing answers are left out. missed: answers in the wrong half "
                "of the scale, the middle of it included for identical items. Identical items show the reference "
                "itself, shuffled ones its words in random order; no other analysis uses them."
            ),
        ),
    )  # fmt: skip


def control_sentences(answers: Sequence[ControlAnswers]) -> tuple[str, ...]:
    """Return how control items were answered, question by question and kind by kind."""
    return tuple(
        f"{counted(each.answers.count, 'answer')} to {each.question} about {each.kind} items have the mean "
        f"{said(each.answers.mean, digits=2)}; {each.missed} missed the control."
        for each in answers
    ) or ("The questionnaires had no control items.",)


def control_figure(answers: Sequence[ControlAnswers], *, simulated: bool) -> str:
    """Return mean answers about control items with 95% intervals."""
    caption = Caption(
        title="Answers about control items",
        notes=["Lines are 95% intervals of the mean, judgments taken as independent."],
        simulated=simulated,
    )
    if not answers:
        return statement(caption, Undefined("the questionnaires had no control items"))
    rows = []
    for each in answers:
        mean = mean_interval(each.answers)
        mark = (
            mean
            if isinstance(mean, Undefined)
            else Dot(
                value=mean.value,
                low=mean.low,
                high=mean.high,
                text=f"{mean.value:.3f} (n = {each.answers.count}, {each.missed} missed)",
            )
        )
        rows.append(Row(f"{each.kind}, {each.question}", [mark]))
    return row_chart(
        [RowGroup("", rows)],
        caption=caption,
        axis="mean answer, from 0 (worst) to 1 (best)",
        reach=(0.0, 1.0),
    )


def attention_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of signs that somebody answered without care."""
    people = attention(study)
    columns = (
        "participant", "signs", "answered", "controls", "controls missed", "longest run", "fast", "agreement",
    )  # fmt: skip
    rows = tuple(
        (each.participant, ", ".join(each.signs) or None, each.answered, each.controls,
         each.controls_missed, each.longest_run, each.fast, each.agreement)
        for each in people
    )  # fmt: skip
    doubtful = tuple(row for row, each in zip(rows, people, strict=True) if each.signs)
    return SubReport(
        name="careless",
        title="Careless participants",
        text=(attention_sentence(people),),
        data=Table(columns=columns, rows=rows, left=2),
        shown=(Table(columns=columns, rows=doubtful, left=2, title="Participants with a sign"),)
        if doubtful
        else (),
        figures=(Figure(svg=attention_figure(people, simulated=study.simulated)),),
        notes=(
            (
                f"n: {counted(len(people), 'participant')}, all of whom are in every analysis: signs are for the reader to "
                "judge. controls missed: control items answered in the wrong half of a scale; longest run: judgments in "
                f"a row with the same answers, a sign from {LONG_RUN} on; fast: share of judgments under "
                f"{FAST_SECONDS:g} seconds, a sign above {MOST_FAST:g}; agreement: correlation with the mean of the "
                f"others, averaged over questions, a sign below {LEAST_AGREEMENT:g}; missing where nothing is known."
            ),
        ),
    )  # fmt: skip


def attention_sentence(people: Sequence[Attention]) -> str:
    """Return how many participants show a sign of carelessness, and which signs."""
    signs: dict[str, int] = {}
    for each in people:
        for sign in each.signs:
            signs[sign] = signs.get(sign, 0) + 1
    doubtful = sum(bool(each.signs) for each in people)
    if not doubtful:
        return f"None of {counted(len(people), 'participant')} shows a sign of careless answers."
    listed = ", ".join(f"{sign} ({count})" for sign, count in signs.items())
    shows = "shows" if doubtful == 1 else "show"
    return (
        f"{doubtful} of {counted(len(people), 'participant')} {shows} a sign of careless answers: {listed}. Nobody was "
        "left out for it."
    )


def attention_figure(people: Sequence[Attention], *, simulated: bool) -> str:
    """Return how many participants show each number of signs."""
    caption = Caption(title="Participants by signs of careless answers", simulated=simulated)
    if not people:
        return statement(caption, Undefined("there is no participant"))
    counts: dict[str, int] = {}
    for each in sorted(people, key=lambda person: person.signs):
        name = ", ".join(each.signs) or "no sign"
        counts[name] = counts.get(name, 0) + 1
    return row_chart(
        [RowGroup("", count_rows(counts))], caption=caption, axis="participants", whole=True
    )
