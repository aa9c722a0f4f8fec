"""Agreement between participants: alpha, weighted kappa, leave-one-out correlation. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.settings import Choice
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot, Points
from kilter.render.chart.row_chart import Row, RowGroup, row_chart, row_pages
from kilter.render.page.sub_report import Cell, Figure, SubReport, figure_pages
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha, spearman
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.summary import said
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy

    Floats = NDArray[np.float64]


class Weighting(Choice):
    """How much a disagreement counts: by its size, or by the square of it."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """Weighted kappa over pairs of participants: the mean, the smallest and the largest."""

    mean: Number
    lowest: Number
    highest: Number
    pairs: int
    undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """Spearman's rho of one participant with the mean of all others, on sentences that both judged."""

    participant: str
    sentences: int
    rho: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """How far participants agree about one question; `units` sentences have two or more answers."""

    question: str
    sentences: SentenceGroup
    units: int
    answers: int
    alpha: Mapping[ScaleLevel, Number]
    kappa: Mapping[Weighting, Kappa]
    leave_one_out: tuple[LeaveOneOut, ...]
    mean_leave_one_out: Number


def judge_agreement(
    study: JudgmentStudy, question: str, *, sentences: SentenceGroup = SentenceGroup.ALL
) -> JudgeAgreement:
    """Return the agreement of participants on sentences that several of them judged."""
    answers = _answers(study, question, sentences)
    levels = study.question(question).levels
    units = [column[~np.isnan(column)].astype(int).tolist() for column in answers.T]
    reason = "no sentence was judged by two participants"
    if units:
        reason = "all answers are the same"
    each = _leave_one_out(study, answers)
    known = [entry.rho for entry in each if isinstance(entry.rho, float)]
    return JudgeAgreement(
        question=question,
        sentences=sentences,
        units=len(units),
        answers=sum(map(len, units)),
        alpha={
            scale: number(krippendorff_alpha(units, values=levels, scale=scale), reason)
            for scale in ScaleLevel
        },
        kappa={weighting: _kappa(answers, levels, weighting) for weighting in Weighting},
        leave_one_out=each,
        mean_leave_one_out=sum(known) / len(known)
        if known
        else Undefined("no participant can be compared with others"),
    )


def _answers(study: JudgmentStudy, question: str, sentences: SentenceGroup) -> Floats:
    """Return levels by participant and sentence, of sentences with two answers or more."""
    rows = study.rows(sentences)
    table = np.full((len(study.participants), len(study.sentences)), np.nan)
    table[study.participant[rows], study.sentence[rows]] = study.levels[question][rows]
    return table[:, np.count_nonzero(~np.isnan(table), axis=0) > 1]


def weighted_kappa(
    first: Floats, second: Floats, *, levels: Sequence[int], weighting: Weighting
) -> Number:
    """Return 1 - weighted disagreement / that expected by chance, of two participants' levels.

    J. Cohen, Weighted kappa (1968). Without any common answer, or if both always give the same one,
    there is no disagreement to expect.

    >>> import numpy as np
    >>> one, two = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0])
    >>> round(weighted_kappa(one, two, levels=range(1, 6), weighting=Weighting.LINEAR), 6)
    0.777778
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return Undefined("two participants judged no sentence in common")
    places = np.arange(len(levels))
    apart = np.abs(places[:, np.newaxis] - places).astype(np.float64)
    if weighting is Weighting.QUADRATIC:
        apart = apart**2
    one, two = ((side[both] - levels[0]).astype(int) for side in (first, second))
    observed = float(apart[one, two].mean())
    shares = [np.bincount(side, minlength=len(levels)) / len(side) for side in (one, two)]
    expected = float(shares[0] @ apart @ shares[1])
    if expected == 0.0:
        return Undefined("both participants always give the same answer")
    return 1.0 - observed / expected


def _kappa(answers: Floats, levels: Sequence[int], weighting: Weighting) -> Kappa:
    values = [
        weighted_kappa(answers[a], answers[b], levels=levels, weighting=weighting)
        for a, b in combinations(range(len(answers)), 2)
    ]
    known = [value for value in values if isinstance(value, float)]
    nothing = values[0] if values else Undefined("there is one participant")
    return Kappa(
        mean=sum(known) / len(known) if known else nothing,
        lowest=min(known, default=nothing),
        highest=max(known, default=nothing),
        pairs=len(known),
        undefined=len(values) - len(known),
    )


def _leave_one_out(study: JudgmentStudy, answers: Floats) -> tuple[LeaveOneOut, ...]:
    known = ~np.isnan(answers)
    totals, counts = np.nansum(answers, axis=0), known.sum(axis=0)
    entries = []
    for place, person in enumerate(study.participants):
        own = answers[place, known[place]]
        others = (totals[known[place]] - own) / (counts[known[place]] - 1)
        rho: Number = Undefined(
            f"{counted(len(own), 'common sentence')}; a correlation needs {LEAST_COMMON}"
        )
        if len(own) >= LEAST_COMMON:
            reason = "all answers are the same, here or in the mean of the others"
            rho = number(float(spearman(own, others)), reason)
        entries.append(LeaveOneOut(participant=person.id, sentences=len(own), rho=rho))
    return tuple(entries)


_GROUPS = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)


_NOBODY = Undefined("there is no question that two participants could agree about")


def agreement_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of alpha, weighted kappa and leave-one-out correlation."""
    agreements = [
        judge_agreement(study, question.name, sentences=group)
        for question in study.questions
        for group in _GROUPS
    ]
    everything = [each for each in agreements if each.sentences is SentenceGroup.ALL]
    return SubReport(
        name="agreement",
        title="Agreement between participants",
        figures=(Figure(svg=agreement_figure(everything, simulated=study.simulated)),),
        text=_sentences(everything),
        data=Table(
            columns=(
                "question",
                "sentences",
                "units",
                "answers",
                *(f"alpha_{scale}" for scale in ScaleLevel),
                *(f"kappa_{w}_{part}" for w in Weighting for part in ("mean", "lowest", "highest")),
                "pairs",
                "undefined_pairs",
                "leave_one_out",
            ),
            rows=tuple(_row(each) for each in agreements),
            left=2,
        ),
        shown=(
            Table(
                columns=(
                    "question",
                    "sentences",
                    "units",
                    "answers",
                    *(f"alpha {s}" for s in ScaleLevel),
                ),
                rows=tuple(
                    (
                        each.question,
                        str(each.sentences),
                        each.units,
                        each.answers,
                        *(each.alpha[scale] for scale in ScaleLevel),
                    )
                    for each in agreements
                ),
                left=2,
                title="Krippendorff's alpha",
            ),
            Table(
                columns=(
                    "question",
                    "sentences",
                    "pairs",
                    *(f"{w} kappa" for w in Weighting),
                    "leave-one-out rho",
                ),
                rows=tuple(
                    (
                        each.question,
                        str(each.sentences),
                        each.kappa[Weighting.LINEAR].pairs,
                        *(each.kappa[w].mean for w in Weighting),
                        each.mean_leave_one_out,
                    )
                    for each in agreements
                ),
                left=2,
                title="Weighted kappa over pairs of participants, and correlation with the others",
            ),
        ),
        notes=(
            (
                "n: sentences (units) with two answers or more; sentences with one answer say nothing about agreement "
                "and are left out."
            ),
            (
                "Pairs of participants without a common sentence, or who always give the same answer, have no kappa "
                "and are left out of the mean."
            ),
        ),
    )


def _sentences(agreements: Sequence[JudgeAgreement]) -> tuple[str, ...]:
    """Return how far participants agree, all questions in one sentence for each measure."""

    def listed(value: Callable[[JudgeAgreement], Number]) -> str:
        return ", ".join(f"{each.question} {said(value(each))}" for each in agreements)

    units = ", ".join(f"{each.question} {each.units}" for each in agreements)
    return (
        (
            "Krippendorff's alpha (ordinal; 1 is complete agreement, 0 is chance): "
            f"{listed(lambda each: each.alpha[ScaleLevel.ORDINAL])}. Sentences with two answers or more: {units}."
        ),
        (
            "Quadratically weighted kappa, on average over pairs of participants: "
            f"{listed(lambda each: each.kappa[Weighting.QUADRATIC].mean)}. Mean correlation of a "
            f"participant with the mean of the others: {listed(lambda each: each.mean_leave_one_out)}."
        ),
    )


def _row(each: JudgeAgreement) -> tuple[Cell, ...]:
    kappas = [each.kappa[weighting] for weighting in Weighting]
    return (
        each.question, str(each.sentences), each.units, each.answers,
        *(each.alpha[scale] for scale in ScaleLevel),
        *(cell for kappa in kappas for cell in (kappa.mean, kappa.lowest, kappa.highest)),
        kappas[0].pairs, kappas[0].undefined, each.mean_leave_one_out,
    )  # fmt: skip


def leave_one_out_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of each participant against the others."""
    agreements = [judge_agreement(study, question.name) for question in study.questions]
    return SubReport(
        name="leave-one-out",
        title="Each participant against the others",
        figures=figure_pages(leave_one_out_figures(agreements, simulated=study.simulated)),
        text=(
            (
                "Spearman's rho of each participant with the mean of all others, on sentences that both judged; a "
                "low value may be a sign of careless answers."
            ),
        ),
        data=Table(
            columns=("question", "participant", "sentences", "rho"),
            rows=tuple(
                (each.question, entry.participant, entry.sentences, entry.rho)
                for each in agreements
                for entry in each.leave_one_out
            ),
            left=2,
        ),
        notes=("n: sentences that the participant and somebody else answered; 15 are needed.",),
    )


def agreement_figure(agreements: Sequence[JudgeAgreement], *, simulated: bool) -> str:
    """Return alpha, kappa and the mean leave-one-out correlation of every question."""
    caption = Caption(
        title="Agreement between participants",
        notes=[
            (
                "Markers of kappa are means over pairs of participants, lines go from the smallest to the largest; "
                "of leave-one-out likewise over participants."
            ),
            *(
                f"{agreement.question}: {agreement.answers} answers about {agreement.units} sentences that two or more "
                "participants judged"
                for agreement in agreements
            ),
        ],
        simulated=simulated,
    )
    if not agreements:
        return statement(caption, _NOBODY)
    rows = [
        Row(f"alpha, {scale}", [_value(agreement.alpha[scale]) for agreement in agreements])
        for scale in agreements[0].alpha
    ]
    rows += [
        Row(
            f"kappa, {weighting}",
            [_kappa_dot(agreement.kappa[weighting]) for agreement in agreements],
        )
        for weighting in agreements[0].kappa
    ]
    rows.append(Row("leave-one-out rho", [_others(agreement) for agreement in agreements]))
    return row_chart(
        [RowGroup("", rows)],
        caption=caption,
        axis="agreement: 1 complete, 0 by chance",
        series=_names(agreements),
        reach=(0.0, 1.0),
        rule=0.0,
    )


def leave_one_out_figures(
    agreements: Sequence[JudgeAgreement], *, simulated: bool
) -> tuple[str, ...]:
    """Return every participant's correlation with the mean of all others."""
    caption = Caption(
        title="Every participant against the mean of all others",
        notes=["In brackets: sentences that others judged as well."],
        simulated=simulated,
    )
    if not agreements or not agreements[0].leave_one_out:
        return (statement(caption, _NOBODY),)
    rows = [
        Row(entries[0].participant, [_each(entries)])
        for entries in zip(*(agreement.leave_one_out for agreement in agreements), strict=True)
    ]
    return row_pages(
        [RowGroup("", rows)],
        caption=caption,
        axis="Spearman's rho",
        series=_names(agreements),
        reach=(0.0, 1.0),
        rule=0.0,
    )


def _names(agreements: Sequence[JudgeAgreement]) -> list[str]:
    """Return names of questions, with the sentences where these differ."""
    groups = {agreement.sentences for agreement in agreements}
    return [
        agreement.question if len(groups) == 1 else f"{agreement.question}, {agreement.sentences}"
        for agreement in agreements
    ]


def _value(value: Number) -> Dot | Undefined:
    return value if isinstance(value, Undefined) else Dot(value=value, text=f"{value:.3f}")


def _each(entries: Sequence[LeaveOneOut]) -> Points | Undefined:
    """Return one participant's correlations by question; a reason only where there is none at all."""
    values = [None if isinstance(entry.rho, Undefined) else entry.rho for entry in entries]
    if all(value is None for value in values):
        return next(entry.rho for entry in entries if isinstance(entry.rho, Undefined))
    texts = [
        str(entry.rho) if isinstance(entry.rho, Undefined) else f"{entry.rho:.3f}"
        for entry in entries
    ]
    return Points(values=values, text=f"{', '.join(texts)} ({entries[0].sentences})")


def _kappa_dot(kappa: Kappa) -> Dot | Undefined:
    if isinstance(kappa.mean, Undefined):
        return kappa.mean
    low = None if isinstance(kappa.lowest, Undefined) else kappa.lowest
    high = None if isinstance(kappa.highest, Undefined) else kappa.highest
    return Dot(value=kappa.mean, low=low, high=high, text=f"{kappa.mean:.3f} ({kappa.pairs} pairs)")


def _others(one_out: JudgeAgreement) -> Dot | Undefined:
    mean = one_out.mean_leave_one_out
    if isinstance(mean, Undefined):
        return mean
    known = [entry.rho for entry in one_out.leave_one_out if not isinstance(entry.rho, Undefined)]
    return Dot(
        value=mean, low=min(known), high=max(known), text=f"{mean:.3f} ({len(known)} participants)"
    )
