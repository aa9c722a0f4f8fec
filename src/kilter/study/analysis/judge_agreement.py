"""Agreement between participants: alpha, weighted kappa, leave-one-out correlation. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.settings import Choice
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha, spearman
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy

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
