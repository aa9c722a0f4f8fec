"""Control items, and participants who may have answered without care. Section 13.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, count_rows, row_chart
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.attention import (
    LEAST_AGREEMENT,
    MOST_FAST,
    attention,
    control_answers,
)
from kilter.study.analysis.summary import mean_interval
from kilter.study.chapter.summary_cell import said
from kilter.study.store.collected_data import FAST_SECONDS, LONG_RUN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.attention import Attention, ControlAnswers
    from kilter.study.analysis.judgment_study import JudgmentStudy


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
        f"{each.question}: {counted(each.answers.count, 'answer')} about {each.kind} items are on average "
        f"{said(each.answers.mean, digits=2)}; {each.missed} of them missed."
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
    return (
        f"{doubtful} of {counted(len(people), 'participant')} show a sign of careless answers: {listed}. Nobody was "
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
