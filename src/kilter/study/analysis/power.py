"""The power of a study that has not been run yet, by simulation. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import Choice, check_fields, checked
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption, statement
from kilter.render.page.sub_report import Cell, Figure, SubReport
from kilter.stats.correlation import spearman
from kilter.stats.significance import correlation_p
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.sample_size import LEVEL
from kilter.study.judgments.judgment_study import SentenceGroup
from kilter.study.simulation.draw import Stream, normals, uniforms
from kilter.study.simulation.effect import Effects
from kilter.study.simulation.simulation import Layout, draw, nearest_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.adjustment import Adjustment
    from kilter.study.judgments.judgment_study import JudgmentStudy

    Floats = NDArray[np.float64]


# Repetitions that are drawn together: some MB at a time.
_BLOCK = 250
BOXES = 5
_MOST_CHOICE_DAMAGE = 0.6
"""Even poor translations share words with the reference."""


class Unit(Choice):
    """What the test counts: judgments, as published, or sentences with the mean of their answers.

    Judgments of one sentence are no independent evidence; a test that counts them finds too much.
    """

    JUDGMENTS = "judgments"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerDesign:
    """How many participants judge how many sentences of a kind, so many of them the same for all."""

    participants: int = 36
    sentences: int = 25
    shared: int = 10

    def __post_init__(self) -> None:
        check_fields(self)
        if self.participants < 1 or not 0 <= self.shared <= self.sentences or self.sentences < 1:
            raise OptionError(
                f"{self.participants} participants judge {self.sentences} sentences, {self.shared} of them "
                "shared; there must be some of the first two, and no more shared ones than sentences"
            )

    def layout(self, *, seed: int) -> Layout:
        """Return who judges what; damages are drawn uniformly."""
        own = self.sentences - self.shared
        unique = self.shared + np.arange(self.participants * own).reshape(self.participants, own)
        shared = np.tile(np.arange(self.shared), (self.participants, 1))
        order, choice = uniforms(seed, Stream.DAMAGE, 2, self.shared + self.participants * own)
        return Layout(
            participant=np.repeat(np.arange(self.participants), self.sentences),
            sentence=np.hstack([shared, unique]).ravel(),
            order=order,
            choice=_MOST_CHOICE_DAMAGE * choice,
            participants=self.participants,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The share of simulated studies with a significant correlation, with a 95% interval of the share.

    `rho` and `deviation` are mean and standard deviation of the correlations; studies in which it is not
    defined, since all answers are the same, count as not significant.
    """

    question: str
    unit: Unit
    level: float
    repetitions: int
    count: int
    share: float
    low: float
    high: float
    rho: Number
    deviation: Number


@checked
def simulated_power(
    layout: Layout,
    *,
    effects: Effects,
    question: str,
    accuracy: float,
    unit: Unit = Unit.SENTENCES,
    level: float = 0.05,
    repetitions: int = 1000,
    seed: int = 1,
) -> Power:
    """Return the power to show that a tool correlates with the answers to a question.

    The tool's scores correlate with the true quality of order by `accuracy`, from -1 to 1. `layout` is
    that of a `PowerDesign`, or of a study's questionnaires. With fewer sentences than a correlation needs, no
    study is significant.
    """
    if not -1.0 <= accuracy <= 1.0 or not 0.0 < level < 1.0 or repetitions < 1:
        raise OptionError(
            f"accuracy is {accuracy}, level {level} and repetitions {repetitions}; the first lies between "
            "-1 and 1, the second between 0 and 1, and the third is at least 1"
        )
    sentences = len(np.unique(layout.sentence))
    count = len(layout.participant) if unit is Unit.JUDGMENTS else sentences
    if sentences < LEAST_COMMON:
        few = f"{counted(sentences, 'sentence')}; a correlation needs {LEAST_COMMON}"
        return _power(np.full(repetitions, np.nan), question, unit, level, count, reason=few)
    rhos = list[float]()
    for block in range(-(-repetitions // _BLOCK)):
        size = min(_BLOCK, repetitions - block * _BLOCK)
        drawn = draw(
            layout, effects, questions=[question], seed=seed, repetitions=size, block=block
        )
        answers = nearest_levels(drawn.scores[question], low=1, high=BOXES).astype(np.float64)
        tool = _tool(layout, accuracy, seed, block, size)
        rhos += _correlations(layout, answers, tool, unit)
    return _power(np.array(rhos), question, unit, level, count)


def _tool(layout: Layout, accuracy: float, seed: int, block: int, size: int) -> Floats:
    """Return scores of sentences, repetition by repetition."""
    quality = -layout.order
    spread = float(quality.std())
    true = (quality - quality.mean()) / spread if spread > 0 else np.zeros(len(quality))
    noise = normals(seed, Stream.TOOL.of(block), size, len(quality))
    return np.asarray(accuracy * true + sqrt(1.0 - accuracy**2) * noise)


def _correlations(layout: Layout, answers: Floats, tool: Floats, unit: Unit) -> list[float]:
    if unit is Unit.JUDGMENTS:
        rhos = spearman(answers, tool[:, layout.sentence])
    else:
        judged_sentences, place, counts = np.unique(
            layout.sentence, return_inverse=True, return_counts=True
        )
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        ordered = answers[:, np.argsort(place.ravel(), kind="stable")]
        means = np.add.reduceat(ordered, starts, axis=1) / counts
        rhos = spearman(means, tool[:, judged_sentences])
    return [float(rho) for rho in rhos]


def _power(
    rhos: Floats,
    question: str,
    unit: Unit,
    level: float,
    count: int,
    *,
    reason: str = "no simulated study has a correlation",
) -> Power:
    known = rhos[~np.isnan(rhos)]
    p_values = [correlation_p(rho, count) for rho in known.tolist()]
    hits = sum(p is not None and p < level for p in p_values)
    low, high = share_interval(hits, len(rhos))
    nothing = Undefined(reason)
    return Power(
        question=question,
        unit=unit,
        level=level,
        repetitions=len(rhos),
        count=count,
        share=hits / len(rhos),
        low=low,
        high=high,
        rho=float(known.mean()) if len(known) else nothing,
        deviation=float(known.std(ddof=1)) if len(known) > 1 else nothing,
    )


def share_interval(hits: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a share. E. Wilson, Probable inference (1927)

    >>> [round(end, 4) for end in share_interval(8, 10)]
    [0.4902, 0.9433]
    """
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    share = hits / trials
    middle = share + z * z / (2 * trials)
    half = z * sqrt(share * (1.0 - share) / trials + z * z / (4 * trials * trials))
    scale = 1.0 + z * z / trials
    # At a share of 0 or 1 an end is the share itself, and rounding would push it to either side.
    low = (middle - half) / scale if hits else 0.0
    high = (middle + half) / scale if hits < trials else 1.0
    return low, high


ACCURACIES = (0.1, 0.2, 0.3)


REPETITIONS = 500


_ENOUGH = 0.8
"""The power that studies are usually planned for."""


def power_report(
    study: JudgmentStudy, variances: Mapping[str, Adjustment], *, seed: int
) -> SubReport:
    """Return the sub-report of power by number of participants.

    `variances` are estimates with crossed effects, which tell noise from differences between sentences.
    """
    design = _design(study)
    curves: dict[str, list[tuple[float, Power]]] = {}
    rows = list[tuple[Cell, ...]]()
    people = len(study.participants)
    sizes = sorted({max(2, people // 4), max(2, people // 2), max(2, people), 2 * people})
    layouts = (
        {size: replace(design, participants=size).layout(seed=seed) for size in sizes}
        if design is not None
        else {}
    )
    for question in study.questions:
        effects = effects_like(variances.get(question.name))
        for accuracy in ACCURACIES:
            for size, layout in layouts.items():
                power = simulated_power(
                    layout,
                    effects=effects,
                    question=question.name,
                    accuracy=accuracy,
                    level=LEVEL,
                    repetitions=REPETITIONS,
                    seed=seed,
                )
                curves.setdefault(f"{question.name}, accuracy {accuracy:g}", []).append(
                    (size, power)
                )
                rows.append(
                    (question.name, accuracy, size, power.count, power.share, power.low, power.high,
                     power.rho, effects.participant_deviation, effects.noise_deviation)
                )  # fmt: skip
    columns = (
        "question", "accuracy", "participants", "sentences", "power", "low", "high", "mean rho",
        "participant_deviation", "noise_deviation",
    )  # fmt: skip
    return SubReport(
        name="power",
        title="Power by simulation",
        figures=(Figure(svg=power_figure(curves, x="participants", simulated=study.simulated)),),
        text=(_power_text(design, rows, people=max(2, people)),),
        data=Table(columns=columns, rows=tuple(rows)),
        shown=(Table(columns=columns[:8], rows=tuple(row[:8] for row in rows)),) if rows else (),
        notes=(
            (
                f"n: {REPETITIONS} simulated studies for each row; nobody was asked, also where the study is real. "
                "power: the share whose correlation is significant at 0.05 by the means of sentences, with a 95% "
                "interval."
            ),
            (
                "accuracy: correlation of a tool with the true quality of word order. Participants and noise vary as in this "
                "study where that is known; all else is as 'kilter survey simulate' assumes."
            ),
        ),
    )


def _power_text(design: PowerDesign | None, rows: list[tuple[Cell, ...]], *, people: int) -> str:
    if design is None:
        return "There is no judged translation, and so no design to repeat."
    text = (
        f"Each simulated participant judges {design.sentences} translations, {design.shared} of them shared, as "
        "in this study."
    )
    if not rows:
        return f"{text} There is no question on a scale."
    found = "; ".join(
        f"at {accuracy:g} "
        + ", ".join(
            f"{row[0]} {row[4]:.0%}"
            for row in rows
            if (row[1], row[2]) == (accuracy, people) and isinstance(row[4], float)
        )
        for accuracy in ACCURACIES
    )
    return (
        f"{text} Share of {REPETITIONS} such studies with {counted(people, 'participant')} in which the correlation of a tool "
        f"is significant, by the correlation of the tool with the true quality of word order: {found}."
    )


def _design(study: JudgmentStudy) -> PowerDesign | None:
    chosen = study.rows(SentenceGroup.TRANSLATION)
    if not chosen.any():
        return None
    counts = np.bincount(study.participant[chosen], minlength=len(study.participants))
    sentences = max(1, int(np.median(counts)))
    judged_sentences = np.unique(study.sentence[chosen])
    shared = int(np.count_nonzero(study.shared[judged_sentences]))
    return PowerDesign(
        participants=len(study.participants), sentences=sentences, shared=min(shared, sentences)
    )


def effects_like(adjustment: Adjustment | None) -> Effects:
    """Return effects whose participants and noise vary as in the data; as usual where that is unknown."""
    usual = Effects()
    if adjustment is None:
        return usual
    return replace(
        usual,
        participant_deviation=_deviation(
            adjustment.participant_variance, usual.participant_deviation
        ),
        noise_deviation=_deviation(adjustment.residual_variance, usual.noise_deviation),
    )


def _deviation(variance: Number, usual: float) -> float:
    return usual if isinstance(variance, Undefined) else min(1.0, sqrt(variance))


def power_figure(
    powers: Mapping[str, Sequence[tuple[float, Power]]], *, x: str, simulated: bool
) -> str:
    """Return the power of designs by what `x` names, a curve for each name, with 95% intervals."""
    every = [power for points in powers.values() for _, power in points]
    if not every:
        caption = Caption(title="Power by simulation", simulated=simulated)
        return statement(caption, Undefined("no power was simulated"))
    first = every[0]
    caption = Caption(
        title="Power by simulation",
        notes=[
            (
                f"Share of {first.repetitions} simulated studies a point with a correlation that is "
                f"significant at {first.level:g}, with 95% intervals. Dashed: {_ENOUGH}."
            )
        ],
        simulated=simulated,
    )
    curves = [
        Curve(
            name=name,
            points=[(at, power.share) for at, power in points],
            intervals=[(power.low, power.high) for _, power in points],
        )
        for name, points in powers.items()
    ]
    return curve_chart(curves, caption=caption, x=x, y="power", reach=(0.0, 1.0), rule=_ENOUGH)
